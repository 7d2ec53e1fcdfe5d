# Panels next to each other: measured points with intervals over x, joined if there are three values of x or more (if
# there are several series, dots then show which two belong together), each series named at its end in its method's
# colour. Needs panels (their number), in_panel(i) (true for a row of panel i), name_of(i) (its series, unique for a
# place), place_of(i) (the series' place, 1 .. 400), panel_title(i), xcol(i), xlabel_of(i), ycol(i), lowcol(i),
# highcol(i), ylabel_of(i), dash_of(i) (for a row: 1 solid, 2 dashed), x_log(i), y_log(i) (booleans), and own_y: every
# panel has its own y axis. May set guide(i, x): a line to compare with, and rule(i): a horizontal line, NaN for none.
has_y(i) = text_in(ycol(i)) && text_in(xcol(i)) && in_panel(i)
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
least(a, b) = a < b ? a : b
most(a, b) = a > b ? a : b
tag(j) = sprintf(" %d ", j)
# An interval that is hidden by its mark is not drawn.
is_tall(i, low, high) = (y_log(i) ? log(high / low) / log(top / bottom) : (high - low) / (top - bottom)) > 0.02
note_x(i, x) = strstrt(many_x[i], sprintf(" %.6g ", x)) > 0 ? 0 : (many_x[i] = many_x[i].sprintf(" %.6g ", x), 0)
note_series(i, j) = strstrt(series_in[i], tag(j)) > 0 ? 0 : (series_in[i] = series_in[i].tag(j), 0)
note(i, j, series, x, y, colour, dash, status) = (names[j] = series, colours[j] = colour, dashes[j] = dash, \
    low_y[i] = least(low_y[i], y), high_y[i] = most(high_y[i], y), low_x[i] = least(low_x[i], x), high_x[i] = most(high_x[i], x), \
    note_x(i, x), note_series(i, j), see(status), wide[i] = most(wide[i], strlen(series)), 0)
shown_panels = ""
set table $unused
do for [i = 1:panels] {
    plot points using (has_y(i) ? note(i, place_of(i), name_of(i), column(xcol(i)), column(ycol(i)), colour_of(0), dash_of(i), stringcolumn("status")) : 0):(0) with table
}
unset table
some = 0
do for [i = 1:panels] { some = some || strlen(series_in[i]) > 0; if (words(many_x[i]) >= most(1, least_places)) { shown_panels = shown_panels.sprintf("%d ", i) } }
columns = words(shown_panels)
if (some && columns == 0) {
    load plots."/lib/too_few_values.gp"
}
if (columns == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
if (!exists("own_y")) { own_y = 0 }
if (!own_y) {
    do for [a = 1:columns] { do for [b = 1:columns] {
        i = int(word(shown_panels, a)); j = int(word(shown_panels, b))
        low_y[i] = least(low_y[i], low_y[j]); high_y[i] = most(high_y[i], high_y[j])
    } }
}

# Space on the right of each panel for the longest name, on the left for the numbers.
label_font = columns > 2 ? 11 : 12
label_face = font_of(label_font)
letter = letters_wide(1, label_font)
total_wide = 0
do for [a = 1:columns] { total_wide = total_wide + wide[int(word(shown_panels, a))] * letter + 0.025 + (own_y || a == 1 ? left_room : 0.02) }
body = (0.99 - total_wide) / columns
set label 1003 @note_of at screen 0.985, screen 0.022 right font font11 textcolor rgb faint front
set multiplot
left = 0.0
do for [a = 1:columns] {
    i = int(word(shown_panels, a))
    left = left + (own_y || a == 1 ? left_room : 0.02)
    set lmargin at screen left
    set rmargin at screen left + body
    set bmargin at screen bottom_edge
    set tmargin at screen (strlen(panel_title(i)) > 0 ? panel_edge : upper_edge)
    if (strlen(panel_title(i)) > 0) {
        set label 1 panel_title(i) at graph 0, screen panel_name_y left font font13
    }
    if (x_log(i)) { set logscale x 2; set format x "%.0f" } else { unset logscale x; set format x "%g" }
    if (y_log(i)) { set logscale y 10 } else { unset logscale y }
    # Some space above and below; intervals that extend beyond it end in an arrow.
    bottom = y_log(i) ? low_y[i] / 1.5 : 0
    top = y_log(i) ? high_y[i] * 1.5 : 1.12 * high_y[i]
    if (exists("y_top")) { top = most(top, y_top) }
    set yrange [bottom:top]
    set ytics auto
    if (y_log(i)) {
        at = ticks_of(bottom, top)
        if (words(at) > 0) { set ytics (0 0) }
        do for [n = 1:words(at)] { set ytics add (sprintf("%s", tick_text(own_y || a == 1 ? y_format(i) : "", real(word(at, n)))) real(word(at, n))) }
    }
    x_min = x_log(i) ? low_x[i] / 1.15 : low_x[i] - 0.04 * (high_x[i] - low_x[i]) - (low_x[i] == high_x[i] ? 1 : 0)
    x_max = x_log(i) ? high_x[i] * 1.15 : high_x[i] + 0.04 * (high_x[i] - low_x[i]) + (low_x[i] == high_x[i] ? 1 : 0)
    set xrange [x_min:x_max]
    # Caches, if the script found some: an image of that size fills the cache.
    if (exists("caches")) { do for [c = 1:caches] { if (cache_n[c] > x_min && cache_n[c] < x_max) {
        set arrow 300 + c from first cache_n[c], graph 0 to first cache_n[c], graph 1 nohead dashtype 3 linewidth 0.9 linecolor rgb faint back
        set label 300 + c cache_name[c] at first cache_n[c], graph 0.03 left offset 0.3, 0 font font11 textcolor rgb faint front
    } } }
    set xlabel xlabel_of(i) font axis_font(xlabel_of(i), (own_y ? body + left_room : 0.95) * canvas_w)
    if (own_y || a == 1) { set ylabel ylabel_of(i) font axis_font(ylabel_of(i), (upper_edge - 0.5 * bottom_edge) * canvas_h) offset 1.4,0; set format y y_format(i) } \
    else { unset ylabel; set format y "" }
    # Only as many numbers as there is space for.
    if (x_log(i)) {
        steps = log(high_x[i] / low_x[i]) / log(2.0)
        room = most(1, int(body / 0.075))
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
                if (clear) { taken = taken." ".one; set xtics add (one real(one)) }
            } }
    } else { set xtics step_of(x_max - x_min, most(2, int(body / 0.075))) }
    if (exists("bytes_on_x")) {
        set logscale x 2
        x_min = low_x[i] / 1.3
        x_max = high_x[i] * 1.3
        set xrange [x_min:x_max]
        set format x "%.0b %BB"
        every = 2 + int(log(high_x[i] / low_x[i]) / log(2.0) / (body / 0.11))
        set xtics auto; set xtics (0 0)
        do for [n = 0:int(most(0, log(x_max / 1024) / log(2.0)) / every)] { set xtics add (gprintf("%.0b %BB", 1024 * 2.0 ** (every * n)) 1024 * 2.0 ** (every * n)) }
    }
    # The end of each series in the panel.
    in_here = series_in[i]
    count = words(in_here)
    array spread_y[count]
    set table $unused
    do for [w = 1:count] {
        j = int(word(in_here, w))
        last_x[j] = -1e300
        plot points using (has_y(i) && place_of(i) == j && column(xcol(i)) > last_x[j] ? (last_x[j] = column(xcol(i)), last_y[j] = column(ycol(i)), 0) : 0):(0) with table
        spread_y[w] = y_log(i) ? log(last_y[j] / bottom) / log(top / bottom) : (last_y[j] - bottom) / (top - bottom)
    }
    unset table
    spread_n = count
    spread_gap = 1.35 * label_font / (canvas_h * 0.68)
    load plots."/lib/spread_labels.gp"
    do for [w = 1:count] {
        j = int(word(in_here, w))
        set label 10 + w names[j] at graph 1.02, graph spread_y[w] left font label_face textcolor rgb colours[j] front
    }
    joined = words(many_x[i]) > 2
    dotted = !joined && count > 1
    ruled = exists("rule_on") ? rule(i) : NaN
    guided = exists("guide_on")
    plot ruled with lines linewidth 1.2 dashtype 3 linecolor rgb faint, \
         (guided ? guide(i, x) : NaN) with lines linewidth 1.2 dashtype 4 linecolor rgb faint, \
         for [w = 1:(joined ? count : 0)] points using (has_y(i) && place_of(i) == int(word(in_here, w)) ? column(xcol(i)) : NaN):(column(ycol(i))) smooth unique \
             with lines linewidth 1.7 dashtype dashes[int(word(in_here, w))] linecolor rgb colours[int(word(in_here, w))], \
         for [w = 1:(dotted ? count : 0)] points using (has_y(i) && place_of(i) == int(word(in_here, w)) ? column(xcol(i)) : NaN):(column(ycol(i))) smooth unique \
             with lines linewidth 0.9 dashtype 3 linecolor rgb colours[int(word(in_here, w))], \
         points using (has_y(i) && is_tall(i, column(lowcol(i)), column(highcol(i))) ? column(xcol(i)) : NaN):(column(ycol(i))):(most(bottom, column(lowcol(i)))):(least(top, column(highcol(i)))):(colour_of(0)) \
             with yerrorbars pointtype -1 linewidth 1.1 linecolor rgb variable, \
         points using (has_y(i) && is_precise(0) ? column(xcol(i)) : NaN):(column(ycol(i))):(colour_of(0)) \
             with points pointtype mark(1) pointsize 0.65 linecolor rgb variable, \
         points using (has_y(i) && !is_precise(0) && !is_status("INVALID") ? column(xcol(i)) : NaN):(column(ycol(i))):(colour_of(0)) \
             with points pointtype mark(1) - 1 pointsize 0.65 linewidth 1.4 linecolor rgb variable, \
         points using (has_y(i) && is_status("SUSPECT") ? column(xcol(i)) : NaN):(column(ycol(i))) \
             with points pointtype 6 pointsize 1.2 linewidth 0.9 linecolor rgb 0x888888, \
         points using (has_y(i) && is_status("INVALID") ? column(xcol(i)) : NaN):(column(ycol(i))) \
             with points pointtype 2 pointsize 1.1 linewidth 2.2 linecolor rgb 0xCC0000, \
         points using (has_y(i) && column(highcol(i)) > top ? column(xcol(i)) : NaN):(top):(colour_of(0)) \
             with points pointtype "↑" linecolor rgb variable, \
         points using (has_y(i) && column(lowcol(i)) < bottom ? column(xcol(i)) : NaN):(bottom):(colour_of(0)) \
             with points pointtype "↓" linecolor rgb variable
    if (a == 1) { unset label 1001; unset label 1002; unset label 1003 }
    do for [w = 1:count] { unset label 10 + w }
    left = left + body + wide[i] * letter + 0.025
}
unset multiplot
