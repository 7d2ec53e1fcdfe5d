# Whole seconds, data movement included, against n; needs a title.
y = "total_s"; low = "total_lower_s"; high = "total_upper_s"
models = ""
model_y = "seconds"
set logscale y 10
set format y "%.0e"
set ylabel L("total time, data movement included (s)", "tiempo total, con movimiento de datos (s)")
load plots."/over_size.gp"
