# Ranks times threads at a fixed number of cores, on the largest image.
load plots."/lib/style.gp"
is_any(row) = column("workers") > 1 && text_in("total_s")
is_counted(row) = is_any(0)
load plots."/lib/largest.gp"
is_counted(row) = is_any(0) && column("elements") == largest
name_it(row) = put(put(put(T("%{method}, ranks × threads: %{ranks} × %{threads}"), "method", stringcolumn("method")), "ranks", sprintf("%.0f", text_in("ranks") ? column("ranks") : 1)), "threads", sprintf("%.0f", column("threads")))
sized(row) = ""
load plots."/lib/rows.gp"
is_row(i) = is_counted(0)
kind_of(i) = ""
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
x_log = 1
x_format = "%.0s %cs"
xlabel_text = T("total time")
load plots."/lib/dots.gp"
