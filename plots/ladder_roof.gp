# How near each rung comes to the roof of its work, on the largest image that was measured.
load plots."/style.gp"
main_title = L("The ladder against the roof", "La escalera frente al techo")
ycol = "roof_share"; lowcol = "roof_share_lower"; highcol = "roof_share_upper"
set logscale y 10
set format y "%g"
set ylabel L("roof / time (1: at the roof)", "techo / tiempo (1: en el techo)") offset -0.5,0
largest = 0
set table $unused
plot points using (stringcolumn("operator") eq "maxpool" && column("size") > largest ? (largest = column("size")) : 0) with table
unset table
wide(row) = column("size") == largest
load plots."/ladder_panels.gp"
