# Seconds against n, with the fitted power law; needs a title.
ycol = "compute_s"; lowcol = "compute_lower_s"; highcol = "compute_upper_s"
models = "power"
model_y = "seconds"
set logscale y 10
set format y "%.0s %cs"
set ylabel L("time to compute", "tiempo de cómputo")
load plots."/over_size.gp"
