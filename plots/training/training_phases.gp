# A training step by phase, stacked: a bar for each strategy and number of ranks.
load plots."/lib/style.gp"
is_any(row) = stringcolumn("task") eq "train" && text_in("exchange_s") && !text_in("platform") && !(stringcolumn("status") eq "INVALID")
parts = 5
array part_s[300]
array bar_name[24]
array bar_total[24]
bars = 0
seconds(name) = text_in(name) ? column(name) : 0.0
named(row) = put(put(T("%{strategy}, ranks: %{ranks}"), "strategy", stringcolumn("strategy") eq "central" ? T("central") : T("mirrored")), "ranks", stringcolumn("ranks"))
take(name, total, f, b, x, u) = bars < 24 ? (bars = bars + 1, bar_name[bars] = name, bar_total[bars] = total, \
    part_s[parts * (bars - 1) + 1] = f, part_s[parts * (bars - 1) + 2] = b, part_s[parts * (bars - 1) + 3] = x, \
    part_s[parts * (bars - 1) + 4] = u, part_s[parts * bars] = (total > f + b + x + u ? total - f - b - x - u : 0.0), 0) : 0
set table $unused
plot points using (is_any(0) ? take(named(0), column("total_s"), seconds("forward_s"), seconds("backward_s"), seconds("exchange_s"), seconds("update_s")) : 0):(0) with table
unset table
if (bars > 0 && bars < least_places) {
    load plots."/lib/too_few_values.gp"
}
if (bars == 0) {
    lacking = T("no training on several ranks was measured")
    load plots."/lib/nothing.gp"
}
wide = 0
longest = 0
do for [j = 1:bars] {
    wide = strlen(bar_name[j]) > wide ? strlen(bar_name[j]) : wide
    longest = bar_total[j] > longest ? bar_total[j] : longest
}
part_share(j, i) = part_s[parts * (j - 1) + i]
parts = 5
part_name(i) = i == 1 ? T("forward") : i == 2 ? T("backward") : i == 3 ? T("exchange") : \
               i == 4 ? T("update") : T("rest")
part_colour(i) = i == 1 ? 0x0072B2 : i == 2 ? 0x56B4E9 : i == 3 ? 0xD55E00 : i == 4 ? 0xCC79A7 : 0xC8C8C8
bar_end = 1.04 * longest
bar_form = "%.0s %cs"
bar_title = T("time of a step")
load plots."/lib/bars.gp"
