# Named rows, with a mark for each value and its interval, without lines between them. The label of a row of the selection
# is the meaning of its mark: a worker count, an instruction set.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
place(i) = int(column("place"))
x_log = int(set_number("x_log", 1))
x_format = set_text("y_format", 1)
xlabel_text = set_text("x_title", 1)
if (set_text("rule", 1) ne "nan") { rule_at = set_number("rule", 1) }
if (real(band) > 0) { band_low = -real(band); band_high = real(band) }
# A chart of the usual height has 24 rows, a higher one 60; on a sheet of the user's size 24 as well.
usual_rows = 24
most_rows = own ? usual_rows : 60
array names[400]
array row_at[400]
do for [j = 1:400] { names[j] = ""; row_at[j] = 0 }
places = 0
rows = 0
all_rows = 0
note_name(j, name) = (places = places + 1, names[j] = name, 0)
set table $unused
plot points using (is_drawn(0) ? note_name(place(0), series_of(0)) : 0):(0) with table
unset table
do for [j = 1:400] { if (strlen(names[j]) > 0) { all_rows = all_rows + 1; if (rows < most_rows) { rows = rows + 1; row_at[j] = rows } } }
if (rows == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
if (places < least_places) {
    load plots."/lib/too_few_values.gp"
}
rows_left = all_rows - rows
if (!own && rows > usual_rows) {
    sheet_h = canvas_h + 16 * (rows - usual_rows)
    load plots."/lib/taller.gp"
}
# What the drawn rows contain.
kinds = ""
low_x = 1e300
high_x = -1e300
wide = 0
is_in_row(row) = is_drawn(0) && row_at[place(0)] > 0
add_kind(text) = strstrt(kinds, '"'.text.'"') > 0 ? 0 : (kinds = kinds.'"'.text.'" ', 0)
note(name, kind, x, status) = (add_kind(kind), see(status), wide = most(wide, strlen(name)), low_x = least(low_x, x), high_x = most(high_x, x), 0)
set table $unused
plot points using (is_in_row(0) ? note(series_of(0), stringcolumn("label"), column("y"), status_of(0)) : 0):(0) with table
unset table
load plots."/lib/mark_note.gp"
count = words(kinds)
which(text) = sum [w = 1:count] (word(kinds, w) eq text ? w : 0)
# The key of the shapes: only if there are two shapes or more, from the right edge; coloured if all marks of a shape
# have the same colour.
if (count > 1) {
    array kind_colours[count]
    do for [w = 1:count] { kind_colours[w] = -1 }
    paint(w, colour) = (kind_colours[w] = kind_colours[w] == -1 || kind_colours[w] == colour ? colour : 0x444444, 0)
    set table $unused
    plot points using (is_in_row(0) ? paint(which(stringcolumn("label")), colour_of(0)) : 0):(0) with table
    unset table
    key_room(w) = letters_wide(strlen(word(kinds, w)), small ? 11 : 12) + (own ? across(22) : 0.045)
    key_x = 0.985
    do for [w = count:1:-1] {
        if (key_x - key_room(w) < 0.01) { key_x = 0.985; key_y = key_y - tall(!own ? 21.6 : small ? 14 : 16) }
        key_x = key_x - key_room(w)
        set label 500 + w word(kinds, w) at screen key_x + (own ? across(6) : 0), screen key_y left \
            font small ? font11 : font12 point pointtype mark(w) pointsize 0.8 linecolor rgb kind_colours[w] offset 0.9, 0
    }
    set tmargin at screen key_y - tall(small ? 9 : 14)
    upper_edge = key_y - tall(small ? 9 : 14)
} else { if (small) { upper_edge = above(head + 7); set tmargin at screen upper_edge } }
load plots."/lib/row_names.gp"
left_edge = first_x
set lmargin at screen left_edge
set rmargin at screen 0.965
set bmargin at screen bottom_edge
set yrange [rows + 0.7:0.3]
set grid xtics noytics
unset ytics
set border 1
if (x_log) { set logscale x 10; from = low_x / 1.4; to = high_x * 1.4 } \
else { from = least(0, 1.1 * low_x); to = most(0, 1.1 * high_x) }
if (exists("rule_at")) { if (rule_at < from) { from = x_log ? rule_at / 1.2 : rule_at }
    if (rule_at > to) { to = x_log ? rule_at * 1.2 : rule_at } }
if (exists("band_high")) { if (band_high > to) { to = 1.3 * band_high }; if (band_low < from) { from = 1.3 * band_low } }
set xrange [from:to]
set format x x_format
axis_left = small ? across(9) : left_edge
axis_right = 0.965
x_text = xlabel_text
y_text = ""
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel xlabel_text font axis_font(xlabel_text, (1.0 - left_edge) * canvas_w) }
if (exists("band_high")) {
    set object 1 rectangle from first band_low, graph 0 to first band_high, graph 1 fillcolor rgb 0x777777 fillstyle transparent solid 0.15 noborder behind
}
if (exists("rule_at")) { set arrow 1 from first rule_at, graph 0 to first rule_at, graph 1 nohead dashtype 3 linewidth 1.2 linecolor rgb faint }
do for [j = 1:400] { if (row_at[j] > 0) {
    row_text = names[j]
    row_number = row_at[j]
    eval name_row
} }
kind(row) = which(stringcolumn("label"))
lift(w) = 0.5 * (row_low + row_high) + (count > 1 ? (w - 0.5 * (count + 1)) * least(0.22, (row_high - row_low) / count) : 0)
if (!x_log && to > from) {
    if (own) {
        # In the unit of the largest number.
        axis_units = (0.965 - left_edge) * canvas_w
        at = steps_of(from, to, most(2, int(axis_units / (small ? 55 : 75))))
        set xtics (0 0)
        do for [n = 1:words(at)] { set xtics add (sprintf("%s", in_unit(x_format, abs(real(word(at, n))) < 1e-9 * to ? 0 : real(word(at, n)), to)) real(word(at, n))) }
    } else { set xtics step_of(to - from, 4) }
}
if (x_log) {
    at = own ? fitting_ticks(from, to, (0.965 - left_edge) * canvas_w, 50) : ticks_of(from, to)
    if (words(at) > 0) { set xtics (0 0) }
    # Leaves out numbers that would overlap the one before.
    free_x = 0.0
    do for [n = 1:words(at)] {
        tick = tick_text(x_format, real(word(at, n)))
        half = 0.5 * letters_wide(strlen(tick), 13)
        at_x = left_edge + (0.965 - left_edge) * log(real(word(at, n)) / from) / log(to / from)
        if (at_x - half >= free_x) { set xtics add (sprintf("%s", tick) real(word(at, n))); free_x = at_x + half + 0.012 }
    }
}
# Where an interval that is cut off has its arrow: inside the axes, beside their ends.
cut_at(share) = x_log ? from * (to / from) ** share : from + share * (to - from)
# Place and shape are evaluated only for rows that are drawn.
row_y(row) = is_in_row(0) ? row_at[place(0)] + lift(kind(0)) : NaN
shape(row) = is_in_row(0) ? mark(kind(0)) : 0
plot points using (is_in_row(0) ? column("y") : NaN):(row_y(0)):(most(from, column("lower"))):(least(to, column("upper"))):(colour_of(0)) \
         with xerrorbars pointtype -1 linewidth 1.2 linecolor rgb variable, \
     points using (is_in_row(0) && is_precise(0) ? column("y") : NaN):(row_y(0)):(shape(0)):(colour_of(0)) \
         with points pointtype variable pointsize 0.85 linecolor rgb variable, \
     points using (is_in_row(0) && !is_precise(0) && !is_status("INVALID") ? column("y") : NaN):(row_y(0)):(shape(0) - 1):(colour_of(0)) \
         with points pointtype variable pointsize 0.85 linewidth 1.6 linecolor rgb variable, \
     points using (is_in_row(0) && is_status("SUSPECT") ? column("y") : NaN):(row_y(0)) \
         with points pointtype 6 pointsize 1.5 linewidth 0.9 linecolor rgb 0x888888, \
     points using (is_in_row(0) && is_status("INVALID") ? column("y") : NaN):(row_y(0)) \
         with points pointtype 2 pointsize 1.2 linewidth 2.2 linecolor rgb 0xCC0000, \
     points using (is_in_row(0) && column("upper") > to ? cut_at(0.99) : NaN):(row_y(0)):(colour_of(0)) \
         with points pointtype "→" linecolor rgb variable, \
     points using (is_in_row(0) && column("lower") < from ? cut_at(0.01) : NaN):(row_y(0)):(colour_of(0)) \
         with points pointtype "←" linecolor rgb variable
