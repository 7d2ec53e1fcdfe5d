# Stacked bars in named rows with a key of colours: a row of the selection is a part of the bar that its label names, its
# series the part's name, y its length. A line shows the interval of the first part's length, if it has one. least_top is
# the end of the axis; 0: that of the longest bar.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
most_bars = 24
most_parts = 9
array bar_name[most_bars + 1]
array length[most_parts * (most_bars + 1)]
array lower_end[most_bars + 1]
array upper_end[most_bars + 1]
array part_names[most_parts]
array colours[most_parts]
do for [j = 1:|length|] { length[j] = 0.0 }
do for [i = 1:most_parts] { part_names[i] = "" }
do for [j = 1:most_bars + 1] { lower_end[j] = NaN; upper_end[j] = NaN }
bars = 0
last_place = 0
# A bar begins where another is named, or its parts begin again.
begins(text, place) = bars == 0 || bar_name[bars] ne text || place <= last_place
take(text, place, name, colour, y) = (bars = bars + (bars <= most_bars && begins(text, place)), bar_name[bars] = text, \
    part_names[place] = name, colours[place] = colour, last_place = place, length[most_parts * (bars - 1) + place] = y, \
    place == 1 && strlen(stringcolumn("lower")) > 0 ? (lower_end[bars] = column("lower"), upper_end[bars] = column("upper")) : 0, 0)
set table $unused
plot points using (is_drawn(0) ? take(with_commas(stringcolumn("label")), int(column("place")), series_of(0), column("colour"), column("y")) : 0):(0) with table
unset table
bars = least(bars, most_bars)
if (bars == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
if (bars < least_places) {
    load plots."/lib/too_few_values.gp"
}
shown = ""
do for [i = 1:most_parts] { if (strlen(part_names[i]) > 0) { shown = shown.sprintf("%d ", i) } }
parts = words(shown)
part_name(i) = part_names[int(word(shown, i))]
part_colour(i) = colours[int(word(shown, i))]
part_length(j, i) = length[most_parts * (j - 1) + int(word(shown, i))]
wide = 0
longest = 0.0
do for [j = 1:bars] {
    wide = most(wide, strlen(bar_name[j]))
    longest = most(longest, sum [i = 1:parts] part_length(j, i))
}
bar_end = real(least_top) > 0 ? real(least_top) : 1.04 * longest
bar_form = set_text("y_format", 1)
load plots."/lib/colour_key.gp"
rows = bars
smaller_rows = 1
load plots."/lib/row_names.gp"
set lmargin at screen first_x
set rmargin at screen small ? 1 - across(9) : own ? 1 - across(14) : 0.95
set bmargin at screen bottom_edge
set xrange [0:bar_end]
set yrange [bars + 0.7:0.3]
set border 1
unset ytics
set grid xtics noytics
set xtics ("0" 0)
at = steps_of(0, bar_end, most(2, int(least(5, (1 - first_x) * canvas_w / 72))))
do for [n = 2:words(at)] { set xtics add (sprintf("%s", own ? in_unit(bar_form, real(word(at, n)), bar_end) : tick_text(bar_form, real(word(at, n)))) real(word(at, n))) }
axis_left = small ? across(9) : first_x
axis_right = 1 - across(14)
note_wide = 0
x_text = set_text("x_title", 1)
y_text = ""
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel x_text font axis_font(x_text, (1 - first_x) * canvas_w) }
do for [j = 1:bars] {
    row_text = bar_name[j]
    row_number = j
    eval name_row
    left = 0.0
    do for [i = 1:parts] {
        set object parts * j + i rectangle from first left, j + row_low to first left + part_length(j, i), j + row_high fillcolor rgb part_colour(i) fillstyle solid noborder
        left = left + part_length(j, i)
    }
    # An interval that goes on beyond the axis has no cap there.
    if (lower_end[j] == lower_end[j]) {
        interval_from = most(0, lower_end[j])
        interval_to = least(bar_end, upper_end[j])
        if (upper_end[j] > bar_end) {
            set arrow 400 + j from first interval_from, j to first interval_to, j backhead size screen 0.006, 90 front linewidth 1.5 linecolor rgb 0x222222
        } else {
            set arrow 400 + j from first interval_from, j to first interval_to, j heads size screen 0.006, 90 front linewidth 1.5 linecolor rgb 0x222222
        }
    }
}
plot NaN
