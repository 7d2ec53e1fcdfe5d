# Seconds against the kernel size; needs a title.
xcol = "kernel"
ycol = "compute_s"; lowcol = "compute_lower_s"; highcol = "compute_upper_s"
series = "kernel_series"
curve = "kernel"
models = "power"
model_y = "seconds"
set logscale x 2
set logscale y 10
set format x "%.0f"
set format y "%.0s %cs"
set xlabel L("k, side of the window (cells)", "k, lado de la ventana (celdas)")
set ylabel L("time to compute", "tiempo de cómputo")
load plots."/curves.gp"
