# What the width of the vectors buys: each method against itself in the baseline instruction set.
load plots."/style.gp"
main_title = L("Speedup over the baseline instruction set", "Aceleración sobre el juego de instrucciones base")
ycol = "narrow_compute"; lowcol = "narrow_compute_lower"; highcol = "narrow_compute_upper"
set logscale y 2
set format y "%g"
set ylabel L("times as fast as --isa baseline", "veces más rápido que --isa baseline") offset -0.5,0
panels = 3
limited(row) = strlen(stringcolumn("rung")) > 0 && strlen(stringcolumn("isa_limit")) > 0 && stringcolumn("isa_limit") ne "baseline"
pooling(row) = stringcolumn("operator") eq "maxpool"
in_panel(i) = limited(0) && (i == 3 ? !pooling(0) : pooling(0) && \
    (i == 1 ? column("stride") == column("kernel") : column("stride") == 1))
name_of(i) = stringcolumn("method")." ".stringcolumn("isa_limit")
place_of(i) = 3 * int(column("rung")) + (stringcolumn("isa_limit") eq "avx512" ? 2 : 1)
panel_title(i) = i == 1 ? "s = k" : i == 2 ? "s = 1" : "matmul"
xcol(i) = i == 3 ? "size" : "kernel"
xlabel_of(i) = i == 3 ? "n" : "k"
dash_of(j) = strstrt(name(j), "avx2") > 0 ? 2 : 1
load plots."/panels.gp"
