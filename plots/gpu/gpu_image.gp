# The image goes over once: what a window at a time costs is the distance to the figures above.
load plots."/lib/style.gp"
shown = "image"
seconds = "total"
kept(row) = 1
variant(row) = text_in("block") ? put(T(" block %{block}"), "block", stringcolumn("block")) : ""
dashed(row) = column("block") == 32
load plots."/lib/gpu_sizes.gp"
