# Ranks times threads at a fixed number of cores, against n.
load plots."/style.gp"
set title L("Ranks and threads at fixed cores", "Procesos e hilos con núcleos fijos")
load plots."/total_over_size.gp"
