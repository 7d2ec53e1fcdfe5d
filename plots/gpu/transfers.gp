# The tesina's figure 49: share of the time spent on data transfers.
load plots."/lib/style.gp"
panels = 1
in_panel(i) = text_in("growth_series") && stringcolumn("method") eq "naive" && text_in("offload") && \
              !(stringcolumn("host_memory") eq "pinned") && !(column("streams") > 1)
name_of(i) = stringcolumn("method")." ".stringcolumn("offload")
load plots."/lib/place_by_name.gp"
panel_title(i) = ""
xcol(i) = "size"
x_log(i) = 1
y_log(i) = 0
xlabel_of(i) = T("n, rows and columns of the image")
ycol(i) = "transfer_share"; lowcol(i) = "transfer_share"; highcol(i) = "transfer_share"
y_format(i) = "%g"
ylabel_of(i) = T("(distribute + collect) / total")
dash_of(i) = stringcolumn("offload") eq "window-lean" ? 2 : 1
y_top = 1
load plots."/lib/panels.gp"
