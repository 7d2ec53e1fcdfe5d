# What each idea bought on each shape: every method against the first rung of its own shape.
load plots."/lib/style.gp"
xcol = "named_compute"; lowcol = "named_compute_lower"; highcol = "named_compute_upper"
x_log = 1
x_format = "%g"
rule_at = 1
xlabel_text = T("times as fast as the first rung")
load plots."/lib/by_shape.gp"
