# Panels next to each other: points over x, a line for each series.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
panels = int(panels)
own_y = int(own_y)
if (int(x_in_bytes)) { bytes_on_x = 1 }
in_panel(i) = is_drawn(0) && column("panel") == i
name_of(i) = series_of(0)
place_of(i) = int(column("place"))
panel_title(i) = set_text("title", i)
xcol(i) = "x"
x_log(i) = int(set_number("x_log", i))
xlabel_of(i) = set_text("x_title", i)
ycol(i) = "y"
lowcol(i) = "lower"
highcol(i) = "upper"
y_log(i) = int(set_number("y_log", i))
y_format(i) = set_text("y_format", i)
ylabel_of(i) = set_text("y_title", i)
dash_of(i) = int(column("dash"))
do for [i = 1:panels] { if (set_number("guide", i) != 0) { guide_on = 1 } }
guide(i, x) = set_number("guide", i) == 0 ? NaN : set_number("guide", i) < 0 ? high_y[i] * (x / low_x[i]) ** set_number("guide", i) : low_y[i] * (x / low_x[i]) ** set_number("guide", i)
if (real(least_top) > 0) { y_top = real(least_top) }
# Horizontal lines, with words above the first.
do for [i = 1:panels] { if (set_text("rule", i) ne "nan") { rule_on = 1 } }
rule(i) = set_text("rule", i) eq "nan" ? NaN : set_number("rule", i)
if (exists("rule_on") && strlen(set_text("rule_text", 1)) > 0) {
    y_top = most(exists("y_top") ? y_top : 0, 1.3 * rule(1))
    rule_named = 1
    set label 2 set_text("rule_text", 1) at graph 0.02, first rule(1) offset 0, 0.6 left font font12 textcolor rgb faint
}
# Vertical lines with a name.
verticals = 0
array vertical_name[8]; array vertical_x[8]
take_vertical(name, x) = verticals < 8 ? (verticals = verticals + 1, vertical_name[verticals] = with_commas(name), vertical_x[verticals] = x, 0) : 0
set table $unused
plot points using (stringcolumn("role") eq "vertical" ? take_vertical(stringcolumn("label"), column("x")) : 0):(0) with table
unset table
load plots."/lib/panels.gp"
