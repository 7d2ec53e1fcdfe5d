# Fixed work over more processes.
load plots."/style.gp"
set title L("Strong scaling: fixed work, more processes", "Escalado fuerte: trabajo fijo, más procesos")
load plots."/speedup_over_workers.gp"
