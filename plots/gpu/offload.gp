# One window at a time, or the whole image: total time over n.
load plots."/lib/style.gp"
panels = 1
in_panel(i) = text_in("growth_series")
on_gpu(row) = stringcolumn("space") eq "cuda"
name_of(i) = (on_gpu(0) ? "" : stringcolumn("space")." ").stringcolumn("method").(on_gpu(0) ? " ".stringcolumn("offload") : "")
load plots."/lib/place_by_name.gp"
panel_title(i) = ""
xcol(i) = "size"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("n, rows and columns of the image")
ycol(i) = "total_s"; lowcol(i) = "total_lower_s"; highcol(i) = "total_upper_s"
y_format(i) = "%.0s %cs"
ylabel_of(i) = T("total time, data movement included")
dash_of(i) = stringcolumn("offload") eq "image" ? 1 : 2
load plots."/lib/panels.gp"
