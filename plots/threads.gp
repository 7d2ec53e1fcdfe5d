# OpenMP threads: speedup over one thread.
load plots."/style.gp"
set title L("Speedup with OpenMP threads", "Aceleración con hilos de OpenMP")
load plots."/speedup_over_workers.gp"
