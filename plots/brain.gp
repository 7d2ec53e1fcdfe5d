# Real images: every method, one worker and several, fastest first within a kind of work.
load plots."/style.gp"
first_image = ""
set table $unused
plot points using (strlen(first_image) == 0 && text_in("input") ? (first_image = stringcolumn("input"), 0) : 0):(0) with table
unset table
is_counted(row) = stringcolumn("input") eq first_image
name_it(row) = stringcolumn("method")
sized(row) = ""
load plots."/rows.gp"
load plots."/workers.gp"
is_row(i) = is_counted(0)
kind_of(i) = workers_text(column("workers"))
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
x_log = 1
x_format = "%.0s %cs"
xlabel_text = L("total time", "tiempo total")
load plots."/dots.gp"
