# The tesina's figures 22-25: what k and s do to the time, per window and in all.
load plots."/style.gp"
set title L("Time against kernel size", "Tiempo según el tamaño del kernel")
x = "kernel"
y = "compute_s"; low = "compute_lower_s"; high = "compute_upper_s"
series = "kernel_series"
curve = "kernel"
models = "power"
model_y = "seconds"
set logscale x 2
set logscale y 10
set format x "%.0f"
set format y "%.0e"
set xlabel L("k, side of the window (cells)", "k, lado de la ventana (celdas)")
set ylabel L("time to compute (s)", "tiempo de cómputo (s)")
load plots."/curves.gp"
