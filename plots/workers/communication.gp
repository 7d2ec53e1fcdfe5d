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
set lmargin at screen letters_wide(wide, 13) + 0.03
set rmargin at screen 0.95
set bmargin at screen 0.17
set tmargin at screen key_y - 0.04
set xrange [0:1.04 * longest]
set yrange [bars + 0.7:0.3]
set border 1
unset ytics
set grid xtics noytics
set format x "%.0s %cs"
set xtics ("0" 0)
at = steps_of(0, 1.04 * longest, 5)
do for [n = 2:words(at)] { set xtics add (sprintf("%s", tick_text("%.0s %cs", real(word(at, n)))) real(word(at, n))) }
set xlabel T("total time") font font13
part_name(i) = i == 1 ? T("distribute") : i == 2 ? T("compute") : T("collect")
part_colour(i) = i == 1 ? 0x56B4E9 : i == 2 ? 0xE69F00 : 0xCC79A7
do for [i = 1:3] {
    set object 900 + i rectangle at screen 0.36 + 0.155 * i, screen key_y size screen 0.018, screen 0.026 fillcolor rgb part_colour(i) fillstyle solid noborder
    set label 900 + i part_name(i) at screen 0.378 + 0.155 * i, screen key_y left font font12
}
do for [j = 1:bars] {
    set label 10 + j bar_name[j] at graph 0, first j right offset -0.8, 0 font font13
    set object 3 * j rectangle from first 0, j - 0.33 to first d_s[j], j + 0.33 fillcolor rgb part_colour(1) fillstyle solid noborder
    set object 3 * j + 1 rectangle from first d_s[j], j - 0.33 to first d_s[j] + c_s[j], j + 0.33 fillcolor rgb part_colour(2) fillstyle solid noborder
    set object 3 * j + 2 rectangle from first d_s[j] + c_s[j], j - 0.33 to first d_s[j] + c_s[j] + g_s[j], j + 0.33 fillcolor rgb part_colour(3) fillstyle solid noborder
}
plot NaN
