# The time of one image over the batch, with one worker and with several; for training steps if `task` is train.
load plots."/lib/style.gp"
panels = 2
if (!exists("task")) { task = "infer" }
is_task(row) = (stringcolumn("task") eq "train") == (task eq "train")
in_panel(i) = text_in("network") && is_task(0) && (i == 1) == (column("workers") == 1)
name_of(i) = stringcolumn("network").(stringcolumn("method") eq "auto" ? "" : " ".stringcolumn("method"))
array series_names[400]
do for [j = 1:400] { series_names[j] = "" }
find_series(j, text) = series_names[j] eq text ? j : strlen(series_names[j]) == 0 ? (series_names[j] = text, j) : find_series(j + 1, text)
place_of(i) = find_series(1, name_of(i))
panel_title(i) = i == 1 ? T("one worker") : T("all workers")
xcol(i) = "batch"
xlabel_of(i) = T("images of a batch")
ycol(i) = "image_s"; lowcol(i) = "image_lower_s"; highcol(i) = "image_upper_s"
ylabel_of(i) = T("time of one image")
y_format(i) = "%.0s %cs"
x_log(i) = 1
y_log(i) = 1
dash_of(i) = 1
load plots."/lib/panels.gp"
