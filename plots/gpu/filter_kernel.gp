# Compute time over k, the side of the filter, for each memory that the kernel reads the filter from.
load plots."/lib/style.gp"
panels = 1
in_panel(i) = text_in("kernel_series")
name_of(i) = stringcolumn("method").(text_in("filter_memory") ? " ".stringcolumn("filter_memory") : "")
load plots."/lib/place_by_name.gp"
panel_title(i) = ""
xcol(i) = "kernel"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("k, side of the window (elements)")
ycol(i) = "compute_s"; lowcol(i) = "compute_lower_s"; highcol(i) = "compute_upper_s"
y_format(i) = "%.0s %cs"
ylabel_of(i) = T("compute time")
dash_of(i) = stringcolumn("filter_memory") eq "constant" ? 2 : 1
load plots."/lib/panels.gp"
