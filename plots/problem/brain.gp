# Real images: every method on the largest of them, one worker and several.
load plots."/lib/style.gp"
is_counted(row) = text_in("total_s")
load plots."/lib/largest.gp"
is_counted(row) = text_in("total_s") && column("elements") == largest
name_it(row) = stringcolumn("method")
sized(row) = ""
load plots."/lib/rows.gp"
load plots."/lib/workers.gp"
is_row(i) = is_counted(0)
kind_of(i) = workers_text(column("workers"))
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
x_log = 1
x_format = "%.0s %cs"
xlabel_text = T("total time")
load plots."/lib/dots.gp"
