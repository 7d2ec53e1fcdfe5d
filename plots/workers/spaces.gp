# The tesina's figure 44: every space relative to the named serial baseline, on the image size that most were measured
# at.
load plots."/lib/style.gp"
is_any(row) = text_in("named_total") && !(stringcolumn("status") eq "INVALID")
is_counted(row) = is_any(0)
load plots."/lib/most_measured_size.gp"
is_counted(row) = is_any(0) && column("elements") == largest
ways(row) = (text_in("distribution") ? " ".stringcolumn("distribution") : "").(text_in("offload") ? " ".stringcolumn("offload") : "")
on_gpu(row) = stringcolumn("space") eq "cuda"
name_it(row) = stringcolumn("space")." ".stringcolumn("method").ways(0)
sized(row) = ""
load plots."/lib/rows.gp"
load plots."/lib/workers.gp"
is_row(i) = is_counted(0)
kind_of(i) = on_gpu(0) ? "GPU" : workers_text(column("workers"))
xcol = "named_total"; lowcol = "named_total_lower"; highcol = "named_total_upper"
x_log = 1
x_format = "%g"
rule_at = 1
xlabel_text = T("times as fast as the serial baseline (total time)")
load plots."/lib/dots.gp"
