# The time of a training step over the parameters, on the processor and on a GPU; of an inference if `task` is infer.
load plots."/lib/style.gp"
if (!exists("task")) { task = "train" }
is_shown(row) = on_gpu(0) || column("workers") == most_workers
way_of(row) = on_gpu(0) ? T("GPU") : T("processor")
dash_way(row) = on_gpu(0) ? 1 : 2
load plots."/lib/by_parameters.gp"
