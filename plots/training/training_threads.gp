# The time of a training step over the parameters, with one thread and with all; of an inference if `task` is infer.
load plots."/lib/style.gp"
if (!exists("task")) { task = "train" }
is_shown(row) = !on_gpu(0) && (column("workers") == 1 || column("workers") == most_workers)
workers_name(n) = n == 1 ? T("1 worker") : put(T("%{workers} workers"), "workers", sprintf("%.0f", n))
way_of(row) = workers_name(column("workers"))
dash_way(row) = column("workers") == 1 ? 2 : 1
load plots."/lib/by_parameters.gp"
