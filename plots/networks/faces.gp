# The machine's load over time for each structure of the program, in its last execution: busy processors (left) and
# memory in use (right), a panel for each structure.
load plots."/lib/style.gp"
structures = "reload once split batched"
panels = words(structures)
which(text) = sum [w = 1:panels] (word(structures, w) eq text ? w : 0)
array from[panels]
array longest[panels]
array moments[panels]
do for [w = 1:panels] { from[w] = -1; longest[w] = 0.0; moments[w] = 0 }
last_label = ""
last_s = 0.0
# An execution begins where the seconds restart or the label changes.
begins(label, s) = label ne last_label || s < last_s
note(w, row, label, s) = w == 0 ? 0 : (from[w] = begins(label, s) ? row : from[w], last_label = label, last_s = s, 0)
there = int(system("test -s '".timeline."' && echo 1 || echo 0"))
set table $unused
if (there) { plot timeline using (note(which(stringcolumn("label")), column(0), stringcolumn("label"), column("seconds"))):(0) with table }
is_of(w) = which(stringcolumn("label")) == w && from[w] >= 0 && column(0) >= from[w]
top_cpu = 1.0
top_bytes = 0.0
see_row(w, s, cpu, bytes) = (moments[w] = moments[w] + 1, longest[w] = most(longest[w], s), top_cpu = most(top_cpu, cpu), top_bytes = most(top_bytes, bytes), 0)
if (there) { do for [w = 1:panels] {
    plot timeline using (is_of(w) ? see_row(w, column("seconds"), column("cpu_share"), column("resident_bytes")) : 0):(0) with table
} }
unset table
if (top_bytes == 0.0) {
    lacking = T("no timeline was kept")
    load plots."/lib/nothing.gp"
}
cpu_colour = 0x0072B2
memory_colour = 0xD55E00
megabyte = 1024.0 * 1024.0
shown = ""
do for [w = 1:panels] { if (moments[w] >= most(1, least_places)) { shown = shown.sprintf("%d ", w) } }
if (least_places > 0 && words(shown) < 2) {
    load plots."/lib/too_few_values.gp"
}
set label 500 T("busy processors") at screen own ? across(6) : 0.07, screen key_y left font font12 textcolor rgb cpu_colour
set label 501 T("memory in use, MiB") at screen own ? 1 - across(6) : 0.94, screen key_y right font font12 textcolor rgb memory_colour
set multiplot
set border 11
set yrange [0:1.15 * top_cpu]
set y2range [0:1.25 * top_bytes / megabyte]
set ytics 1 font font12
set y2tics step_of(1.25 * top_bytes / megabyte, 3) font font12
set format x "%g"
do for [a = 1:words(shown)] {
    w = int(word(shown, a))
    # Numbers on both sides of a panel, its name above it.
    panel_high = own ? (key_y - tall(12) - bottom_edge) / (words(shown) > 2 ? 2 : 1) : 0
    set lmargin at screen own ? across(24) + (a % 2 == 1 ? 0 : 0.5) : a % 2 == 1 ? 0.07 : 0.56
    set rmargin at screen own ? 0.5 - across(40) + (a % 2 == 1 ? 0 : 0.5) : a % 2 == 1 ? 0.45 : 0.94
    set tmargin at screen own ? key_y - tall(12) - (a > 2 ? panel_high : 0) - tall(16) : a > 2 ? 0.42 : 0.78
    set bmargin at screen own ? key_y - tall(12) - (a > 2 ? 2 : 1) * panel_high + (words(shown) > 2 && a <= 2 ? tall(small ? 30 : 44) : 0) : a > 2 ? 0.14 : 0.53
    set xrange [0:1.02 * longest[w]]
    set xtics step_of(longest[w], own ? 2 : 4)
    set xtics font font12
    if (small && a == 1) { set label 1011 T("seconds since the start") at screen across(24), screen tall(8) left font font12 } \
    else { if (!small && (a > 2 || words(shown) < 3)) { set xlabel T("seconds since the start") font font12 } else { unset xlabel } }
    set label 1 word(structures, w).": ".gprintf("%.3g s", longest[w]) at graph 0, graph 1 left offset 0, 0.6 font font12
    # Lines of hundreds of moments have no marks, which would merge into a band.
    plot timeline using (is_of(w) ? column("seconds") : NaN):(column("cpu_share")) with linespoints pointtype (moments[w] > 200 ? -1 : 7) pointsize 0.25 linewidth 1.4 linecolor rgb cpu_colour, \
         timeline using (is_of(w) ? column("seconds") : NaN):(column("resident_bytes") / megabyte) axes x1y2 with linespoints pointtype (moments[w] > 200 ? -1 : 5) pointsize 0.25 linewidth 1.4 linecolor rgb memory_colour
    if (a == 1) { unset label 1001; unset label 1002; unset label 500; unset label 501; unset label 1011 }
}
unset multiplot
