# The rows of a selection (R/analysis/NAME.CHART.csv), of which a form draws those without a role. `study` sets rows, the
# file, and the settings of the panels: NAME_1, NAME_2 ... See experiments/report/charts/form.h.
points = rows
is_drawn(row) = strlen(stringcolumn("role")) == 0
# A count was not measured, and has no trust.
status_of(row) = strlen(stringcolumn("trust")) > 0 ? stringcolumn("trust") : "PRECISE"
# A comma of a text is U+201A in the file.
with_commas(text) = strstrt(text, "‚") == 0 ? text : with_commas(before(text, "‚").",".text[strstrt(text, "‚") + 1:*])
series_of(row) = with_commas(stringcolumn("series"))
set_text(name, i) = value(sprintf("%s_%d", name, i))
set_number(name, i) = real(set_text(name, i))
