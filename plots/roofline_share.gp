# Share of the roof against n, method by method.
load plots."/style.gp"
main_title = L("How near to the roof", "Qué tan cerca del techo")
ycol = "roof_share"; lowcol = "roof_share_lower"; highcol = "roof_share_upper"
set logscale y 10
set format y "%g"
set ylabel L("roof / time (1: at the roof)", "techo / tiempo (1: en el techo)") offset -0.5,0
panels = 3
pooling(row) = stringcolumn("operator") eq "maxpool" && column("kernel") == 2 && column("stride") == 2
in_panel(i) = strlen(stringcolumn("rung")) > 0 && strlen(stringcolumn("size")) > 0 && \
    (i == 3 ? stringcolumn("operator") eq "matmul" : pooling(0) && (i == 1) == (column("workers") == 1))
name_of(i) = stringcolumn("method")
place_of(i) = int(column("rung")) + (stringcolumn("operator") eq "matmul" ? 100 : 1)
panel_title(i) = i == 1 ? L("k = s = 2, one worker", "k = s = 2, un trabajador") : \
                 i == 2 ? L("k = s = 2, all workers", "k = s = 2, todos los trabajadores") : \
                          L("matmul, one worker", "matmul, un trabajador")
xcol(i) = "size"
xlabel_of(i) = "n"
dash_of(j) = 1
load plots."/panels.gp"
