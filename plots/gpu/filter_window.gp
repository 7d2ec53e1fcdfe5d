# The tesina's figures 50-53: filter transferred with every window, or in constant memory.
load plots."/lib/style.gp"
shown = "window"
seconds = "total"
kept(row) = 1
variant(row) = " ".stringcolumn("filter_memory")
dashed(row) = stringcolumn("filter_memory") eq "constant"
load plots."/lib/gpu_sizes.gp"
