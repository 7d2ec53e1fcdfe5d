# Each layer of a training step, forward and backward, and the update: shares of their total time, medians over
# launches.
load plots."/lib/style.gp"
steps = 0
array names[200]
do for [j = 1:200] { names[j] = "" }
array run_names[64]
array run_s[64]
do for [j = 1:64] { run_names[j] = ""; run_s[j] = 0.0 }
find_run(j, id) = j > 64 ? 0 : run_names[j] eq id ? j : strlen(run_names[j]) == 0 ? (run_names[j] = id, j) : find_run(j + 1, id)
add_to(j, s) = j > 0 ? (run_s[j] = run_s[j] + s, 0) : 0
run_sum(id) = find_run(1, id) > 0 ? run_s[find_run(1, id)] : NaN
take(j, name) = j > 200 ? 0 : (names[j] = name, steps = j > steps ? j : steps, 0)
there = int(system("test -s '".layers."' && echo 1 || echo 0"))
set table $unused
if (there) { plot layers using (text_in("mean_s") && text_in("pass") ? (take(int(column("step")) + 1, stringcolumn("layer") eq "update" ? T("update") : stringcolumn("layer")), add_to(find_run(1, stringcolumn("run_id")), column("mean_s"))) : 0):(0) with table }
unset table
if (steps == 0) {
    lacking = T("no layers were timed")
    load plots."/lib/nothing.gp"
}
# The seconds of each row belong to one of three passes.
array shares[600]
passes = "forward backward update"
do for [j = 1:steps] { do for [i = 1:3] {
    here = 0
    count_row(row) = (here = here + 1, 0)
    set table $unused
    plot layers using (text_in("mean_s") && int(column("step")) + 1 == j && stringcolumn("pass") eq word(passes, i) ? count_row(0) : 0):(0) with table
    unset table
    shares[3 * (j - 1) + i] = 0.0
    if (here > 0) {
        stats layers using (int(column("step")) + 1 == j && stringcolumn("pass") eq word(passes, i) ? column("mean_s") / run_sum(stringcolumn("run_id")) : NaN) nooutput name "part"
        shares[3 * (j - 1) + i] = part_median
    }
} }
wide = 0
longest = 0.0
do for [j = 1:steps] {
    wide = strlen(names[j]) > wide ? strlen(names[j]) : wide
    whole = shares[3 * j - 2] + shares[3 * j - 1] + shares[3 * j]
    longest = whole > longest ? whole : longest
}
part_share(j, i) = 100.0 * shares[3 * (j - 1) + i]
parts = 3
bars = steps
array bar_name[steps]
do for [j = 1:steps] { bar_name[j] = names[j] }
part_name(i) = i == 1 ? T("forward") : i == 2 ? T("backward") : T("update")
part_colour(i) = i == 1 ? 0x0072B2 : i == 2 ? 0x56B4E9 : 0xCC79A7
bar_end = 104.0 * longest
bar_form = "%g"
bar_title = T("share of the time of a step, %")
load plots."/lib/bars.gp"
