# The effect of pinned memory, and of streams that copy during kernels, on an image that is sent at once.
load plots."/lib/style.gp"
shown = "image"
seconds = "total"
kept(row) = stringcolumn("method") eq "naive"
variant(row) = " ".stringcolumn("host_memory").(column("streams") > 1 ? put(T(" %{streams} streams"), "streams", stringcolumn("streams")) : "")
dashed(row) = stringcolumn("host_memory") eq "pinned"
load plots."/lib/gpu_sizes.gp"
