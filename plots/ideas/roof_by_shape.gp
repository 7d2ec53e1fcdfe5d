# Each method's share of this machine's limit, on each shape.
load plots."/lib/style.gp"
xcol = "roof_share"; lowcol = "roof_share_lower"; highcol = "roof_share_upper"
x_log = 0
x_format = "%g"
rule_at = 1
xlabel_text = T("limit / time (1: at the limit)")
load plots."/lib/by_shape.gp"
