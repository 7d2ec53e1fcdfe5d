# Time over n in one panel, time per window in the other; needs is_counted(row).
panels = 2
own_y = 1
in_panel(i) = is_counted(0)
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = i == 1 ? T("the image") : T("one window")
xcol(i) = "size"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("n, rows and columns")
ycol(i) = i == 1 ? "compute_s" : "window_ns"
lowcol(i) = i == 1 ? "compute_lower_s" : "window_lower_ns"
highcol(i) = i == 1 ? "compute_upper_s" : "window_upper_ns"
y_format(i) = i == 1 ? "%.0s %cs" : "%g"
ylabel_of(i) = i == 1 ? T("compute time") : T("ns per window")
dash_of(i) = stringcolumn("kind") eq "maximum" ? 2 : 1
load plots."/lib/panels.gp"
