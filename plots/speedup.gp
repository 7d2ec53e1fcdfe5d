# The tesina's figure 44: every space against the named serial baseline.
load plots."/style.gp"
set title L("Speedup over the serial baseline", "Aceleración sobre la base serial")
ycol = "named_total"; lowcol = "named_total_lower"; highcol = "named_total_upper"
models = ""
model_y = "speedup"
set logscale y 10
set format y "%g"
set ylabel L("speedup (total, over the serial baseline)", "aceleración (total, sobre la base serial)")
load plots."/over_size.gp"
