# All distances between n points: time over n, a panel for each number of dimensions, one serial worker.
load plots."/lib/style.gp"
panels = 2
is_few(i) = column("cols") <= 128
in_panel(i) = stringcolumn("operator") eq "distances" && stringcolumn("space") eq "serial" && text_in("rung") && is_few(0) == (i == 1)
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = i == 1 ? T("128 dimensions") : T("512 dimensions")
xcol(i) = "rows"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("n, points")
ycol(i) = "compute_s"; lowcol(i) = "compute_lower_s"; highcol(i) = "compute_upper_s"
y_format(i) = "%.0s %cs"
ylabel_of(i) = T("compute time (dotted: n²)")
dash_of(i) = 1
guide_on = 1
guide(i, x) = low_y[i] * (x / low_x[i]) ** 2
load plots."/lib/panels.gp"
