# The gain from wider vectors: each method relative to itself in the baseline instruction set.
load plots."/lib/style.gp"
is_counted(row) = text_in("narrow_compute") && text_in("isa_limit") && stringcolumn("isa_limit") ne "baseline" && text_in("rung")
load plots."/lib/largest.gp"
operator_of(row) = stringcolumn("operator")
shape_of(row) = stringcolumn("kernel") eq "" ? "" : sprintf(" k=%s", stringcolumn("kernel")).(column("stride") == column("kernel") ? "" : sprintf(" s=%s", stringcolumn("stride")))
name_it(row) = stringcolumn("method").shape_of(0)
sized(row) = sprintf(" n=%s", stringcolumn("size"))
load plots."/lib/rows.gp"
is_row(i) = is_counted(0)
kind_of(i) = stringcolumn("isa_limit")
xcol = "narrow_compute"; lowcol = "narrow_compute_lower"; highcol = "narrow_compute_upper"
x_log = 1
x_format = "%g"
rule_at = 1
xlabel_text = T("times as fast as --isa baseline")
load plots."/lib/dots.gp"
