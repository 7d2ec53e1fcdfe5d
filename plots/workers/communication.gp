# The time by phase: distribute, compute and collect, stacked, on the largest image.
load plots."/lib/style.gp"
is_any(row) = text_in("distribution") && text_in("total_s") && !(stringcolumn("status") eq "INVALID")
is_counted(row) = is_any(0)
load plots."/lib/largest.gp"
bars = 0
array bar_name[60]; array bar_at[400]; array d_s[60]; array c_s[60]; array g_s[60]
seconds(name) = text_in(name) ? column(name) : 0.0
take(name, d, c, g) = bars < 24 ? (bars = bars + 1, bar_name[bars] = name, d_s[bars] = d, c_s[bars] = c, g_s[bars] = g, 0) : 0
set table $unused
plot points using (is_any(0) && column("elements") == largest ? \
    take(put(put(put(T("%{method} %{distribution}, ranks: %{ranks}"), "method", stringcolumn("method")), "distribution", stringcolumn("distribution")), "ranks", stringcolumn("ranks")), \
         seconds("distribute_s"), seconds("compute_s"), seconds("collect_s")) : 0):(0) with table
unset table
if (bars > 0 && bars < least_places) {
    load plots."/lib/too_few_values.gp"
}
if (bars == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
wide = 0
longest = 0
do for [j = 1:bars] {
    wide = strlen(bar_name[j]) > wide ? strlen(bar_name[j]) : wide
    longest = d_s[j] + c_s[j] + g_s[j] > longest ? d_s[j] + c_s[j] + g_s[j] : longest
}
part_share(j, i) = i == 1 ? d_s[j] : i == 2 ? c_s[j] : g_s[j]
parts = 3
part_name(i) = i == 1 ? T("distribute") : i == 2 ? T("compute") : T("collect")
part_colour(i) = i == 1 ? 0x56B4E9 : i == 2 ? 0xE69F00 : 0xCC79A7
bar_end = 1.04 * longest
bar_form = "%.0s %cs"
bar_title = T("total time")
load plots."/lib/bars.gp"
