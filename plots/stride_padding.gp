# What the stride and the padding do to the time, the kernel fixed.
load plots."/lib/style.gp"
panels = 2
own_y = 1
in_panel(i) = i == 1 ? text_in("stride_series") : text_in("padding_series")
name_of(i) = stringcolumn("method").sprintf(" k=%s", stringcolumn("kernel")).(i == 2 ? sprintf(" s=%s", stringcolumn("stride")) : "")
place_of(i) = int(column("place")) + 1 + 30 * (int(column("kernel")) % 10)
panel_title(i) = i == 1 ? L("stride, k fixed", "stride, k fijo") : L("padding, k and s fixed", "padding, k y s fijos")
xcol(i) = i == 1 ? "stride" : "padding"
x_log(i) = i == 1
y_log(i) = i == 1
xlabel_of(i) = i == 1 ? L("s, cells between windows", "s, celdas entre ventanas") : L("p, cells added on every side", "p, celdas añadidas por lado")
ycol(i) = "compute_s"; lowcol(i) = "compute_lower_s"; highcol(i) = "compute_upper_s"
y_format(i) = i == 1 ? "%.0s %cs" : "%.1s %cs"
ylabel_of(i) = L("time to compute", "tiempo de cómputo")
dash_of(i) = 1
load plots."/lib/panels.gp"
