# The gain of each optimization on each shape: every method relative to the first rung on the same shape.
load plots."/lib/style.gp"
xcol = "named_compute"; lowcol = "named_compute_lower"; highcol = "named_compute_upper"
x_log = 1
x_format = "%g"
rule_at = 1
xlabel_text = T("times as fast as the first rung")
load plots."/lib/by_shape.gp"
