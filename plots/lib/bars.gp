# Stacked bars in named rows with a key of colours. In: bars, bar_name[], wide (letters of the longest name), parts,
# part_name(i), part_colour(i), part_share(j, i) (the length of part i of bar j), bar_end (the end of the axis), bar_form
# (of its numbers) and bar_title.
load plots."/lib/colour_key.gp"
rows = bars
smaller_rows = 1
load plots."/lib/row_names.gp"
set lmargin at screen first_x
set rmargin at screen own ? 1 - across(14) : 0.95
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
x_text = bar_title
y_text = ""
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel x_text font axis_font(x_text, (1 - first_x) * canvas_w) }
do for [j = 1:bars] {
    row_text = bar_name[j]
    row_number = j
    eval name_row
    left = 0.0
    do for [i = 1:parts] {
        set object parts * j + i rectangle from first left, j + row_low to first left + part_share(j, i), j + row_high fillcolor rgb part_colour(i) fillstyle solid noborder
        left = left + part_share(j, i)
    }
}
plot NaN
