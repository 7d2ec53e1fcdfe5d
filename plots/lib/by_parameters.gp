# The time of fully connected networks of one batch, the largest, against the bytes of their parameters: a line for each
# number of hidden layers and each way. Needs task ("train" or "infer"), is_shown(row), way_of(row): a text, "" where there is
# one way alone, and dash_way(row): 1 solid, 2 dashed.
panels = 1
on_gpu(row) = !text_in("workers")
hyphens(text) = strstrt(text, "-") == 0 ? 0 : 1 + hyphens(substr(text, strstrt(text, "-") + 1, strlen(text)))
hidden(row) = substr(stringcolumn("network"), 1, 4) eq "mlp:" ? 1 + hyphens(stringcolumn("network")) : 0
is_any(row) = hidden(0) > 0 && ((stringcolumn("task") eq "train") == (task eq "train")) && stringcolumn("space") ne "mpi"
most_workers = 0
largest_batch = 0
take_workers(n) = (most_workers = n > most_workers ? n : most_workers, 0)
take_batch(n) = (largest_batch = n > largest_batch ? n : largest_batch, 0)
set table $unused
plot points using (is_any(0) && !on_gpu(0) ? take_workers(column("workers")) : 0):(0) with table
plot points using (is_any(0) && is_shown(0) ? take_batch(column("batch")) : 0):(0) with table
unset table
in_panel(i) = is_any(0) && is_shown(0) && column("batch") == largest_batch
colour_of(row) = hidden(0) == 1 ? 0x0072B2 : hidden(0) == 2 ? 0xD55E00 : 0x009E73
layers_text(n) = put(T("hidden layers: %{layers}"), "layers", sprintf("%d", n))
name_of(i) = way_of(0).(strlen(way_of(0)) > 0 ? ", " : "").layers_text(hidden(0))
array series_names[400]
do for [j = 1:400] { series_names[j] = "" }
find_series(j, text) = series_names[j] eq text ? j : strlen(series_names[j]) == 0 ? (series_names[j] = text, j) : find_series(j + 1, text)
place_of(i) = find_series(1, name_of(i))
panel_title(i) = put(T("batch %{images}"), "images", sprintf("%d", int(largest_batch)))
xcol(i) = "parameter_bytes"
xlabel_of(i) = T("parameters of the network, 4 bytes each")
bytes_on_x = 1
ycol(i) = "total_s"; lowcol(i) = "total_lower_s"; highcol(i) = "total_upper_s"
ylabel_of(i) = task eq "train" ? T("time of a step") : T("total time of a batch")
y_format(i) = "%.0s %cs"
x_log(i) = 1
y_log(i) = 1
dash_of(i) = dash_way(0)
load plots."/lib/panels.gp"
