# OpenMP threads: what each thread is still worth.
load plots."/style.gp"
set title L("Efficiency of OpenMP threads", "Eficiencia de los hilos de OpenMP")
xcol = "workers"
ycol = "efficiency"; lowcol = "efficiency_lower"; highcol = "efficiency_upper"
series = "workers_series"
curve = "none"
models = ""
model_y = "seconds"
set logscale x 2
set format x "%.0f"
set format y "%g"
set yrange [0:*]
set xlabel L("workers (ranks × threads)", "trabajadores (procesos × hilos)")
set ylabel L("efficiency (speedup / workers)", "eficiencia (aceleración / trabajadores)")
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linecolor rgb 0x777777
load plots."/curves.gp"
