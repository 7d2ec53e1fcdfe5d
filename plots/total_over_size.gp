# Whole seconds, data movement included, against n; needs a title.
ycol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
models = ""
model_y = "seconds"
set logscale y 10
set format y "%.0s %cs"
set ylabel L("total time, data movement included", "tiempo total, con movimiento de datos")
load plots."/over_size.gp"
