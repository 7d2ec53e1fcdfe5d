# The effect of stride and padding on the time, with a fixed kernel.
load plots."/lib/style.gp"
panels = 2
own_y = 1
in_panel(i) = i == 1 ? text_in("stride_series") : text_in("padding_series")
name_of(i) = stringcolumn("method").sprintf(" k=%s", stringcolumn("kernel")).(i == 2 ? sprintf(" s=%s", stringcolumn("stride")) : "")
place_of(i) = int(column("place")) + 1 + 30 * (int(column("kernel")) % 10)
panel_title(i) = i == 1 ? T("stride, k fixed") : T("padding, k and s fixed")
xcol(i) = i == 1 ? "stride" : "padding"
x_log(i) = i == 1
y_log(i) = i == 1
xlabel_of(i) = i == 1 ? T("s, elements between windows") : T("p, elements added on every side")
ycol(i) = "compute_s"; lowcol(i) = "compute_lower_s"; highcol(i) = "compute_upper_s"
y_format(i) = i == 1 ? "%.0s %cs" : "%.1s %cs"
ylabel_of(i) = T("compute time")
dash_of(i) = 1
load plots."/lib/panels.gp"
