# Speedup over one worker, with the ideal and Amdahl's law; needs a title.
xcol = "workers"
ycol = "one_compute"; lowcol = "one_compute_lower"; highcol = "one_compute_upper"
series = "workers_series"
curve = "workers"
models = "ideal amdahl_measured amdahl"
model_y = "speedup"
set logscale x 2
set logscale y 2
set format x "%.0f"
set format y "%g"
set xlabel L("workers (ranks × threads)", "trabajadores (procesos × hilos)")
set ylabel L("speedup over one worker", "aceleración sobre un trabajador")
load plots."/curves.gp"
