# Pinned memory, and streams that copy beside kernels: what they save of an image at once.
load plots."/lib/style.gp"
shown = "image"
seconds = "total"
kept(row) = stringcolumn("method") eq "naive"
variant(row) = " ".stringcolumn("host_memory").(column("streams") > 1 ? put(T(" %{streams} streams"), "streams", stringcolumn("streams")) : "")
dashed(row) = stringcolumn("host_memory") eq "pinned"
load plots."/lib/gpu_sizes.gp"
