# Performance portability of methods: for each method, the machines from its best to its worst; solid lines are
# efficiencies, dashed ones the harmonic mean over that many machines (Sewall and others 2020).
load plots."/lib/style.gp"
lines_max = 32
array names[lines_max]
array colours[lines_max]
array ends[lines_max]
count = 0
machines = 0
note(name, colour, place, value) = (count == 0 || names[count] ne name ? (count = count + 1, names[count] = name, colours[count] = colour) : 0, \
    ends[count] = value, machines = place > machines ? place : machines, 0)
set table $unused
plot points using (note(stringcolumn("method"), column("colour"), column("place"), column("portability"))):(0) with table
unset table
names_wide = 1
do for [i = 1:count] { names_wide = most(names_wide, strlen(names[i])) }
if (count == 0 || machines < 2) {
    lacking = T("nothing was measured on two machines")
    load plots."/lib/nothing.gp"
}
set lmargin at screen left_room
names_room = own ? letters_wide(names_wide, 12) + across(12) : 0.20
set rmargin at screen 1 - names_room
set bmargin at screen bottom_edge
set xrange [0.9:machines + 0.1]
set yrange [0:1.04]
set xtics 1
set format y "%.1f"
axis_left = left_room
axis_right = 0.985
title_left = across(4)
y_title_at = above(head + 9)
note_wide = 0
x_text = T("machines, from the best for the method")
y_text = T("efficiency against the fastest method")
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel x_text font font13 }
if (!small) { set ylabel y_text font axis_font(y_text, 300) offset 0.6, 0 }
if (small) { set tmargin at screen upper_edge; set label 1013 T("dashed: harmonic mean so far") at screen 0.985, screen tall(8) right font font_of(9) textcolor rgb faint }
if (!small) { set label 20 T("solid: on that machine; dashed: harmonic mean so far") at screen 0.80, screen key_y right font font12 textcolor rgb faint front }
# Labels at the ends of the dashed lines, the highest first: spaced for their letters, within the top and the bottom.
gap = own ? 14.0 / ((upper_edge - bottom_edge) * canvas_h) : 0.046
at = 1e9
array heights[lines_max]
do for [i = 1:count] { at = ends[i] < at - gap ? ends[i] : at - gap; heights[i] = at }
at = 0.015 - gap
do for [n = 1:count] { i = count + 1 - n; at = heights[i] > at + gap ? heights[i] : at + gap; heights[i] = at }
do for [i = 1:count] {
    set label 100 + i names[i] at first machines + 0.1, first heights[i] left offset 0.6, 0 font font12 textcolor rgb int(colours[i]) front
}
mine(i) = stringcolumn("method") eq names[i]
plot for [i = 1:count] points using (mine(i) ? column("place") : NaN):(column("efficiency")) with linespoints \
         pointtype mark(1) pointsize 0.6 linewidth 1.6 linecolor rgb int(colours[i]), \
     for [i = 1:count] points using (mine(i) ? column("place") : NaN):(column("portability")) with lines \
         linewidth 1.4 dashtype 2 linecolor rgb int(colours[i])
