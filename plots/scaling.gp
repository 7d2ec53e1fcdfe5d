# Speedup over workers: with up to two worker counts beyond one, the efficiency of each method as a dot; from three
# on, curves with the ideal. Needs speed, efficiency (columns, with _lower and _upper), is_counted(row).
load plots."/workers.gp"
ways(row) = (text_in("distribution") ? " ".stringcolumn("distribution") : "").(text_in("offload") ? " ".stringcolumn("offload") : "")
threads_of(row) = stringcolumn("space") eq "mpi" && column("threads") > 1 ? sprintf(" t=%.0f", column("threads")) : ""
sized(row) = text_in("size") ? sprintf(" n=%s", stringcolumn("size")) : ""
name_it(row) = (stringcolumn("space") eq "omp" ? "" : stringcolumn("space")." ").stringcolumn("method").ways(0).threads_of(0)
if (words(counts) <= 2) {
    is_row(i) = is_counted(0) && column("workers") > 1
    load plots."/rows.gp"
    xcol = efficiency; lowcol = (strlen(ends) ? ends : efficiency)."_lower"; highcol = (strlen(ends) ? ends : efficiency)."_upper"
    kind_of(i) = workers_text(column("workers"))
    x_log = 0
    x_format = "%g"
    xlabel_text = efficiency_text
    rule_at = 1
    load plots."/dots.gp"
} else {
    panels = 1
    in_panel(i) = is_counted(0)
    name_of(i) = row_name(0)
    place_of(i) = row_place(0)
    load plots."/rows.gp"
    panel_title(i) = ""
    xcol(i) = "workers"
    xlabel_of(i) = L("workers (ranks × threads)", "trabajadores (procesos × hilos)")
    ycol(i) = speed; lowcol(i) = (strlen(ends) ? ends : speed)."_lower"; highcol(i) = (strlen(ends) ? ends : speed)."_upper"
    ylabel_of(i) = speed_text
    y_format(i) = "%g"
    x_log(i) = 1
    y_log(i) = speed_log
    dash_of(i) = stringcolumn("kind") eq "maximum" ? 2 : 1
    guide_on = 1
    guide(i, x) = ideal(x)
    load plots."/panels.gp"
}
