# The time of a training step over the parameters, a line for each number of hidden layers; on a GPU if `device` is 1.
load plots."/lib/style.gp"
task = "train"
compares_depths = 1
if (!exists("device")) { device = 0 }
is_shown(row) = device ? on_gpu(0) : !on_gpu(0) && column("workers") == most_workers
way_of(row) = ""
dash_way(row) = 1
load plots."/lib/by_parameters.gp"
