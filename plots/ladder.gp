# Every method in turn: what each idea bought, per window.
load plots."/style.gp"
set title L("Time per window, method by method", "Tiempo por ventana, método a método")
xcol = "kernel"
ycol = "window_ns"; lowcol = "window_lower_ns"; highcol = "window_upper_ns"
series = "kernel_series"
curve = "none"
models = ""
model_y = "seconds"
set logscale x 2
set logscale y 10
set format x "%.0f"
set format y "%g"
set xlabel L("k, side of the window (cells)", "k, lado de la ventana (celdas)")
set ylabel L("time per window (ns)", "tiempo por ventana (ns)")
load plots."/curves.gp"
