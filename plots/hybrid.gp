# Ranks times threads at a fixed number of cores, on the largest image.
load plots."/lib/style.gp"
is_any(row) = column("workers") > 1 && text_in("total_s")
is_counted(row) = is_any(0)
load plots."/lib/largest.gp"
is_counted(row) = is_any(0) && column("cells") == largest
name_it(row) = sprintf(L("%s, ranks × threads: %.0f × %.0f", "%s, procesos × hilos: %.0f × %.0f"), stringcolumn("method"), text_in("ranks") ? column("ranks") : 1, column("threads"))
sized(row) = ""
load plots."/lib/rows.gp"
is_row(i) = is_counted(0)
kind_of(i) = ""
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
x_log = 1
x_format = "%.0s %cs"
xlabel_text = L("total time", "tiempo total")
load plots."/lib/dots.gp"
