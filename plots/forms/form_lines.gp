# Panels next to each other: measured points with intervals over x, joined if there are as many values of x as joins says
# (otherwise, if there are several series, dots show which two belong together), each series named at its end in its
# colour. Rows with the role `vertical` are drawn too: lines at x, with a name.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
panels = int(panels)
own_y = int(own_y)
if (int(x_in_bytes)) { bytes_on_x = 1 }
place(row) = int(column("place"))
dash(row) = int(column("dash"))
panel_title(i) = set_text("title", i)
x_log(i) = int(set_number("x_log", i))
xlabel_of(i) = set_text("x_title", i)
y_log(i) = int(set_number("y_log", i))
y_format(i) = set_text("y_format", i)
ylabel_of(i) = set_text("y_title", i)
do for [i = 1:panels] { if (set_number("guide", i) != 0) { guide_on = 1 } }
guide(i, x) = set_number("guide", i) == 0 ? NaN : set_number("guide", i) < 0 ? high_y[i] * (x / low_x[i]) ** set_number("guide", i) : low_y[i] * (x / low_x[i]) ** set_number("guide", i)
if (real(least_top) > 0) { y_top = real(least_top) }
# Horizontal lines, with words above the first.
do for [i = 1:panels] { if (set_text("rule", i) ne "nan") { rule_on = 1 } }
rule(i) = set_text("rule", i) eq "nan" ? NaN : set_number("rule", i)
if (exists("rule_on") && strlen(set_text("rule_text", 1)) > 0) {
    y_top = most(exists("y_top") ? y_top : 0, 1.3 * rule(1))
    rule_named = 1
    set label 2 set_text("rule_text", 1) at graph 0.02, first rule(1) offset 0, 0.6 left font font12 textcolor rgb faint
}
verticals = 0
array vertical_name[8]; array vertical_x[8]
take_vertical(name, x) = verticals < 8 ? (verticals = verticals + 1, vertical_name[verticals] = with_commas(name), vertical_x[verticals] = x, 0) : 0
has_y(i) = is_drawn(0) && column("panel") == i && text_in("y") && text_in("x")
array names[400]
array colours[400]
array dashes[400]
array last_x[400]
array last_y[400]
array low_y[panels]
array high_y[panels]
array low_x[panels]
array high_x[panels]
array wide[panels]
array many_x[panels]
array series_in[panels]
do for [i = 1:panels] { low_y[i] = 1e300; high_y[i] = -1e300; low_x[i] = 1e300; high_x[i] = -1e300; wide[i] = 0; many_x[i] = ""; series_in[i] = "" }
tag(j) = sprintf(" %d ", j)
# One name has one colour, in all panels.
hue_of(i) = has_y(i) ? colours[place(0)] : 0
# An interval that is hidden by its mark is not drawn.
is_tall(i, low, high) = (y_log(i) ? log(high / low) / log(top / bottom) : (high - low) / (top - bottom)) > 0.02
# Where y is between the ends of its axis, 0 to 1.
height_of(i, y) = y_log(i) ? log(y / bottom) / log(top / bottom) : (y - bottom) / (top - bottom)
note_x(i, x) = strstrt(many_x[i], sprintf(" %.6g ", x)) > 0 ? 0 : (many_x[i] = many_x[i].sprintf(" %.6g ", x), 0)
note_series(i, j) = strstrt(series_in[i], tag(j)) > 0 ? 0 : (series_in[i] = series_in[i].tag(j), 0)
note(i, j, series, x, y, colour, dash, status) = (names[j] = series, colours[j] = colour, dashes[j] = dash, \
    low_y[i] = least(low_y[i], y), high_y[i] = most(high_y[i], y), low_x[i] = least(low_x[i], x), high_x[i] = most(high_x[i], x), \
    note_x(i, x), note_series(i, j), see(status), wide[i] = most(wide[i], strlen(series)), 0)
shown_panels = ""
set table $unused
plot points using (stringcolumn("role") eq "vertical" ? take_vertical(stringcolumn("label"), column("x")) : has_y(column("panel")) && column("panel") <= panels ? \
    note(int(column("panel")), place(0), series_of(0), column("x"), column("y"), colour_of(0), dash(0), status_of(0)) : 0):(0) with table
unset table
# All panels, or none: the title may name a point of any.
most_places = 0
do for [i = 1:panels] { most_places = most(most_places, words(many_x[i])); if (words(many_x[i]) > 0) { shown_panels = shown_panels.sprintf("%d ", i) } }
columns = words(shown_panels)
if (columns > 0 && most_places < least_places) {
    load plots."/lib/too_few_values.gp"
}
if (columns == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
if (!own_y) {
    do for [a = 1:columns] { do for [b = 1:columns] {
        i = int(word(shown_panels, a)); j = int(word(shown_panels, b))
        low_y[i] = least(low_y[i], low_y[j]); high_y[i] = most(high_y[i], high_y[j])
    } }
}

# Where the names at the ends of the series need more space than there is, the sheet is taller, up to 60 names.
named = 0
do for [a = 1:columns] { named = most(named, words(series_in[int(word(shown_panels, a))])) }
label_font = columns > 2 ? 11 : 12
names_gap = 1.35 * label_font
axes_tall = canvas_h * 0.68
if (!own && names_gap * named > axes_tall) {
    sheet_h = canvas_h + names_gap * least(named, 60) - axes_tall
    load plots."/lib/taller.gp"
    panel_edge = from_top(panel_edge)
    panel_name_y = from_top(panel_name_y)
    axes_tall = (panel_edge - bottom_edge) * canvas_h
}

# The ends of each y axis, with some space above and below; intervals that extend beyond them end in an arrow.
array bottoms[panels]
array tops[panels]
array y_ticks[panels]
array y_room[panels]
tick_letters = 0
longest_tick(i, list) = (tick_letters = 0, words(list) == 0 ? 0 : (sum [n = 1:words(list)] (tick_letters = most(tick_letters, strlen(y_tick(i, y_format(i), real(word(list, n))))), 0)), tick_letters)
# A linear axis of times has one unit.
one_unit(i) = !y_log(i) && (own || strstrt(y_format(i), "%c") > 0)
y_tick(i, form, x) = one_unit(i) ? in_unit(form, x, tops[i]) : tick_text(form, x)
first_panel = int(word(shown_panels, 1))
two_lines = columns > 1 && !own_y && strlen(panel_title(first_panel)) > 0 && \
    letters_wide(strlen(panel_title(first_panel)) + 2 + strlen(ylabel_of(first_panel)), 10) > 1.0 / columns
# A small chart has one line for the titles of panels and y axes. If those of the first panel do not fit into it, that of
# the common y axis is there, and those of the panels are inside the axes.
key_strip = 0
top_of(i) = small ? above(head + 16 + key_strip) : strlen(panel_title(i)) > 0 ? panel_edge : upper_edge
span_of(i) = (top_of(i) - bottom_edge) * canvas_h
name_y(i) = small ? top_of(i) + tall(9) : panel_name_y
y_title_at = above(head + 9)
load plots."/lib/shared_key.gp"
do for [a = 1:columns] {
    i = int(word(shown_panels, a))
    bottoms[i] = y_log(i) ? low_y[i] / 1.5 : least(0, 1.1 * low_y[i])
    tops[i] = y_log(i) ? high_y[i] * 1.5 : 1.12 * high_y[i]
    if (exists("y_top")) { tops[i] = most(tops[i], y_top) }
    y_ticks[i] = !own && !one_unit(i) ? (y_log(i) ? ticks_of(bottoms[i], tops[i]) : "") : \
        y_log(i) ? fitting_ticks(bottoms[i], tops[i], span_of(i), 18) : steps_of(bottoms[i], tops[i], most(2, int(span_of(i) / 42)))
    # Space for the numbers on the left of each panel.
    y_room[i] = own_y || a == 1 ? (small ? letters_wide(longest_tick(i, y_ticks[i]), 13) + across(11) : left_room) : small ? across(9) : 0.02
}
# Space on the right of each panel for the longest name; a small chart has its names inside.
label_face = font_of(label_font)
letter = small ? 0.0 : letters_wide(1, label_font)
right_room = 0.025
if (small) { do for [a = 1:columns] { right_room = most(a == 1 ? across(7) : right_room, letters_wide(0.4 * (exists("bytes_on_x") ? 3 : strlen(sprintf("%.6g", high_x[int(word(shown_panels, a))]))), 13)) } }
total_wide = 0
do for [a = 1:columns] { total_wide = total_wide + wide[int(word(shown_panels, a))] * letter + right_room + y_room[int(word(shown_panels, a))] }
body = (0.99 - total_wide) / columns
load plots."/lib/mark_note.gp"
same_x = 1
do for [a = 2:columns] { if (xlabel_of(int(word(shown_panels, a))) ne xlabel_of(int(word(shown_panels, 1)))) { same_x = 0 } }
set multiplot
left = 0.0
do for [a = 1:columns] {
    i = int(word(shown_panels, a))
    left = left + y_room[i]
    set lmargin at screen left
    set rmargin at screen left + body
    set bmargin at screen bottom_edge
    set tmargin at screen top_of(i)
    panel_text = panel_title(i)
    name_room = body + (two_lines ? 0 : y_room[i])
    if (small) { panel_text = brief_text(panel_text, two_lines || (!own_y && a > 1) ? name_room : name_room - letters_wide(strlen(ylabel_of(i)) + 2, 9)) }
    if (small && !two_lines && (own_y || a == 1)) { panel_text = panel_text eq ylabel_of(i) ? panel_text : panel_text.(strlen(panel_text) > 0 ? ": " : "").ylabel_of(i) }
    if (strlen(panel_text) > 0) {
        # A small panel's title also has the space above the numbers.
        if (small && two_lines) { set label 1 panel_text at screen left + across(4), screen top_of(i) - tall(7) left font fitting_font(panel_text, name_room - across(4), 12) front } \
        else { if (small) { set label 1 panel_text at screen left - (y_room[i] - across(4)), screen name_y(i) left font fitting_font(panel_text, name_room, 12) } \
        else { set label 1 panel_text at graph 0, screen panel_name_y left font font13 } }
    }
    if (x_log(i)) { set logscale x (x_log(i) > 1 ? 10 : 2); set format x (x_log(i) > 1 ? "%g" : "%.0f") } else { unset logscale x; set format x "%g" }
    if (y_log(i)) { set logscale y 10 } else { unset logscale y }
    bottom = bottoms[i]
    top = tops[i]
    set yrange [bottom:top]
    set ytics auto
    if (words(y_ticks[i]) > 0) { set ytics (0 0) }
    do for [n = 1:words(y_ticks[i])] { set ytics add (sprintf("%s", y_tick(i, own_y || a == 1 ? y_format(i) : "", real(word(y_ticks[i], n)))) real(word(y_ticks[i], n))) }
    x_min = x_log(i) ? low_x[i] / 1.15 : low_x[i] - 0.04 * (high_x[i] - low_x[i]) - (low_x[i] == high_x[i] ? 1 : 0)
    x_max = x_log(i) ? high_x[i] * 1.15 : high_x[i] + 0.04 * (high_x[i] - low_x[i]) + (low_x[i] == high_x[i] ? 1 : 0)
    set xrange [x_min:x_max]
    # Long names of vertical lines are one above the other, at the top where curves are at the bottom.
    do for [c = 1:verticals] { if (vertical_x[c] > x_min && vertical_x[c] < x_max) {
        least_near = 1.0
        set table $unused
        plot points using (has_y(i) && column("x") >= vertical_x[c] ? (least_near = least(least_near, height_of(i, column("y"))), 0) : 0):(0) with table
        unset table
        name_step = strlen(vertical_name[c]) > 8 ? 0.06 * (c - 1) : 0
        set arrow 300 + c from first vertical_x[c], graph 0 to first vertical_x[c], graph 1 nohead dashtype 3 linewidth 0.9 linecolor rgb faint back
        set label 300 + c vertical_name[c] at first vertical_x[c], graph (least_near < 0.08 + 0.06 * verticals ? 0.97 - name_step : 0.03 + name_step) left offset 0.3, 0 font font11 textcolor rgb faint front
    } }
    axis_left = left
    axis_right = left + body
    title_left = across(4)
    x_text = small && same_x && a > 1 ? "" : xlabel_of(i)
    y_text = small && !two_lines ? "" : own_y || a == 1 ? ylabel_of(i) : ""
    if (small && !own_y && columns > 1) { axis_right = 0.985 }
    load plots."/lib/axis_titles.gp"
    if (!own && !own_y) { set xlabel x_text font axis_font(x_text, 0.95 * canvas_w) }
    if (small && !same_x) { x_text_room = body + across(2) - (a == columns ? note_wide : 0); x_text = brief_text(x_text, x_text_room); set label 1011 x_text at screen left, screen tall(8) left font fitting_font(x_text, x_text_room, 12) front }
    set format y (own_y || a == 1 ? y_format(i) : "")
    # Only as many numbers as there is space for.
    number_room = own ? letters_wide(strlen(sprintf("%.6g", high_x[i])), 12) + across(9) : 0.075
    if (x_log(i) > 1) {
        set xtics auto; set xtics (0 0)
        at = fitting_ticks(x_min, x_max, body * canvas_w, 58)
        do for [n = 1:words(at)] { set xtics add (sprintf("%g", real(word(at, n))) real(word(at, n))) }
    }
    if (x_log(i) == 1) {
        steps = log(high_x[i] / low_x[i]) / log(2.0)
        room = most(1, int(body / number_room))
        every = steps > room ? int(steps / room + 0.999) : 1
        # One by one: gnuplot 6 adds an increment on a logarithmic axis, gnuplot 5 multiplies by it.
        set xtics auto; set xtics (0 0)
        do for [n = 0:int(log(x_max / low_x[i]) / log(2.0) / every)] { set xtics add (sprintf("%.0f", low_x[i] * 2.0 ** (every * n)) low_x[i] * 2.0 ** (every * n)) }
        if (words(many_x[i]) <= room || steps < 1.5) { set xtics auto; set xtics (0 0)
            # The two ends first, then those numbers that overlap no other.
            taken = ""
            do for [w = 0:words(many_x[i])] {
                one = w == 0 ? sprintf("%.6g", high_x[i]) : word(many_x[i], w)
                clear = 1
                do for [v = 1:words(taken)] {
                    apart = abs(log(real(one) / real(word(taken, v)))) / log(x_max / x_min) * body
                    if (apart < letters_wide(0.5 * (strlen(one) + strlen(word(taken, v))), 13) + 0.012) { clear = 0 }
                }
                if (clear) { taken = taken." ".one; set xtics add (sprintf("%s", with_mark(one)) real(one)) }
            } }
    }
    if (!x_log(i)) {
        # Whole numbers between whole ones.
        whole_x = 1
        do for [w = 1:words(many_x[i])] { if (real(word(many_x[i], w)) != floor(real(word(many_x[i], w)))) { whole_x = 0 } }
        x_step = step_of(x_max - x_min, most(own ? 3 : 2, int(body / number_room)))
        if (whole_x && x_step < 1) { x_step = 1 }
        set xtics x_step
    }
    if (exists("bytes_on_x")) {
        set logscale x 2
        x_min = low_x[i] / 1.3
        x_max = high_x[i] * 1.3
        set xrange [x_min:x_max]
        set format x ""
        every = 2 + int(log(high_x[i] / low_x[i]) / log(2.0) / (body / (own ? across(72) : 0.11)))
        set xtics auto; set xtics (0 0)
        do for [n = 0:int(most(0, log(x_max / 1024) / log(2.0)) / every)] { set xtics add (sprintf("%s", bytes_text(1024 * 2.0 ** (every * n))) 1024 * 2.0 ** (every * n)) }
    }
    # The end of each series in the panel.
    in_here = series_in[i]
    count = words(in_here)
    array spread_y[count]
    set table $unused
    do for [w = 1:count] { last_x[int(word(in_here, w))] = -1e300 }
    plot points using (has_y(i) && column("x") > last_x[place(0)] ? (last_x[place(0)] = column("x"), last_y[place(0)] = column("y"), 0) : 0):(0) with table
    unset table
    do for [w = 1:count] { spread_y[w] = height_of(i, last_y[int(word(in_here, w))]) }
    spread_n = count
    spread_gap = names_gap / (own ? span_of(i) : axes_tall)
    load plots."/lib/spread_labels.gp"
    # Where two curves have one colour, a small chart names them at their ends, and its axis goes on for the names.
    twins = 0
    do for [w = 2:count] { do for [v = 1:w - 1] { if (colours[int(word(in_here, w))] == colours[int(word(in_here, v))]) { twins = 1 } } }
    ends_size = least(10, 0.95 * span_of(i) / (1.15 * most(1, count)))
    ends_room = letters_wide(wide[i], ends_size) + across(8)
    at_ends = small && twins && key_strip == 0 && ends_room < 0.5 * body
    if (at_ends) {
        if (two_lines) { set yrange [bottom:(y_log(i) ? bottom * (top / bottom) ** (1 / (1 - 13.0 / span_of(i))) : bottom + (top - bottom) / (1 - 13.0 / span_of(i)))] }
        end_x = 1 - ends_room / body
        set xrange [x_min:(x_log(i) || exists("bytes_on_x") ? x_min * (x_max / x_min) ** (1 / end_x) : x_min + (x_max - x_min) / end_x)]
        do for [w = 1:count] {
            j = int(word(in_here, w))
            set label 10 + w names[j] at graph end_x + across(5) / body, graph spread_y[w] left font font_of(ends_size) textcolor rgb colours[j] front
        }
    }
    if (small && !at_ends) {
        # The highest curve is named first. The axis goes on above the curves, for the names.
        key_count = count
        array key_text[count]
        array key_hue[count]
        do for [w = 1:count] { j = int(word(in_here, spread_order[count + 1 - w])); key_text[w] = names[j]; key_hue[w] = colours[j] }
        key_body = body
        array key_dashes[count]
        do for [w = 1:count] { key_dashes[w] = dashes[int(word(in_here, spread_order[count + 1 - w]))] }
        key_dash(n) = key_dashes[n] > 1 ? key_dashes[n] : 0
        key_span = span_of(i)
        key_above = two_lines ? 13.0 : 0.0
        if (key_strip == 0) { do for [key_placed = 0:1] { load plots."/lib/key_inside.gp" } } else { key_lines = 0; key_step = 13.0 }
        free = most(0.3, 1 - (key_above + key_step * key_lines + (exists("rule_named") ? 14 : 2)) / key_span)
        end_top = y_log(i) ? bottom * (top / bottom) ** (1 / free) : bottom + (top - bottom) / free
        set yrange [bottom:end_top]
        # The numbers are closer to each other than without the names.
        if (y_log(i) && words(y_ticks[i]) > 0) {
            y_ticks[i] = fitting_ticks(bottom, top, free * key_span, 18)
            set ytics (0 0)
            do for [n = 1:words(y_ticks[i])] { set ytics add (sprintf("%s", y_tick(i, own_y || a == 1 ? y_format(i) : "", real(word(y_ticks[i], n)))) real(word(y_ticks[i], n))) }
        }
    }
    if (own && !small) { label_face = font_of(least(label_font, 0.9 * span_of(i) / most(1, count))) }
    if (!small) { do for [w = 1:count] {
        j = int(word(in_here, w))
        set label 10 + w names[j] at graph 1.02, graph spread_y[w] left font label_face textcolor rgb colours[j] front
    } }
    mark_size = words(many_x[i]) > 30 ? 0.25 : 0.65
    joined = words(many_x[i]) >= int(joins)
    dotted = !joined && count > 1
    ruled = exists("rule_on") ? rule(i) : NaN
    guided = exists("guide_on")
    plot ruled with lines linewidth 1.2 dashtype 3 linecolor rgb faint, \
         (guided ? guide(i, x) : NaN) with lines linewidth 1.2 dashtype 4 linecolor rgb faint, \
         for [w = 1:(joined ? count : 0)] points using (has_y(i) && place(0) == int(word(in_here, w)) ? column("x") : NaN):(column("y")) smooth unique \
             with lines linewidth 1.7 dashtype dashes[int(word(in_here, w))] linecolor rgb colours[int(word(in_here, w))], \
         for [w = 1:(dotted ? count : 0)] points using (has_y(i) && place(0) == int(word(in_here, w)) ? column("x") : NaN):(column("y")) smooth unique \
             with lines linewidth 0.9 dashtype 3 linecolor rgb colours[int(word(in_here, w))], \
         points using (has_y(i) && is_tall(i, column("lower"), column("upper")) ? column("x") : NaN):(column("y")):(most(bottom, column("lower"))):(least(top, column("upper"))):(hue_of(i)) \
             with yerrorbars pointtype -1 linewidth 1.1 linecolor rgb variable, \
         points using (has_y(i) && is_precise(0) ? column("x") : NaN):(column("y")):(hue_of(i)) \
             with points pointtype mark(1) pointsize mark_size linecolor rgb variable, \
         points using (has_y(i) && !is_precise(0) && !is_status("INVALID") ? column("x") : NaN):(column("y")):(hue_of(i)) \
             with points pointtype mark(1) - 1 pointsize mark_size linewidth 1.4 linecolor rgb variable, \
         points using (has_y(i) && is_status("SUSPECT") ? column("x") : NaN):(column("y")) \
             with points pointtype 6 pointsize 1.2 linewidth 0.9 linecolor rgb 0x888888, \
         points using (has_y(i) && is_status("INVALID") ? column("x") : NaN):(column("y")) \
             with points pointtype 2 pointsize 1.1 linewidth 2.2 linecolor rgb 0xCC0000, \
         points using (has_y(i) && column("upper") > top ? column("x") : NaN):(top):(hue_of(i)) \
             with points pointtype "↑" linecolor rgb variable, \
         points using (has_y(i) && column("lower") < bottom ? column("x") : NaN):(bottom):(hue_of(i)) \
             with points pointtype "↓" linecolor rgb variable
    if (a == 1) { unset label 1001; unset label 1002; do for [n = 1003:1016] { unset label n } }
    do for [w = 1:count] { unset label 10 + w; unset arrow 10 + w; if (key_strip == 0) { unset label 500 + w } }
    if (key_strip > 0 && a == 1) { do for [w = 1:shared_count] { unset label 200 + w; unset label 500 + w } }
    left = left + body + wide[i] * letter + right_room
}
unset multiplot
