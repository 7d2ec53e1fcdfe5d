# Seconds over n of GPU kernels and of what they are compared with. Needs `shown` (an offload), seconds (columns:
# seconds."_s" with its interval) and variant(row), the label's text after the method.
panels = 1
in_panel(i) = text_in("growth_series") && (stringcolumn("offload") eq shown || strlen(stringcolumn("offload")) == 0) && kept(0)
on_gpu(row) = stringcolumn("space") eq "cuda"
# The tesina's kernels have its names in the charts of its own offload.
printed(method) = shown ne "window" ? method : method eq "naive" ? "matmul1 (naive)" : method eq "loop" ? "matmul2 (loop)" : \
    method eq "tiled" ? "matmul3 (tiled)" : method
name_of(i) = on_gpu(0) ? printed(stringcolumn("method")).variant(0) : stringcolumn("space")." ".stringcolumn("method")
load plots."/lib/place_by_name.gp"
panel_title(i) = ""
xcol(i) = "size"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("n, rows and columns of the image")
ycol(i) = seconds."_s"; lowcol(i) = seconds."_lower_s"; highcol(i) = seconds."_upper_s"
y_format(i) = "%.0s %cs"
ylabel_of(i) = seconds eq "total" ? T("total time, data movement included") : T("compute time")
dash_of(i) = dashed(0) ? 2 : 1
load plots."/lib/panels.gp"
