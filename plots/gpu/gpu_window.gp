# The tesina's figures 32-43 and 45-48: every window by itself, as the tesina does it.
load plots."/lib/style.gp"
shown = "window"
seconds = "total"
kept(row) = 1
variant(row) = text_in("block") ? put(T(" block %{block}"), "block", stringcolumn("block")) : ""
dashed(row) = column("block") == 32
load plots."/lib/gpu_sizes.gp"
