# Methods on each measured shape, a row for each; one serial worker. Needs the variables of dots.gp, except the rows.
# Shapes differ in more than their side, so points are not joined. Epilogues have a separate chart.
is_end(i) = strstrt(stringcolumn("label"), "residual=") > 0
is_row(i) = stringcolumn("space") eq "serial" && strlen(stringcolumn("isa_limit")) == 0 && text_in("rung") && !is_end(0)
gradient_text(i) = stringcolumn("gradient") eq "image" ? T(", ∂ image") : \
                   stringcolumn("gradient") eq "weights" ? T(", ∂ weights") : ""
stride_text(i) = stringcolumn("operator") eq "conv" && column("stride") > 1 ? ", s = ".stringcolumn("stride") : ""
shape_text(i) = text_in("kernel") ? sprintf("%s × %s × %s, k = %s%s%s", stringcolumn("planes"), stringcolumn("rows"), stringcolumn("cols"), stringcolumn("kernel"), stride_text(0), gradient_text(0)) : \
                                    sprintf("%s × %s", stringcolumn("rows"), stringcolumn("cols"))
array shapes[400]
do for [j = 1:400] { shapes[j] = "" }
find_shape(j, text) = shapes[j] eq text ? j : strlen(shapes[j]) == 0 ? (shapes[j] = text, j) : find_shape(j + 1, text)
row_of(i) = stringcolumn("method").": ".shape_text(0)
rungs = 12
place_of(i) = (find_shape(1, shape_text(0)) - 1) * rungs + int(column("rung")) + 1
kind_of(i) = ""
load plots."/lib/dots.gp"
