# The tesina's figures 22-25: the effect of k on the time, with separate and overlapping windows, with the slope of k^3.
load plots."/lib/style.gp"
panels = 2
in_panel(i) = text_in("kernel_series") && (i == 1 ? column("stride") == column("kernel") : column("stride") == 1)
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = i == 1 ? T("s = k: windows apart") : \
                          T("s = 1: windows overlap")
xcol(i) = "kernel"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("k, side of the window (elements)")
ycol(i) = "window_ns"; lowcol(i) = "window_lower_ns"; highcol(i) = "window_upper_ns"
y_format(i) = "%g"
ylabel_of(i) = T("ns per window (dotted: k³)")
dash_of(i) = stringcolumn("kind") eq "maximum" ? 2 : 1
guide_on = 1
guide(i, x) = low_y[i] * (x / low_x[i]) ** 3
load plots."/lib/panels.gp"
