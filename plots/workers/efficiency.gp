# Where the efficiency of p workers went: for each worker count the share of their time that is used, and shares of the
# loss that measured factors explain, in proportion to their logarithms. What none of them explains is the rest; of
# SUSPECT times all of it is. All numbers come from NAME.speedup.csv in the folder of `points`.
load plots."/lib/style.gp"
speedup_rows = points[1:strlen(points) - strlen("points.csv")]."speedup.csv"
factor_list = "balance messages idle frequency memory"
bars = 0
array bar_name[60]; array used[60]; array lost[360]
factors = words(factor_list)
is_bar(row) = stringcolumn("row") eq "mark" && stringcolumn("source") eq "measured" && text_in("loss") && text_in("efficiency") && column("beyond") == 0
is_measured(name) = text_in(name) && column(name) > 0 && column(name) < 1
part_of(name) = is_measured(name) ? -log(column(name)) : 0.0
whole(row) = column("efficiency") < 1 ? -log(column("efficiency")) : 0.0
explained(row) = stringcolumn("loss") eq "doubtful" || stringcolumn("loss") eq "not seen" ? 0.0 : sum [i = 1:factors] part_of(word(factor_list, i))
# Factors that together exceed the loss share it.
shrink(row) = explained(0) > whole(0) ? whole(0) / explained(0) : 1.0
loss_of(row) = column("efficiency") < 1 ? 1.0 - column("efficiency") : 0.0
piece(i) = whole(0) > 0 && explained(0) > 0 ? loss_of(0) * shrink(0) * part_of(word(factor_list, i)) / whole(0) : 0.0
workers_in(row) = put(put(T("%{method}, %{kind}"), "method", stringcolumn("method")), "kind", sprintf("%.0f ", column("workers")). \
    (stringcolumn("workers_kind") eq "threads" ? T("threads") : stringcolumn("workers_kind") eq "ranks" ? T("ranks") : T("ranks × threads"))). \
    (stringcolumn("status") eq "SUSPECT" || stringcolumn("loss") eq "doubtful" ? " (".T("SUSPECT").")" : "")
take(row) = bars < 24 ? (bars = bars + 1, bar_name[bars] = workers_in(0), used[bars] = least(1.0, column("efficiency")), \
    sum [i = 1:factors] (lost[(bars - 1) * 6 + i] = piece(i), 0), 0) : 0
set table $unused
plot speedup_rows using (is_bar(0) ? take(0) : 0):(0) with table
unset table
if (bars == 0) {
    lacking = T("no efficiency was measured with several workers")
    load plots."/lib/nothing.gp"
}
wide = 0
do for [j = 1:bars] {
    wide = strlen(bar_name[j]) > wide ? strlen(bar_name[j]) : wide
    lost[(j - 1) * 6 + 6] = 1.0 - used[j] - (sum [i = 1:factors] lost[(j - 1) * 6 + i])
}
# Only factors that some bar has are in the key.
shown = ""
seen_part(i) = sum [j = 1:bars] (lost[(j - 1) * 6 + i] > 0.002 ? 1 : 0)
do for [i = 1:6] { if (seen_part(i) > 0) { shown = shown.sprintf("%d ", i) } }
parts = 1 + words(shown)
number_of(i) = int(word(shown, i - 1))
part_share(j, i) = i == 1 ? used[j] : lost[(j - 1) * 6 + number_of(i)]
array factor_words[6] = [T("waiting for the slowest"), T("messages"), T("idle processors"), T("lower frequency"), T("memory's bandwidth"), T("loss, cause not measured")]
array factor_colours[6] = [0xE69F00, 0xCC79A7, 0x56B4E9, 0x999933, 0xD55E00, 0xBBBBBB]
part_name(i) = i == 1 ? T("efficiency") : factor_words[number_of(i)]
part_colour(i) = i == 1 ? 0x009E73 : factor_colours[number_of(i)]
bar_end = 1.0
bar_form = "%g"
bar_title = T("share of the workers' time")
load plots."/lib/bars.gp"
