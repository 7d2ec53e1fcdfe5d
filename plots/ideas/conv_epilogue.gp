# The epilogue, applied as outputs are stored or in a separate pass: the same methods, the same work.
load plots."/lib/style.gp"
is_row(i) = stringcolumn("space") eq "serial" && strstrt(stringcolumn("label"), "residual=") > 0
is_pass(i) = strstrt(stringcolumn("label"), "epilogue=pass") > 0
row_of(i) = stringcolumn("method").": ".(is_pass(0) ? T("in a separate pass") : T("as outputs are stored"))
place_of(i) = 2 * int(column("place")) + is_pass(0) + 1
kind_of(i) = ""
xcol = "compute_s"; lowcol = "compute_lower_s"; highcol = "compute_upper_s"
x_log = 0
x_format = "%.3g ms"
value_of(row) = 1e3 * column(xcol)
low_of(row) = 1e3 * column(lowcol)
high_of(row) = 1e3 * column(highcol)
xlabel_text = T("compute time")
load plots."/lib/dots.gp"
