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
row_font = steps > 14 ? 12 : 13
set lmargin at screen letters_wide(wide, row_font) + 0.03
set rmargin at screen 0.965
set bmargin at screen 0.17
set tmargin at screen key_y - 0.04
set xrange [0:104.0 * longest]
set yrange [steps + 0.7:0.3]
set border 1
unset ytics
set grid xtics noytics
set format x "%g"
set xlabel T("share of the time of a step, %") font font13
part_name(i) = i == 1 ? T("forward") : i == 2 ? T("backward") : T("update")
part_colour(i) = i == 1 ? 0x0072B2 : i == 2 ? 0x56B4E9 : 0xCC79A7
do for [i = 1:3] {
    set object 900 + i rectangle at screen 0.05 + 0.2 * (i - 1), screen key_y size screen 0.018, screen 0.026 fillcolor rgb part_colour(i) fillstyle solid noborder
    set label 900 + i part_name(i) at screen 0.068 + 0.2 * (i - 1), screen key_y left font font12
}
do for [j = 1:steps] {
    set label 10 + j names[j] at graph 0, first j right offset -0.8, 0 font font_of(row_font)
    left = 0.0
    do for [i = 1:3] {
        part = 100.0 * shares[3 * (j - 1) + i]
        set object 3 * j + i rectangle from first left, j - 0.33 to first left + part, j + 0.33 fillcolor rgb part_colour(i) fillstyle solid noborder
        left = left + part
    }
}
plot NaN
