# Time against accuracy: the root mean square error of each method and library over its time, one worker. There is a
# panel for each operator or network, with the problem that most of them solved and at least one with rounding. Exact
# results are at the left edge.
load plots."/lib/style.gp"
is_shown(i) = text_in("error_ulps") && column("workers") == 1 && column("total_s") > 0 && strlen(stringcolumn("isa_limit")) == 0
subject_of(i) = text_in("network") ? stringcolumn("network") : stringcolumn("operator")
part(name) = text_in(name) ? " ".stringcolumn(name) : " -"
problem_of(i) = subject_of(0).part("planes").part("rows").part("cols").part("kernel").part("stride").part("padding").part("filters").part("groups").part("batch").part("gradient").part("filter").part("max_value")
array problems[400]
array counts[400]
array rounded[400]
do for [j = 1:400] { problems[j] = ""; counts[j] = 0; rounded[j] = 0 }
find_problem(j, text) = problems[j] eq text ? j : strlen(problems[j]) == 0 ? (problems[j] = text, j) : j == 400 ? 400 : find_problem(j + 1, text)
count_one(j) = (counts[j] = counts[j] + 1, rounded[j] = column("error_ulps") > 0 ? 1 : rounded[j], 0)
set table $unused
plot points using (is_shown(0) ? count_one(find_problem(1, problem_of(0))) + see(stringcolumn("status")) : 0):(0) with table
unset table
do for [j = 1:400] { if (rounded[j] == 0) { counts[j] = 0 } }
# For each subject, the problem with most points.
subjects = ""
do for [j = 1:400] { if (counts[j] > 0 && strstrt(subjects, " ".word(problems[j], 1)." ") == 0) { subjects = subjects." ".word(problems[j], 1)." " } }
panels = words(subjects) > 4 ? 4 : words(subjects)
if (panels == 0) {
    lacking = T("no sample records errors")
    load plots."/lib/nothing.gp"
}
array chosen[panels]
do for [a = 1:panels] { chosen[a] = 0
    do for [j = 1:400] { if (counts[j] > 0 && word(problems[j], 1) eq word(subjects, a)) { if (chosen[a] == 0 || counts[j] > counts[chosen[a] == 0 ? j : chosen[a]]) { chosen[a] = j } } } }
exact = 0.05
error_of(i) = column("error_ulps") > exact ? column("error_ulps") : exact
is_one(a) = is_shown(0) && problem_of(0) eq problems[chosen[a]]
# Powers of ten only, if times differ too much for more numbers.
add_decade(d) = (decades = decades.sprintf("%.9e ", 10.0 ** d), 0)
decades_of(from, to) = (decades = "", unused = sum [d = floor(log10(from)):ceil(log10(to))] add_decade(d), decades)
low_x = 1e300; high_x = 0; most_here = 0
grow(x) = (low_x = x < low_x ? x : low_x, high_x = x > high_x ? x : high_x, 0)
set table $unused
do for [a = 1:panels] { plot points using (is_one(a) ? grow(error_of(0)) : 0):(0) with table; if (counts[chosen[a]] > most_here) { most_here = counts[chosen[a]] } }
unset table
if (most_here < least_places) {
    load plots."/lib/too_few_values.gp"
}
set logscale xy 10
set xrange [0.6 * low_x:8 * high_x]
set format x "%g"
set format y "%.0s %cs"
load plots."/lib/mark_note.gp"
set multiplot
do for [a = 1:panels] {
    panel_left = own ? left_room + across(4) + (0.99 - left_room) * (a - 1) / panels : 0.105 + 0.90 * (a - 1) / panels
    panel_right = own ? left_room + (0.99 - left_room) * a / panels - (a < panels ? left_room : across(5)) : 0.105 + 0.90 * a / panels - 0.09 + 0.005 * panels
    set lmargin at screen panel_left
    set rmargin at screen panel_right
    set bmargin at screen bottom_edge
    set tmargin at screen own ? panel_edge : 0.79
    if (small) { set label 1 word(subjects, a).": ".T("total time") at screen panel_left - left_room, screen panel_name_y left font fitting_font(word(subjects, a).": ".T("total time"), panel_right - panel_left + left_room, 12) } \
    else { set label 1 word(subjects, a) at graph 0, screen own ? panel_name_y : 0.815 left font font13 }
    axis_left = panel_left
    axis_right = panel_right
    x_text = small && a > 1 ? "" : T("error, ulps")
    y_text = ""
    load plots."/lib/axis_titles.gp"
    if (!own) { set xlabel T("error, ulps") font axis_font(T("error, ulps"), 0.8 / panels * canvas_w) }
    set xtics (0 0)
    at = ticks_of(0.6 * low_x, 8 * high_x)
    if (words(at) == 0) { at = "0.1 1 10 100 1000 10000" }
    free_x = 0.0
    do for [i = 1:words(at)] {
        tick = tick_text("%g", real(word(at, i)))
        at_x = log(real(word(at, i)) / (0.6 * low_x)) / log(8 * high_x / (0.6 * low_x)) * (panel_right - panel_left)
        if (real(word(at, i)) > 1.7 * exact && at_x >= free_x) { set xtics add (sprintf("%s", tick) real(word(at, i))); free_x = at_x + letters_wide(strlen(tick), 13) + 0.02 }
    }
    if (low_x <= exact) { set xtics add (T("exact") exact) }
    # Names next to their marks, without overlap.
    n = counts[chosen[a]]
    array name_of[n]; array name_x[n]; array time_of[n]; array name_colour[n]
    k = 0; low_s = 1e300; high_s = 0
    keep(text, x, s, c) = (k = k + 1, name_of[k] = text, name_x[k] = x, time_of[k] = s, name_colour[k] = c, low_s = s < low_s ? s : low_s, high_s = s > high_s ? s : high_s, 0)
    set table $unused
    plot points using (is_one(a) ? keep(stringcolumn("method"), error_of(0), column("total_s"), colour_of(0)) : 0):(0) with table
    unset table
    bottom = low_s / 1.3
    top = high_s * 1.3
    set yrange [bottom:top]
    set ytics (0 0)
    at = own ? fitting_ticks(bottom, top, (panel_edge - bottom_edge) * canvas_h, 18) : ticks_of(bottom, top)
    if (words(at) == 0) { at = decades_of(bottom, top) }
    do for [i = 1:words(at)] { set ytics add (sprintf("%s", tick_text("%.0s %cs", real(word(at, i)))) real(word(at, i))) }
    spread_n = n
    array spread_y[n]
    do for [i = 1:n] { spread_y[i] = log(time_of[i] / bottom) / log(top / bottom) }
    spread_gap = 1.3 * 11 / (own ? (panel_edge - bottom_edge) * canvas_h : 480 * 0.62)
    load plots."/lib/spread_labels.gp"
    do for [i = 1:n] { set label 20 + i name_of[i] at first name_x[i], graph spread_y[i] left offset 0.9, 0 font font11 textcolor rgb name_colour[i] front }
    plot points using (is_one(a) && is_precise(0) ? error_of(0) : NaN):(column("total_s")):(colour_of(0)) with points pointtype 7 pointsize 0.8 linecolor rgb variable, \
         points using (is_one(a) && !is_precise(0) && !is_status("INVALID") ? error_of(0) : NaN):(column("total_s")):(colour_of(0)) with points pointtype 6 pointsize 0.8 linewidth 1.5 linecolor rgb variable, \
         points using (is_one(a) && is_status("SUSPECT") ? error_of(0) : NaN):(column("total_s")) with points pointtype 6 pointsize 1.4 linewidth 0.9 linecolor rgb 0x888888, \
         points using (is_one(a) && is_status("INVALID") ? error_of(0) : NaN):(column("total_s")) with points pointtype 2 pointsize 1.1 linewidth 2.2 linecolor rgb 0xCC0000
    do for [i = 1:n] { unset label 20 + i }
    if (a == 1) { unset label 1001; unset label 1002; do for [n = 1003:1012] { unset label n } }
}
unset multiplot
