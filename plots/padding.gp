# What the padding does to the time: the map grows by its windows, and no further.
load plots."/style.gp"
set title L("Time against padding", "Tiempo según el padding")
xcol = "padding"
ycol = "compute_s"; lowcol = "compute_lower_s"; highcol = "compute_upper_s"
series = "padding_series"
curve = "padding"
models = ""
model_y = "seconds"
set xrange [0:*]
set yrange [0:*]
set format x "%.0f"
set format y "%.1s %cs"
set xlabel L("p, cells added on every side", "p, celdas añadidas en cada lado")
set ylabel L("time to compute", "tiempo de cómputo")
load plots."/curves.gp"
