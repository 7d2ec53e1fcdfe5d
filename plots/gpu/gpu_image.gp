# The whole image is sent at once; the difference to the figures above is the cost of sending one window at a time.
load plots."/lib/style.gp"
shown = "image"
seconds = "total"
kept(row) = 1
variant(row) = text_in("block") ? put(T(" block %{block}"), "block", stringcolumn("block")) : ""
dashed(row) = column("block") == 32
load plots."/lib/gpu_sizes.gp"
