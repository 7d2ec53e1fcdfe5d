# Seconds against n, with the fitted power law; needs a title.
y = "compute_s"; low = "compute_lower_s"; high = "compute_upper_s"
models = "power"
model_y = "seconds"
set logscale y 10
set format y "%.0e"
set ylabel L("time to compute (s)", "tiempo de cómputo (s)")
load plots."/over_size.gp"
