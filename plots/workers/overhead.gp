# The additional time of one rank relative to the best serial method of the same kind of work: 0 if MPI costs nothing.
load plots."/lib/style.gp"
is_counted(row) = text_in("best_total") && stringcolumn("space") eq "mpi" && column("workers") == 1
name_it(row) = stringcolumn("method").(text_in("distribution") ? " ".stringcolumn("distribution") : "")
sized(row) = sprintf(" n=%s", stringcolumn("size"))
load plots."/lib/rows.gp"
is_row(i) = is_counted(0)
kind_of(i) = ""
xcol = "best_total"
value_of(row) = 100 / column("best_total") - 100
low_of(row) = 100 / column("best_total_upper") - 100
high_of(row) = 100 / column("best_total_lower") - 100
x_log = 0
x_format = "%g %%"
rule_at = 0
band_low = -5
band_high = 5
xlabel_text = T("slower than the best serial method (gray: ±5 %)")
load plots."/lib/dots.gp"
