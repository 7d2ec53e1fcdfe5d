# The tesina's figures 24-25: what the stride does to the time, the kernel fixed.
load plots."/style.gp"
set title L("Time against stride", "Tiempo según el stride")
xcol = "stride"
ycol = "compute_s"; lowcol = "compute_lower_s"; highcol = "compute_upper_s"
series = "stride_series"
curve = "stride"
models = "power"
model_y = "seconds"
set logscale x 2
set logscale y 10
set format x "%.0f"
set format y "%.0s %cs"
set xlabel L("s, cells from one window to the next", "s, celdas de una ventana a la siguiente")
set ylabel L("time to compute", "tiempo de cómputo")
load plots."/curves.gp"
