# The tesina's figures 50-53: filter transferred at each launch, or in constant memory.
load plots."/style.gp"
set title L("Filter transferred at each launch, or constant", "Filtro transferido en cada llamada, o constante")
load plots."/total_over_size.gp"
