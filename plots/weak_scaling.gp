# Work growing with the workers: the time should stay as it is.
load plots."/style.gp"
set title L("Weak scaling: work grows with the workers", "Escalado débil: el trabajo crece con los trabajadores")
xcol = "workers"
ycol = "weak_efficiency"; lowcol = "weak_lower"; highcol = "weak_upper"
series = "weak_series"
curve = "none"
models = ""
model_y = "seconds"
set logscale x 2
set format x "%.0f"
set yrange [0:*]
set xlabel L("workers (ranks × threads)", "trabajadores (procesos × hilos)")
set ylabel L("efficiency, T(1) / T(p) (total)", "eficiencia, T(1) / T(p) (total)")
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linecolor rgb 0x777777
load plots."/curves.gp"
