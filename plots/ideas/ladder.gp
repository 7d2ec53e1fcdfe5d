# The gain of each optimization: every method relative to the first rung, on the same image.
load plots."/lib/style.gp"
ycol(i) = "named_compute"; lowcol(i) = "named_compute_lower"; highcol(i) = "named_compute_upper"
y_format(i) = "%g"
ylabel_of(i) = T("times as fast as literal")
rule_on = 1
rule(i) = 1
chosen(row) = 1
load plots."/lib/ladder_panels.gp"
