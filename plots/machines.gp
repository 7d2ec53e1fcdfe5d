# The same points on several machines: a row for each point, a mark for each machine.
load plots."/style.gp"
is_row(i) = text_in("total_s")
row_of(i) = stringcolumn("row")
place_of(i) = int(column("place"))
kind_of(i) = stringcolumn("machine")
xcol = "total_s"; lowcol = "total_lower_s"; highcol = "total_upper_s"
x_log = 1
x_format = "%.0s %cs"
xlabel_text = L("total time", "tiempo total")
load plots."/dots.gp"
