# The tesina's figures 32-43 and 45-48: the GPU kernels against n.
load plots."/style.gp"
set title L("GPU kernels: total time against image size", "Núcleos en GPU: tiempo total según el tamaño")
load plots."/total_over_size.gp"
