# The tesina's figures 50-53: filter transferred with every window, or in constant memory.
load plots."/style.gp"
set title L("Filter transferred with every window, or constant", \
            "Filtro transferido con cada ventana, o constante")
shown = "window"
load plots."/of_offload.gp"
load plots."/total_over_size.gp"
