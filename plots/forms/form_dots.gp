# Named rows with a mark for each value.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
is_row(i) = is_drawn(0)
row_of(i) = series_of(0)
place_of(i) = int(column("place"))
kind_of(i) = stringcolumn("label")
xcol = "y"; lowcol = "lower"; highcol = "upper"
x_log = int(set_number("x_log", 1))
x_format = set_text("y_format", 1)
xlabel_text = set_text("x_title", 1)
if (set_text("rule", 1) ne "nan") { rule_at = set_number("rule", 1) }
if (real(band) > 0) { band_low = -real(band); band_high = real(band) }
load plots."/lib/dots.gp"
