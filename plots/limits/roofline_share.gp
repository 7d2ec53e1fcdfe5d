# Share of this machine's limit over the working set: image, map and, for a product, both matrices.
load plots."/lib/style.gp"
is_counted(row) = text_in("roof_share") && text_in("rung") && column("workers") == 1
operators = ""
add(text) = strstrt(operators, " ".text." ") > 0 ? 0 : (operators = operators." ".text." ", 0)
smallest_kernel = 1e9
windowed = ""
set table $unused
plot points using (is_counted(0) ? add(stringcolumn("operator")) + (text_in("kernel") ? (windowed = windowed." ".stringcolumn("operator")." ", column("kernel") < smallest_kernel ? (smallest_kernel = column("kernel"), 0) : 0) : 0) : 0):(0) with table
unset table
panels = words(operators) > 0 ? words(operators) : 1
plain(row) = !text_in("kernel") || (column("kernel") == smallest_kernel && column("stride") == column("kernel") && column("padding") == 0)
in_panel(i) = words(operators) > 0 && is_counted(0) && plain(0) && stringcolumn("operator") eq word(operators, i)
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = word(operators, i).(strstrt(windowed, " ".word(operators, i)." ") > 0 ? sprintf(", k = s = %.0f", smallest_kernel) : "")
xcol(i) = "bytes"
x_log(i) = 0
y_log(i) = 1
ycol(i) = "roof_share"; lowcol(i) = "roof_share_lower"; highcol(i) = "roof_share_upper"
y_format(i) = "%g"
y_top = 1.6
xlabel_of(i) = T("working set")
ylabel_of(i) = T("limit / time (1: at the limit)")
dash_of(i) = stringcolumn("kind") eq "maximum" ? 2 : 1
rule_on = 1
rule(i) = 1
bytes_on_x = 1
load plots."/lib/panels.gp"
