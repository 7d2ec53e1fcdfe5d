# The time of a training step over the bytes of the network's parameters, a line for each batch.
load plots."/lib/style.gp"
panels = 1
on_gpu(row) = !text_in("workers")
in_panel(i) = stringcolumn("task") eq "train" && (on_gpu(0) || column("workers") == most_workers)
most_workers = 0
take_workers(n) = (most_workers = n > most_workers ? n : most_workers, 0)
set table $unused
plot points using (stringcolumn("task") eq "train" && !on_gpu(0) ? take_workers(column("workers")) : 0):(0) with table
unset table
name_of(i) = (on_gpu(0) ? "GPU, " : "").put(T("batch %{images}"), "images", sprintf("%d", int(column("batch"))))
array series_names[400]
do for [j = 1:400] { series_names[j] = "" }
find_series(j, text) = series_names[j] eq text ? j : strlen(series_names[j]) == 0 ? (series_names[j] = text, j) : find_series(j + 1, text)
place_of(i) = find_series(1, name_of(i))
panel_title(i) = most_workers == 0 ? "" : most_workers == 1 ? T("one worker") : put(T("%{workers} workers"), "workers", sprintf("%.0f", most_workers))
xcol(i) = "parameter_bytes"
xlabel_of(i) = T("parameters of the network")
bytes_on_x = 1
ycol(i) = "total_s"; lowcol(i) = "total_lower_s"; highcol(i) = "total_upper_s"
ylabel_of(i) = T("time of a step")
y_format(i) = "%.0s %cs"
x_log(i) = 1
y_log(i) = 1
dash_of(i) = 1
load plots."/lib/panels.gp"
