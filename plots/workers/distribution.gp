# Bands that ranks generate themselves, compared with an image that one rank distributes, over n.
load plots."/lib/style.gp"
panels = 1
in_panel(i) = text_in("distribution") && text_in("size") && text_in("total_s")
name_of(i) = stringcolumn("method")." ".stringcolumn("distribution").sprintf(" r=%s", stringcolumn("ranks"))
place_of(i) = int(column("place")) + 1 + (stringcolumn("distribution") eq "scatter" ? 40 : 0) + 80 * int(log(column("ranks")) / log(2) + 0.5) % 320
panel_title(i) = ""
xcol(i) = "size"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("n, rows and columns")
ycol(i) = "total_s"; lowcol(i) = "total_lower_s"; highcol(i) = "total_upper_s"
y_format(i) = "%.0s %cs"
ylabel_of(i) = T("total time")
dash_of(i) = stringcolumn("distribution") eq "scatter" ? 2 : 1
load plots."/lib/panels.gp"
