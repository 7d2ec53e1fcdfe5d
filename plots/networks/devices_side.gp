# The time of a batch through a network over the side of its images, a line for each network, device and number of
# workers.
load plots."/lib/style.gp"
panels = 1
on_gpu(row) = !text_in("workers")
is_counted(row) = text_in("network")
in_panel(i) = text_in("network") && column("rows") == column("cols")
load plots."/lib/workers.gp"
several_networks = 0
first_network = ""
note_network(text) = strlen(first_network) == 0 ? (first_network = text, 0) : text eq first_network ? 0 : (several_networks = 1, 0)
set table $unused
plot points using (in_panel(1) ? note_network(stringcolumn("network")) : 0):(0) with table
unset table
name_of(i) = (several_networks ? stringcolumn("network").", " : "").(on_gpu(0) ? "GPU ".stringcolumn("method") : workers_text(column("workers")))
array series_names[400]
do for [j = 1:400] { series_names[j] = "" }
find_series(j, text) = series_names[j] eq text ? j : strlen(series_names[j]) == 0 ? (series_names[j] = text, j) : find_series(j + 1, text)
place_of(i) = find_series(1, name_of(i))
panel_title(i) = ""
xcol(i) = "cols"
xlabel_of(i) = T("side of the image")
ycol(i) = "total_s"; lowcol(i) = "total_lower_s"; highcol(i) = "total_upper_s"
ylabel_of(i) = T("total time of a batch")
y_format(i) = "%.0s %cs"
x_log(i) = 1
y_log(i) = 1
dash_of(i) = 1
load plots."/lib/panels.gp"
