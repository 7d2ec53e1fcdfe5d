# The steps of a network in their order, each its share in the time of all of them: the median over launches. And how it was computed.
load plots."/style.gp"
steps = 0
array names[200]
array counts[200]
do for [j = 1:200] { names[j] = ""; counts[j] = 0 }
# Seconds of all steps of a launch.
array run_names[64]
array run_s[64]
do for [j = 1:64] { run_names[j] = ""; run_s[j] = 0.0 }
find_run(j, id) = j > 64 ? 0 : run_names[j] eq id ? j : strlen(run_names[j]) == 0 ? (run_names[j] = id, j) : find_run(j + 1, id)
add_to(j, s) = j > 0 ? (run_s[j] = run_s[j] + s, 0) : 0
run_sum(id) = find_run(1, id) > 0 ? run_s[find_run(1, id)] : NaN
take(j, name) = j > 200 ? 0 : (names[j] = name, counts[j] = counts[j] + 1, steps = j > steps ? j : steps, 0)
how(row) = strlen(stringcolumn("layer_method")) > 0 ? " (".stringcolumn("layer_method").")" : ""
there = int(system("test -s '".layers."' && echo 1 || echo 0"))
set table $unused
if (there) { plot layers using (text_in("mean_s") ? (take(int(column("step")) + 1, stringcolumn("layer").how(0)), add_to(find_run(1, stringcolumn("run_id")), column("mean_s"))) : 0):(0) with table }
unset table
if (steps == 0) {
    lacking = L("no layers were clocked", "no se cronometraron capas")
    load plots."/nothing.gp"
}
# The longest where there are many.
most_rows = 26
array medians[200]
do for [j = 1:steps] {
    medians[j] = 0.0
    if (counts[j] > 0) {
        stats layers using (int(column("step")) + 1 == j ? column("mean_s") / run_sum(stringcolumn("run_id")) : NaN) nooutput name "step"
        medians[j] = step_median
    }
}
longer_than(s) = sum [j = 1:steps] (medians[j] > s ? 1 : 0)
set print $bars
print "row,share"
rows = 0
wide = 0
do for [j = 1:steps] { if (counts[j] > 0 && longer_than(medians[j]) < most_rows) {
    rows = rows + 1
    wide = strlen(names[j]) > wide ? strlen(names[j]) : wide
    set label 10 + rows names[j] at graph 0, first rows right offset -0.8, 0 font font_of(steps > 14 ? 10 : 13)
    print sprintf("%d,%.9g", rows, medians[j])
} }
unset print
set lmargin at screen wide * (steps > 14 ? 10 : 13) * 0.56 / 720 + 0.03
set rmargin at screen 0.965
set bmargin at screen 0.15
set yrange [rows + 0.7:0.3]
set xrange [0:*]
set grid xtics noytics
unset ytics
set border 1
set format x "%g"
set xlabel L("share of the time of all steps, %", "fracción del tiempo de todos los pasos, %") font font13
set style fill solid 0.85 noborder
plot $bars using (50.0 * column("share")):(column("row")):(50.0 * column("share")):(0.36) with boxxyerror linecolor rgb 0x0072B2
