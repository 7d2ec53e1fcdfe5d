# Every method against n, with one thread and with all cores.
load plots."/style.gp"
set title L("Every method, one thread and all cores", "Todos los métodos, con un hilo y con todos los núcleos")
load plots."/time_over_size.gp"
