# The tesina's figure 4, as a rate: operations of one n x n product divided by its time, below the peak of one core.
load plots."/lib/style.gp"
peak = 0
set table $unused
plot ceilings using (stringcolumn("kind") eq "peak" && column("workers") == 1 && 1e-9 * column("rate") > peak ? (peak = 1e-9 * column("rate"), 0) : 0):(0) with table
unset table
panels = 1
in_panel(i) = text_in("growth_series")
name_of(i) = stringcolumn("method")
place_of(i) = int(column("place")) + 1
panel_title(i) = ""
xcol(i) = "size"
x_log(i) = 1
y_log(i) = 1
xlabel_of(i) = T("n, rows and columns")
ycol(i) = "gigaoperations_per_s"; lowcol(i) = "gigaoperations_per_s"; highcol(i) = "gigaoperations_per_s"
y_format(i) = "%g"
ylabel_of(i) = "GFLOP/s"
dash_of(i) = 1
if (peak > 0) {
    rule_on = 1
    rule(i) = peak
    y_top = 1.3 * peak
    set label 2 put(T("peak of one core, %{rate} GFLOP/s"), "rate", sprintf("%.0f", peak)) at graph 0.02, first peak offset 0, 0.6 left font font12 textcolor rgb faint
}
load plots."/lib/panels.gp"
