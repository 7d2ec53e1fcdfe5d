# What each idea bought: every method against the first rung, on the same image.
load plots."/style.gp"
main_title = L("The ladder: speedup over the first rung", "La escalera: aceleración sobre el primer peldaño")
ycol = "named_compute"; lowcol = "named_compute_lower"; highcol = "named_compute_upper"
set logscale y 10
set format y "%g"
set ylabel L("times as fast as literal", "veces más rápido que literal") offset -0.5,0
wide(row) = 1
load plots."/ladder_panels.gp"
