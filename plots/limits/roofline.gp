# The roofline: the operator's operations per byte of its compulsory traffic, and the rate that each method achieves,
# below the ceilings of one worker. The best method at each intensity is named.
load plots."/lib/style.gp"
has_rate(row) = text_in("gigaoperations_per_s") && text_in("intensity") && column("workers") == 1 && text_in("rung")
operators = ""
lowest = 1e300; highest = 0; least_rate = 1e300; most_rate = 0
add(text) = strstrt(operators, " ".text." ") > 0 ? 0 : (operators = operators." ".text." ", 0)
grow(x, y) = (lowest = x < lowest ? x : lowest, highest = x > highest ? x : highest, least_rate = y < least_rate ? y : least_rate, most_rate = y > most_rate ? y : most_rate, 0)
set table $unused
plot points using (has_rate(0) ? add(stringcolumn("operator")) + grow(column("intensity"), column("gigaoperations_per_s")) + see(stringcolumn("status")) : 0):(0) with table
unset table
panels = words(operators)
if (panels == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
# The ceilings of one worker: bandwidths, and the highest peak.
lines = 0
array level[32]; array rate[32]
peak = 0
take(k, l, r) = k eq "peak" ? (peak = r > peak ? r : peak, 0) : lines < 32 ? (lines = lines + 1, level[lines] = l, rate[lines] = r, 0) : 0
set table $unused
plot ceilings using (column("workers") == 1 ? take(stringcolumn("kind"), stringcolumn("label"), 1e-9 * column("rate")) : 0):(0) with table
unset table
if (lines == 0) {
    lacking = T("the machine's ceilings were not measured: run study roofline")
    load plots."/lib/nothing.gp"
}
from = 0.5 * lowest
to = 3 * highest
top = 2.5 * (peak > most_rate ? peak : most_rate)
bottom = 0.4 * least_rate
set logscale xy 10
set format x "%g"
set xrange [from:to]
set yrange [bottom:top]
set samples 80
roof(i, x) = rate[i] * x > peak ? NaN : rate[i] * x
load plots."/lib/mark_note.gp"
key_strip = 0
keyed = own
if (own) {
    # The methods by their colours.
    array names[60]
    array colours[60]
    columns = 2
    shown_panels = "1 1"
    array series_in[1] = [""]
    own_y = 0
    two_lines = small
    methods_seen = 0
    known_at(text) = sum [j = 1:methods_seen] (names[j] eq text ? j : 0)
    take_method(text, colour) = known_at(text) > 0 || methods_seen >= 60 ? 0 : (methods_seen = methods_seen + 1, names[methods_seen] = text, colours[methods_seen] = colour, series_in[1] = series_in[1].sprintf(" %d ", methods_seen), 0)
    set table $unused
    plot points using (has_rate(0) ? take_method(stringcolumn("method"), colour_of(0)) : 0):(0) with table
    unset table
    load plots."/lib/shared_key.gp"
}
set multiplot
do for [a = 1:panels] {
    name = word(operators, a)
    panel_left = (own ? left_room : 0.095) + (own ? 0.985 - left_room : 0.90) * (a - 1) / panels
    panel_right = (own ? left_room : 0.095) + (own ? 0.985 - left_room : 0.90) * a / panels - (own ? across(9) : 0.03)
    if (own) { panel_edge = above(head + (small ? 31 : 24) + key_strip) }
    set lmargin at screen panel_left
    set rmargin at screen panel_right
    set bmargin at screen bottom_edge
    set tmargin at screen panel_edge
    set label 1 name at graph 0, screen own ? above(head + (small ? 22 : 12) + key_strip) : panel_name_y left font font13
    axis_left = panel_left
    axis_right = small ? 0.985 : panel_right
    title_left = across(4)
    y_title_at = above(head + 9)
    x_text = small && a > 1 ? "" : T("operations per byte")
    y_text = a == 1 ? T("10⁹ operations/s") : ""
    load plots."/lib/axis_titles.gp"
    if (!own) { set xlabel T("operations per byte") font font13 }
    if (!small && a == 1) { set ylabel y_text font font13 offset (own ? 2 : 1),0 }
    set format y a == 1 ? "%g" : ""
    if (own) {
        set xtics (0 0)
        at = fitting_ticks(from, to, (panel_right - panel_left) * canvas_w, 38)
        do for [n = 1:words(at)] { if (a == panels || log(real(word(at, n)) / from) < 0.9 * log(to / from)) { set xtics add (gprintf("%g", real(word(at, n))) real(word(at, n))) } }
    }
    # The names of close lines would overlap, so each name is placed where its line leaves the left edge.
    spread_n = lines
    array spread_y[lines > 0 ? lines : 1]
    do for [i = 1:lines] { spread_y[i] = log(rate[i] * from / bottom) / log(top / bottom) }
    spread_gap = 1.3 * 11 / (own ? (panel_edge - bottom_edge) * canvas_h : 480 * 0.66)
    load plots."/lib/spread_labels.gp"
    do for [i = 1:lines] { set label 20 + i level[i] at graph 0.02, graph spread_y[i] + 0.03 left font font11 textcolor rgb faint front }
    if (peak > 0) { set label 60 T("peak") at graph 0.98, first peak right offset 0, 0.5 font font11 textcolor rgb faint front }
    if (!own || (panel_right - panel_left) * canvas_w > 220) { set label 61 T("memory-bound") at graph 0.03, graph 0.03 left font font11 textcolor rgb faint front
    set label 62 T("compute-bound") at graph 0.97, graph 0.03 right font font11 textcolor rgb faint front }
    # The name of the best method in the panel.
    best = 0; best_x = 0; best_name = ""; best_colour = 0
    set table $unused
    plot points using (has_rate(0) && stringcolumn("operator") eq name && column("gigaoperations_per_s") > best ? \
        (best = column("gigaoperations_per_s"), best_x = column("intensity"), best_name = stringcolumn("method"), best_colour = colour_of(0), 0) : 0):(0) with table
    unset table
    # Next to its mark; below it if the line of the peak would cross the name.
    lift = best < peak && 2 * best > peak ? -0.7 : 0.6
    # In a small chart the key has it.
    if (small) { best_name = "" }
    if (log(best_x / from) > (small ? 0.3 : 0.55) * log(to / from)) { set label 63 best_name at best_x, best right offset -0.8, lift font small ? font11 : font12 textcolor rgb best_colour front } \
    else { set label 63 best_name at best_x, best left offset 0.8, lift font font12 textcolor rgb best_colour front }
    mine(row) = has_rate(0) && stringcolumn("operator") eq name
    plot for [i = 1:lines] roof(i, x) with lines linewidth 1.2 linecolor rgb faint, \
         (peak > 0 ? peak : NaN) with lines linewidth 1.2 linecolor rgb faint, \
         points using (mine(0) && is_precise(0) ? column("intensity") : NaN):(column("gigaoperations_per_s")):(colour_of(0)) with points pointtype 7 pointsize 0.6 linecolor rgb variable, \
         points using (mine(0) && !is_precise(0) && !is_status("INVALID") ? column("intensity") : NaN):(column("gigaoperations_per_s")):(colour_of(0)) with points pointtype 6 pointsize 0.6 linewidth 1.3 linecolor rgb variable, \
         points using (mine(0) && is_status("SUSPECT") ? column("intensity") : NaN):(column("gigaoperations_per_s")) with points pointtype 6 pointsize 1.2 linewidth 0.9 linecolor rgb 0x888888, \
         points using (mine(0) && is_status("INVALID") ? column("intensity") : NaN):(column("gigaoperations_per_s")) with points pointtype 2 pointsize 1.1 linewidth 2.2 linecolor rgb 0xCC0000
    if (a == 1) { unset label 1001; unset label 1002; do for [n = 1003:1012] { unset label n }; if (key_strip > 0) { do for [n = 1:shared_count] { unset label 200 + n } } }
}
unset multiplot
