# The fastest other library on single planes, one worker, over n: a panel for each stride.
load plots."/lib/style.gp"
points = ratios
is_counted(row) = column("named") == 0 && column("workers") == 1 && column("planes") == 1 && column("rows") == column("cols") && \
                  text_in("kernel") && column("fastest") == 1
panels = 3
step(i) = i == 1 ? "1" : i == 2 ? "2" : "k"
in_panel(i) = is_counted(0) && stringcolumn("step") eq step(i)
name_of(i) = sprintf("k = %s", stringcolumn("kernel"))
place_of(i) = int(column("kernel"))
panel_title(i) = "s = ".step(i)
xcol(i) = "rows"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = "n"
ycol(i) = "ratio"; lowcol(i) = "lower"; highcol(i) = "upper"
y_format(i) = "%g"
ylabel_of(i) = T("library / ours (above 1: ours is faster)")
dash_of(i) = 1
rule_on = 1
rule(i) = 1
y_top = 1.3
array by_kernel[8] = [0x000000, 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x999933]
colour_of(row) = text_in("kernel") ? by_kernel[(int(column("kernel")) - 1) % 8 + 1] : 0
load plots."/lib/panels.gp"
