# Filter transferred together with the image, or in constant memory.
load plots."/lib/style.gp"
shown = "image"
seconds = "total"
kept(row) = 1
variant(row) = " ".stringcolumn("filter_memory")
dashed(row) = stringcolumn("filter_memory") eq "constant"
load plots."/lib/gpu_sizes.gp"
