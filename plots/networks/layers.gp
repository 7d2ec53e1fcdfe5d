# The steps of a network in order: each one's share of their total time with its seconds (left), and, if ceilings were
# measured, its share of this machine's limit (right); medians over launches. Names include the method.
load plots."/lib/style.gp"
steps = 0
roofs = 0
array names[200]
array shares[200]
array seconds[200]
array roof[200]
do for [j = 1:200] { names[j] = ""; shares[j] = 0.0; seconds[j] = 0.0; roof[j] = -1.0 }
how(row) = strlen(stringcolumn("method")) > 0 ? " (".stringcolumn("method").")" : ""
take(j, name, share, s) = j > 200 ? 0 : (names[j] = name, shares[j] = share, seconds[j] = s, steps = j > steps ? j : steps, 0)
take_roof(j, share) = j > 200 ? 0 : (roof[j] = share, roofs = roofs + 1, 0)
there = int(system("test -s '".layer_times."' && echo 1 || echo 0"))
set table $unused
if (there) {
    plot layer_times using (text_in("share") ? take(int(column("step")) + 1, stringcolumn("layer").how(0), column("share"), column("seconds")) : 0):(0) with table
    plot layer_times using (text_in("roof_share") ? take_roof(int(column("step")) + 1, column("roof_share")) : 0):(0) with table
}
unset table
if (steps == 0) {
    lacking = T("no layers were timed")
    load plots."/lib/nothing.gp"
}
# If there are many, only the longest are shown.
most_rows = own ? most(4, least(22, int((upper_edge - bottom_edge) * canvas_h / (small ? 16 : 14)))) : 22
longer_than(s) = sum [j = 1:steps] (shares[j] > s ? 1 : 0)
set print $bars
print "row,share,roof"
rows = 0
wide = 0
longest = 0.0
do for [j = 1:steps] { if (shares[j] > 0 && longer_than(shares[j]) < most_rows) {
    rows = rows + 1
    wide = strlen(names[j]) > wide ? strlen(names[j]) : wide
    longest = shares[j] > longest ? shares[j] : longest
    print roof[j] < 0 ? sprintf("%d,%.9g,NaN", rows, shares[j]) : sprintf("%d,%.9g,%.9g", rows, shares[j], roof[j])
} }
unset print
smaller_rows = 1
if (small) { upper_edge = above(head + 7); set tmargin at screen upper_edge }
load plots."/lib/row_names.gp"
last_x = roofs > 0 ? first_x + 0.62 * (0.965 - first_x) : 0.965
time_of(s) = s < 1e-3 ? gprintf("%.3g µs", 1e6 * s) : s < 1 ? gprintf("%.3g ms", 1e3 * s) : gprintf("%.3g s", s)
name_rows = "row = 0; do for [j = 1:steps] { if (shares[j] > 0 && longer_than(shares[j]) < most_rows) { row = row + 1; \
    row_text = names[j]; row_number = row; eval name_row; \
    set label 300 + row time_of(seconds[j]) at first 100.0 * shares[j], row + 0.5 * (row_low + row_high) left offset 0.5, 0 font font_of(row_size - 1) textcolor rgb faint } }"
eval name_rows
set bmargin at screen bottom_edge
set yrange [rows + 0.7:0.3]
set grid xtics noytics
unset ytics
set border 1
set format x "%g"
set style fill solid 0.85 noborder
set multiplot
set lmargin at screen first_x
set rmargin at screen last_x
set xrange [0:125.0 * longest]
set xtics step_of(125.0 * longest, most(2, least(6, int((last_x - first_x) * canvas_w / 40))))
axis_left = small ? across(9) : first_x
axis_right = last_x
note_wide = small && roofs > 0 ? 1 - last_x : 0
x_text = T("share of the time of all steps, %")
y_text = ""
load plots."/lib/axis_titles.gp"
if (own) { set label 1011 textcolor rgb 0x0072B2 }
if (!own) { set xlabel x_text font font13 }
plot $bars using (50.0 * column("share")):(column("row") + 0.5 * (row_low + row_high)):(50.0 * column("share")):(0.5 * (row_high - row_low) + 0.03) with boxxyerror linecolor rgb 0x0072B2
if (roofs > 0) {
    do for [row = 1:rows] { unset label 10 + row; unset label 300 + row }
    unset label 1001
    unset label 1002
    set lmargin at screen last_x + 0.03
    set rmargin at screen 0.965
    set xrange [0:100]
    set xtics own ? 50 : 25
    if (small) { set label 1011 T("share of the limit, %") at screen last_x + 0.03, screen tall(8) left font fitting_font(T("share of the limit, %"), 0.955 - last_x, 12) textcolor rgb 0xD55E00 } \
    else { set xlabel T("share of the limit, %") font (own ? axis_font(T("share of the limit, %"), (0.985 - last_x) * canvas_w) : font13) textcolor rgb (own ? 0xD55E00 : 0x000000); if (own) { unset label 1011 } }
    plot $bars using (50.0 * column("roof")):(column("row") + 0.5 * (row_low + row_high)):(50.0 * column("roof")):(0.5 * (row_high - row_low) + 0.03) with boxxyerror linecolor rgb 0xD55E00
}
unset multiplot
