# Each rung's share of this machine's limit, on the largest image that was measured.
load plots."/lib/style.gp"
ycol(i) = "roof_share"; lowcol(i) = "roof_share_lower"; highcol(i) = "roof_share_upper"
y_format(i) = "%g"
ylabel_of(i) = T("limit / time (1: at the limit)")
rule_on = 1
rule(i) = 1
y_top = 1.6
largest = 0
set table $unused
plot points using (stringcolumn("operator") eq "maxpool" && column("size") > largest ? (largest = column("size")) : 0) with table
unset table
chosen(row) = column("size") == largest
load plots."/lib/ladder_panels.gp"
