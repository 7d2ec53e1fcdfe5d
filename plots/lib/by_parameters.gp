# The time of fully connected networks at one batch size, over the bytes of their parameters: a line for each number of
# hidden layers and each way. The batch size is the one with most pairs, of several the largest. Needs task ("train" or
# "infer"), is_shown(row), way_of(row): a text, "" if there is only one way, and dash_way(row): 1 solid, 2 dashed. A
# pair is a network with both ways or, if compares_depths is 1, a network of one hidden layer and a larger one of
# several, as in claims_crossover.c.
panels = 1
on_gpu(row) = !text_in("workers")
hyphens(text) = strstrt(text, "-") == 0 ? 0 : 1 + hyphens(substr(text, strstrt(text, "-") + 1, strlen(text)))
hidden(row) = substr(stringcolumn("network"), 1, 4) eq "mlp:" ? 1 + hyphens(stringcolumn("network")) : 0
is_any(row) = hidden(0) > 0 && ((stringcolumn("task") eq "train") == (task eq "train")) && stringcolumn("space") ne "mpi"
most_workers = 0
if (!exists("compares_depths")) { compares_depths = 0 }
rows = 0
is_paired(row) = is_any(0) && is_shown(0) && !(stringcolumn("status") eq "INVALID")
take_workers(n) = (most_workers = n > most_workers ? n : most_workers, 0)
set table $unused
plot points using (is_any(0) && !on_gpu(0) ? take_workers(column("workers")) : 0):(0) with table
plot points using (is_paired(0) ? (rows = rows + 1, 0) : 0):(0) with table
unset table
array row_batch[rows + 1]
array row_network[rows + 1]
array row_bytes[rows + 1]
array row_way[rows + 1]
array row_pairs[rows + 1]
row_n = 0
take_row(batch, network, bytes, way) = (row_n = row_n + 1, row_batch[row_n] = batch, row_network[row_n] = network, row_bytes[row_n] = bytes, row_way[row_n] = way, 0)
side_of(row) = compares_depths ? (hidden(0) == 1 ? 1 : 2) : dash_way(0)
set table $unused
plot points using (is_paired(0) ? take_row(column("batch"), stringcolumn("network"), column("parameter_bytes"), side_of(0)) : 0):(0) with table
unset table
is_twin(k, j) = row_batch[k] == row_batch[j] && row_way[k] == row_way[j] && row_network[k] eq row_network[j]
is_partner(k, j) = row_batch[k] == row_batch[j] && row_way[k] == 2 && (compares_depths ? row_bytes[k] > row_bytes[j] : row_network[k] eq row_network[j])
begins_pair(j) = row_way[j] == 1 && (sum [k = 1:j - 1] is_twin(k, j)) == 0 && (sum [k = 1:rows] is_partner(k, j)) > 0
do for [j = 1:rows] { row_pairs[j] = begins_pair(j) }
pairs_of(j) = sum [k = 1:rows] (row_batch[k] == row_batch[j] ? row_pairs[k] : 0)
shown_batch = 0
most_pairs = 0
do for [j = 1:rows] {
    n = pairs_of(j)
    if (n > most_pairs || (n == most_pairs && row_batch[j] > shown_batch)) { shown_batch = row_batch[j]; most_pairs = n }
}
in_panel(i) = is_any(0) && is_shown(0) && column("batch") == shown_batch
colour_of(row) = hidden(0) == 1 ? 0x0072B2 : hidden(0) == 2 ? 0xD55E00 : 0x009E73
layers_text(n) = put(T("hidden layers: %{layers}"), "layers", sprintf("%d", n))
name_of(i) = way_of(0).(strlen(way_of(0)) > 0 ? ", " : "").layers_text(hidden(0))
array series_names[400]
do for [j = 1:400] { series_names[j] = "" }
find_series(j, text) = series_names[j] eq text ? j : strlen(series_names[j]) == 0 ? (series_names[j] = text, j) : find_series(j + 1, text)
place_of(i) = find_series(1, name_of(i))
panel_title(i) = put(T("batch %{images}"), "images", sprintf("%d", int(shown_batch)))
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
