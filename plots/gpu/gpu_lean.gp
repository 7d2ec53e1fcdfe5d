# Every window by itself, but with arrays, stream and events reused.
load plots."/lib/style.gp"
shown = "window-lean"
seconds = "total"
kept(row) = 1
variant(row) = text_in("block") ? put(T(" block %{block}"), "block", stringcolumn("block")) : ""
dashed(row) = column("block") == 32
load plots."/lib/gpu_sizes.gp"
