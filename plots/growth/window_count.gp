# The tesina's figures 26-27: windows extracted as n doubles; a slope of 2 is a factor of 4. Counts carry no status.
load plots."/lib/style.gp"
is_precise(row) = i == 1 || stringcolumn("status") eq "PRECISE"
see(status) = i == 1 || strstrt(marks_seen, status) > 0 ? 0 : (marks_seen = marks_seen.status." ", 0)
is_status(word) = i > 1 && stringcolumn("status") eq word
panels = 2
own_y = 1
in_panel(i) = text_in("growth_series")
name_of(i) = sprintf("k = %s", stringcolumn("kernel"))
place_of(i) = int(column("kernel"))
panel_title(i) = i == 1 ? T("windows") : T("compute time")
xcol(i) = "size"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("n, rows and columns")
ycol(i) = i == 1 ? "windows" : "compute_s"
lowcol(i) = i == 1 ? "windows" : "compute_lower_s"
highcol(i) = i == 1 ? "windows" : "compute_upper_s"
y_format(i) = i == 1 ? "%.0s%c" : "%.0s %cs"
ylabel_of(i) = panel_title(i)
dash_of(i) = 1
colour_of(row) = column("kernel") == 2 ? 0x0072B2 : column("kernel") == 4 ? 0xD55E00 : 0x009E73
load plots."/lib/panels.gp"
