# The effect of k, s and n on the time of a convolution, each varied alone, with lines of k², 1/s² and n².
load plots."/lib/style.gp"
panels = 3
own_y = 1
in_panel(i) = i == 1 ? text_in("kernel_series") : i == 2 ? text_in("stride_series") : text_in("growth_series")
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = i == 1 ? T("kernel size") : i == 2 ? "stride" : T("image")
xcol(i) = i == 1 ? "kernel" : i == 2 ? "stride" : "size"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = i == 1 ? T("k (elements)") : i == 2 ? T("s (elements)") : T("n (elements)")
ycol(i) = i == 1 ? "window_ns" : "compute_s"
lowcol(i) = i == 1 ? "window_lower_ns" : "compute_lower_s"
highcol(i) = i == 1 ? "window_upper_ns" : "compute_upper_s"
y_format(i) = i == 1 ? "%g" : "%.0s %cs"
ylabel_of(i) = i == 1 ? T("ns per output (dotted: k²)") : \
               i == 2 ? T("time (dotted: 1/s²)") : T("time (dotted: n²)")
dash_of(i) = 1
guide_on = 1
guide(i, x) = i == 2 ? high_y[i] * (x / low_x[i]) ** -2 : low_y[i] * (x / low_x[i]) ** 2
load plots."/lib/panels.gp"
