# Panels next to each other: marks with both axes logarithmic, without lines between them; the label of a row is the
# name beside its mark. Rows with roles are drawn too: `diagonal`, a line of y times x, and `level`, a line at y, at
# which diagonals end; `edge`, the left edge: marks left of its x are drawn there, above its label; `foot`: marks without
# a y are drawn below all others, beside its label; `left_foot` and `right_foot`, words.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
panels = int(panels)
own_y = int(own_y)
most_lines = 32
lines = 0; peak = 0; edge = 0
array line_name[most_lines]
array line_rate[most_lines]
do for [i = 1:most_lines] { line_rate[i] = NaN }
peak_name = ""; edge_name = ""; foot_name = ""; left_foot = ""; right_foot = ""
add_line(name, y) = lines < most_lines ? (lines = lines + 1, line_name[lines] = name, line_rate[lines] = y, 0) : 0
take(role, name, x, y) = role eq "diagonal" ? add_line(name, y) : role eq "level" ? (peak = y, peak_name = name, 0) : role eq "edge" ? (edge = x, edge_name = name, 0) : \
    role eq "foot" ? (foot_name = name, 0) : role eq "left_foot" ? (left_foot = name, 0) : role eq "right_foot" ? (right_foot = name, 0) : 0
x_of(row) = most(column("x"), edge)
has_y(y) = y == y
y_of(row) = !is_drawn(0) || has_y(column("y")) ? column("y") : foot_y[int(column("panel"))]
label_of(row) = with_commas(stringcolumn("label"))
array low_y[panels]
array high_y[panels]
array foot_y[panels]
array marks_in[panels]
array names_in[panels]
array series_in[panels]
do for [a = 1:panels] { low_y[a] = 1e300; high_y[a] = 0; foot_y[a] = 0; marks_in[a] = 0; names_in[a] = 0; series_in[a] = "" }
array names[400]
array colours[400]
low_x = 1e300; high_x = 0
tag(j) = sprintf(" %d ", j)
grow_y(a, y) = has_y(y) ? (low_y[a] = least(low_y[a], y), high_y[a] = most(high_y[a], y), 0) : (foot_y[a] = 1, 0)
grow(a, x, y) = (low_x = least(low_x, x), high_x = most(high_x, x), grow_y(a, y), marks_in[a] = marks_in[a] + 1, 0)
note(a, j, name, label, x, y, colour, status) = (grow(a, x, y), names[j] = name, colours[j] = colour, names_in[a] = names_in[a] + (strlen(label) > 0), \
    series_in[a] = strstrt(series_in[a], tag(j)) > 0 ? series_in[a] : series_in[a].tag(j), see(status), 0)
set table $unused
plot points using (is_drawn(0) ? note(int(column("panel")), int(column("place")), series_of(0), label_of(0), x_of(0), column("y"), colour_of(0), status_of(0)) \
                                : take(stringcolumn("role"), label_of(0), column("x"), column("y"))):(0) with table
unset table
if (high_x == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
most_marks = 0; all_named = 1
do for [a = 1:panels] {
    most_marks = most(most_marks, marks_in[a])
    if (names_in[a] < marks_in[a]) { all_named = 0 }
    do for [b = 1:(own_y ? 0 : panels)] { low_y[a] = least(low_y[a], low_y[b]); high_y[a] = most(high_y[a], high_y[b]) }
}
# Below the marks with a y; in a panel without any, somewhere.
do for [a = 1:panels] {
    if (foot_y[a] > 0) { if (high_y[a] == 0) { low_y[a] = 2.5; high_y[a] = 1 }; foot_y[a] = low_y[a] / 2.5; low_y[a] = foot_y[a] }
}
# Lines give even one mark a meaning.
if (lines == 0 && most_marks < least_places) {
    load plots."/lib/too_few_values.gp"
}
# Space for names on the right of all marks, or for that of one above them.
from = (all_named ? 0.6 : 0.5) * low_x
to = (all_named ? 8 : 3) * high_x
bottom_of(a) = lines > 0 ? 0.4 * low_y[a] : low_y[a] / 1.3
top_of(a) = lines > 0 ? 2.5 * most(peak, high_y[a]) : 1.3 * high_y[a]
set logscale xy 10
set format x "%g"
set xrange [from:to]
set samples 80
line_at(i, x) = peak > 0 && line_rate[i] * x > peak ? NaN : line_rate[i] * x
load plots."/lib/mark_note.gp"
key_strip = 0
columns = panels
shown_panels = ""
do for [a = 1:panels] { shown_panels = shown_panels.tag(a) }
two_lines = small
if (own && !all_named) {
    # The series by their colours.
    keyed = 1
    columns = most(2, panels)
    if (panels == 1) { shown_panels = "1 1" }
    load plots."/lib/shared_key.gp"
}
# Powers of ten only, if the numbers differ too much for more.
add_decade(d) = (decades = decades.sprintf("%.9e ", 10.0 ** d), 0)
decades_of(from, to) = (decades = "", unused = sum [d = floor(log10(from)):ceil(log10(to))] add_decade(d), decades)
set multiplot
first_left = own ? left_room + (own_y ? across(4) : 0) : own_y ? 0.105 : 0.095
panel_step = ((own ? 0.985 : own_y ? 1.005 : 0.995) - first_left) / panels
panel_gap = own_y ? (own ? left_room : 0.09 - 0.005 * panels) : own ? across(9) : 0.03
panel_top = !own ? (own_y ? 0.79 : panel_edge) : all_named ? panel_edge : above(head + (small ? 31 : 24) + key_strip)
panel_high = (panel_top - bottom_edge) * canvas_h
y_title_at = above(head + 9)
do for [a = 1:panels] {
    axis_left = first_left + panel_step * (a - 1)
    axis_right = axis_left + panel_step - (own && own_y && a == panels ? across(5) : panel_gap)
    panel_wide = axis_right - axis_left
    set lmargin at screen axis_left
    set rmargin at screen axis_right
    set bmargin at screen bottom_edge
    set tmargin at screen panel_top
    title = set_text("title", a)
    y_text = own_y ? "" : a == 1 ? set_text("y_title", a) : ""
    # A small panel with a y axis of its own has the title of the axis behind its own.
    if (small && own_y) { title = title.": ".set_text("y_title", a); set label 1 title at screen axis_left - left_room, screen panel_name_y left font fitting_font(title, panel_wide + left_room, 12) } \
    else { set label 1 title at graph 0, screen own ? (all_named ? panel_name_y : above(head + (small ? 22 : 12) + key_strip)) : own_y ? 0.815 : panel_name_y left font font13 }
    x_text = small && a > 1 ? "" : set_text("x_title", a)
    title_left = across(4)
    right_of_panel = axis_right
    if (small && !own_y) { axis_right = 0.985 }
    load plots."/lib/axis_titles.gp"
    axis_right = right_of_panel
    if (!own) { set xlabel x_text font axis_font(x_text, 0.8 / panels * canvas_w) }
    if (!small && strlen(y_text) > 0) { set ylabel y_text font font13 offset (own ? 2 : 1),0 }
    bottom = bottom_of(a)
    top = top_of(a)
    set yrange [bottom:top]
    # Numbers that fit; the last one of a panel is not where the first of the next is.
    if (own || own_y) { set xtics (0 0) }
    at = !own && !own_y ? "" : own ? fitting_ticks(from, to, panel_wide * canvas_w, 38) : ticks_of(from, to)
    if (words(at) == 0 && (own || own_y)) { at = decades_of(from, to) }
    free_x = 0.0
    do for [n = 1:words(at)] {
        tick_x = real(word(at, n))
        at_x = log(tick_x / from) / log(to / from) * panel_wide
        tick = tick_text("%g", tick_x)
        if (tick_x >= from && tick_x <= to && tick_x > 1.7 * edge && at_x >= free_x && (a == panels || at_x < 0.9 * panel_wide)) { set xtics add (sprintf("%s", tick) tick_x); free_x = at_x + letters_wide(strlen(tick), 13) + (own ? 0.0 : 0.02) }
    }
    if (edge > 0 && low_x <= edge) { set xtics add (edge_name edge) }
    set format y own_y || a == 1 ? set_text("y_format", a) : ""
    if (own_y) { set ytics (0 0) }
    at = !own_y ? "" : own ? fitting_ticks(bottom, top, panel_high, 18) : ticks_of(bottom, top)
    if (words(at) == 0 && own_y) { at = decades_of(bottom, top) }
    do for [n = 1:words(at)] { if (real(word(at, n)) > 1.4 * foot_y[a]) { set ytics add (sprintf("%s", tick_text(set_text("y_format", a), real(word(at, n)))) real(word(at, n))) } }
    if (foot_y[a] > 0) { set ytics add (foot_name foot_y[a]) }
    # Names and levels next to their marks and lines, without overlap.
    here = names_in[a]
    spread_gap = 1.3 * 11 / (own ? panel_high : 480 * (lines > 0 ? 0.66 : 0.62))
    spread_n = lines
    array spread_y[most(1, lines)]
    do for [i = 1:lines] { spread_y[i] = log(line_rate[i] * from / bottom) / log(top / bottom) }
    load plots."/lib/spread_labels.gp"
    do for [i = 1:lines] { set label 100 + i line_name[i] at graph 0.02, graph spread_y[i] + 0.03 left font font11 textcolor rgb faint front }
    if (peak > 0) { set label 300 peak_name at graph 0.98, first peak right offset 0, 0.5 font font11 textcolor rgb faint front }
    if (!own || panel_wide * canvas_w > 220) {
        set label 301 left_foot at graph 0.03, graph 0.03 left font font11 textcolor rgb faint front
        set label 302 right_foot at graph 0.97, graph 0.03 right font font11 textcolor rgb faint front
    }
    array name_of[most(1, here)]; array name_x[most(1, here)]; array name_y[most(1, here)]; array name_colour[most(1, here)]
    k = 0
    keep(text, x, y, c) = (k = k + 1, name_of[k] = text, name_x[k] = x, name_y[k] = y, name_colour[k] = c, 0)
    mine(row) = is_drawn(0) && column("panel") == a
    set table $unused
    plot points using (mine(0) && text_in("label") ? keep(label_of(0), x_of(0), y_of(0), colour_of(0)) : 0):(0) with table
    unset table
    spread_n = here
    array spread_y[most(1, here)]
    do for [i = 1:here] { spread_y[i] = log(name_y[i] / bottom) / log(top / bottom) }
    load plots."/lib/spread_labels.gp"
    do for [i = 1:here] {
        # Of a single name the side with room; below its mark if the level's line would cross it. In a small chart the key has it.
        lift = all_named ? 0 : name_y[i] < peak && 2 * name_y[i] > peak ? -0.7 : 0.6
        name_size = all_named ? 11 : 12
        if (!all_named && log(name_x[i] / from) > 0.55 * log(to / from)) { set label 400 + i name_of[i] at first name_x[i], graph spread_y[i] right offset -0.8, lift font font_of(name_size) textcolor rgb name_colour[i] front } \
        else { set label 400 + i name_of[i] at first name_x[i], graph spread_y[i] left offset (all_named ? 0.9 : 0.8), lift font font_of(name_size) textcolor rgb name_colour[i] front }
        if (small && !all_named) { unset label 400 + i }
    }
    dot = all_named ? 0.8 : 0.6
    plot for [i = 1:lines] line_at(i, x) with lines linewidth 1.2 linecolor rgb faint, \
         (peak > 0 ? peak : NaN) with lines linewidth 1.2 linecolor rgb faint, \
         points using (mine(0) && is_precise(0) ? x_of(0) : NaN):(y_of(0)):(colour_of(0)) with points pointtype 7 pointsize dot linecolor rgb variable, \
         points using (mine(0) && !is_precise(0) && !is_status("INVALID") ? x_of(0) : NaN):(y_of(0)):(colour_of(0)) with points pointtype 6 pointsize dot linewidth 1.4 linecolor rgb variable, \
         points using (mine(0) && is_status("SUSPECT") ? x_of(0) : NaN):(y_of(0)) with points pointtype 6 pointsize 1.3 linewidth 0.9 linecolor rgb 0x888888, \
         points using (mine(0) && is_status("INVALID") ? x_of(0) : NaN):(y_of(0)) with points pointtype 2 pointsize 1.1 linewidth 2.2 linecolor rgb 0xCC0000
    do for [i = 1:here] { unset label 400 + i }
    if (a == 1) { unset label 1001; unset label 1002; do for [n = 1003:1016] { unset label n }; if (key_strip > 0) { do for [n = 1:shared_count] { unset label 200 + n; unset label 500 + n } } }
}
unset multiplot
