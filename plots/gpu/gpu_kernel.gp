# The kernel alone, on an image that is already on the device.
load plots."/lib/style.gp"
shown = "image"
seconds = "compute"
kept(row) = 1
variant(row) = text_in("block") ? put(T(" block %{block}"), "block", stringcolumn("block")) : ""
dashed(row) = column("block") == 32
load plots."/lib/gpu_sizes.gp"
