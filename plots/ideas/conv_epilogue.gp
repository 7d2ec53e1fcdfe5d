# The end of outputs, in the store of their tile or in a pass of its own: the same methods, the same work.
load plots."/lib/style.gp"
is_row(i) = stringcolumn("space") eq "serial" && strstrt(stringcolumn("label"), "residual=") > 0
is_pass(i) = strstrt(stringcolumn("label"), "epilogue=pass") > 0
row_of(i) = stringcolumn("method").": ".(is_pass(0) ? T("a pass of its own") : T("in the store"))
place_of(i) = 2 * int(column("place")) + is_pass(0) + 1
kind_of(i) = ""
xcol = "compute_s"; lowcol = "compute_lower_s"; highcol = "compute_upper_s"
x_log = 0
x_format = "%.3g ms"
value_of(row) = 1e3 * column(xcol)
low_of(row) = 1e3 * column(lowcol)
high_of(row) = 1e3 * column(highcol)
xlabel_text = T("time to compute")
load plots."/lib/dots.gp"
