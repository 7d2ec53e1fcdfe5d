# Speedup over workers, and below it efficiency, or rates and the machine's limit: measured marks with their intervals,
# simulated ones hollow, predicted ones as lines in the band of their interval, with laws. The label of a row of the
# selection says what it is, and rows with roles are drawn too: see experiments/analysis/selections/workers/workers.h.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
weak = int(set_number("y_log", 1))

# ---- what there is -----------------------------------------------------------------------------------------------
is_in(label) = is_drawn(0) && stringcolumn("label") eq label
is_mark(row) = is_drawn(0) && column("panel") == 1 && !is_in("law") && !is_in("serial")
is_known(x) = x == x
# As efficiency: over the workers.
share(name) = column(name) / column("x")
most_series = 40
array names[most_series]; array colours[most_series]; array shape[most_series]; array hollow[most_series]; array dotted[most_series]
# Places may be left out: series have numbers without gaps.
array number_of[most_series]
do for [w = 1:most_series] { hollow[w] = 0; dotted[w] = 0; number_of[w] = 0 }
array law_hue[4]; array law_end[4]; array law_name[4]; array law_share[4]; array law_bound[4]; array law_short[4]; array law_long[4]
do for [i = 1:4] { law_end[i] = 0; law_hue[i] = 0 }
array notes[20]; array place_at[8]; array place_name[8]
count = 0; note_count = 0; place_count = 0; rated = 0; rate_high = 0; cores = NaN; reach = 64; high = 1; full = 1.15; far = 1; exceeded = 0
high_ends = 0; full_ends = 0
below_title = ""
number_at(p) = p > most_series ? 0 : number_of[p] > 0 ? number_of[p] : (count = count + 1, number_of[p] = count)
name_series(w, text, colour, of_shape, is_hollow, is_dotted) = w == 0 ? 0 : (names[w] = text, colours[w] = colour, shape[w] = mark(of_shape), hollow[w] = hollow[w] || is_hollow, dotted[w] = dotted[w] || is_dotted, 0)
# The ends of measured intervals, for which an axis may become twice as high; the others are cut, without a cap.
note_ends(row) = (high_ends = most(high_ends, column("upper")), full_ends = most(full_ends, share("upper")), 0)
holding(high, ends) = ends <= 2 * high ? most(high, ends) : high
note(row) = (name_series(number_at(int(column("place"))), series_of(0), column("colour"), int(column("dash")), is_in("simulated"), is_in("predicted")), \
    high = most(high, most(column("y"), text_in("upper") ? least(column("upper"), 1.3 * column("y")) : 0)), \
    full = is_status("INVALID") ? full : most(full, 1.05 * most(share("y"), text_in("upper") ? least(share("upper"), 1.15 * share("y")) : 0)), \
    is_in("measured") && !is_status("INVALID") && text_in("upper") ? note_ends(0) : 0, \
    is_in("measured") || is_in("beyond") ? see(is_status("ROUGH") ? "" : status_of(0)) : 0, far = most(far, column("x")), 0)
note_law(i) = (law_hue[i] = column("colour"), law_end[i] = column("x") <= 1.001 * reach ? column("y") : law_end[i], 0)
note_rate(row) = (rated = 1, rate_high = most(rate_high, column("y")), 0)
text(row) = with_commas(stringcolumn("label"))
take(role, i) = role eq "reach" ? (reach = column("x"), 0) : role eq "cores" ? (cores = column("x"), 0) : role eq "below" ? (below_title = text(0), 0) : \
    role eq "exceeded" ? (exceeded = 1, 0) : role eq "note" ? (note_count = note_count + 1, notes[note_count] = text(0), 0) : \
    role eq "place" && place_count < 8 ? (place_count = place_count + 1, place_at[place_count] = column("x"), place_name[place_count] = text(0), 0) : \
    role eq "law_name" ? (law_name[i] = text(0), 0) : role eq "law_share" ? (law_share[i] = text(0), 0) : role eq "law_bound" ? (law_bound[i] = text(0), 0) : \
    role eq "law_short" ? (law_short[i] = text(0), 0) : role eq "law_long" ? (law_long[i] = text(0), 0) : 0
set table $unused
plot points using (is_drawn(0) ? 0 : take(stringcolumn("role"), text_in("x") ? int(column("x")) : 0)):(0) with table
plot points using (is_mark(0) ? note(0) : is_in("law") ? note_law(int(column("dash"))) : is_drawn(0) && column("panel") == 2 ? note_rate(0) : 0):(0) with table
unset table
far = least(far, reach)
high = holding(high, high_ends)
full = holding(full, 1.05 * full_ends)
if (count == 0) {
    lacking = T("no program was measured both with one worker and with several")
    load plots."/lib/nothing.gp"
}
# The laws that have a name, by their numbers.
laws = ""
do for [i = 1:3] { if (law_end[i] > 0) { laws = laws.sprintf("%d ", i) } }
law_count = words(laws)
law(n) = n > law_count ? 1 : int(word(laws, n))
law_label(i) = (own ? law_name[i]."\n" : "").law_share[i].(strlen(law_bound[i]) > 0 ? "\n".law_bound[i] : "")

# ---- the sheet ---------------------------------------------------------------------------------------------------
# Distances from the top left corner, in units in which a number is 13 high. A small size that the user chose shows only
# the curves and the key of the marks.
# Charts of a size between have no lines of text below the axes, but the laws' names beside their curves.
middle = own && !small && canvas_h < 700
lines = small || middle ? 0 : law_count + note_count
if (!own) {
    cut = strlen(finding) > 56 ? strstrt(finding[46:*], " ") + 45 : 0
    if (cut < 46 || cut > 64) { cut = 0 }
    title_font = font_of(cut > 0 || strlen(finding) > 56 ? 15 : 17)
}
down = cut ? 20 : 0
W = own ? canvas_w : 640.0
# A name that is too long for the key takes several lines.
name_wide = 1; name_lines = 0
do for [w = 1:count] { name_wide = most(name_wide, strlen(names[w])) }
right_px = W - (small ? 8 : middle && name_wide <= 20 ? 150 : 196)
line_high = format eq "svg" ? 1.45 : 1.25
key_wide = W - right_px - 36
key_most = most(10, floor(key_wide / (0.55 * 11)))
next_comma(s, from) = from + strstrt(s[from + 1:*], ", ")
last_comma(s, from) = next_comma(s, from) == from || next_comma(s, from) > key_most ? from : last_comma(s, next_comma(s, from))
fold_at(s) = last_comma(s, 0) > 0 ? last_comma(s, 0) : next_comma(s, 0)
folded(s) = strlen(s) <= key_most || fold_at(s) == 0 ? s : s[1:fold_at(s)]."\n".folded(s[fold_at(s) + 2:*])
line_end(s) = strstrt(s, "\n") == 0 ? strlen(s) + 1 : strstrt(s, "\n")
line_count(s) = line_end(s) > strlen(s) ? 1 : 1 + line_count(s[line_end(s) + 1:*])
longest(s) = line_end(s) > strlen(s) ? strlen(s) : most(line_end(s) - 1, longest(s[line_end(s) + 1:*]))
if (!small) {
    name_wide = 1
    do for [w = 1:count] {
        names[w] = folded(names[w])
        name_wide = most(name_wide, longest(names[w]))
        name_lines = name_lines + line_count(names[w])
    }
}
# What a key of letters that are 11 high needs besides the space beside the second panel.
more_key = lines > 0 ? most(0, least(200, 11 * (line_high * name_lines + 0.3 * count) - 162)) : 0
H = own ? canvas_h : 540.0 + 20 * lines + down + more_key
X(px) = px / W
Y(px) = 1.0 - px / H
if (!own) {
    set output
    if (format eq "svg") { set terminal svg size W,H dynamic noenhanced font "Helvetica,15" background "white" }
    if (format eq "png") { set terminal pngcairo size 2 * W,2 * H noenhanced font "Helvetica,22.5" linewidth 2 pointscale 1.8 background "white" }
    if (format eq "pdf") { set terminal pdfcairo size 14.2cm,(14.2 * H / W)cm noenhanced font "Helvetica,9.5" background "white" }
    if (format eq "tikz") { eval sprintf("set terminal tikz size 14.2cm,%gcm font ',9.5'", 14.2 * H / W) }
    set output out
    set label 1001 (cut ? finding[1:cut - 1]."\n".finding[cut + 1:*] : finding) at screen 0.015, screen Y(22) left font title_font front
    set label 1002 quantity at screen 0.015, screen Y(48 + down) left font font13 textcolor rgb faint front
}
font15 = font_of(own ? 13 : 15)
left_px = small ? 28 : 46
top_from = small ? head + 18 : own ? head + 34 : 90 + down
below_to = small ? H - 37 : middle ? H - 58 : H - 70 - 20 * lines - more_key
top_to = small ? below_to : top_from + 0.74 * (below_to - top_from - 34)
below_from = top_to + 34
key_from = below_to + 72 + more_key

# ---- both panels -------------------------------------------------------------------------------------------------
high = most(high, is_known(cores) ? least(cores, reach) : 1)
do for [n = 1:law_count] { if (law(n) != 2 || law_end[law(n)] < 4.5 * high) { high = most(high, law_end[law(n)]) } }
bottom = weak ? 0.8 : 0
top = weak ? 1.25 * most(far, reach) : 1.12 * high
# Room for numbers of more than three digits.
if (top >= 1000) { left_px = left_px + 9 * (int(log10(top)) - 2) }
if (small && reach >= 10000) { right_px = right_px - 8 }
height(y) = weak ? log(y / bottom) / log(top / bottom) : (y - bottom) / (top - bottom)
x_end = reach * 1.08
set xrange [0.87:x_end]
set logscale x 2
set lmargin at screen X(left_px)
set rmargin at screen X(right_px)
set format x ""
every = int(ceil(log(reach) / log(2.0) / 8.0))
# One by one: gnuplot 6 adds an increment on a logarithmic axis, gnuplot 5 multiplies by it.
set xtics (1)
do for [n = 1:int(log(x_end) / log(2.0) / every)] { set xtics add (2.0 ** (every * n)) }
edge = is_known(cores) ? cores * 2.0 ** 0.28 : x_end
zone = edge < x_end
if (zone) { set object 1 rectangle from first edge, graph 0 to first x_end, graph 1 fillcolor rgb 0x777777 fillstyle transparent solid 0.13 noborder behind }
paler(part) = (part + 2 * 255) / 3
pale(c) = (paler((int(c) >> 16) & 255) << 16) + (paler((int(c) >> 8) & 255) << 8) + paler(int(c) & 255)
# The thickest lines join what was measured. A law that marks contradict is thin.
array width[3] = [exceeded ? 0.9 : 1.3, 1.3, 0.9]
# Marks of one worker count are drawn next to each other.
aside(w) = 2.0 ** (least(0.07, 0.42 / count) * (w - 0.5 * (count + 1)))
number_in(row) = column("place") > most_series ? 0 : number_of[int(column("place"))]
series(row) = is_drawn(0) && column("panel") == 1 ? number_in(0) : 0
shown_in(w, label) = series(0) == w && is_in(label)
solid_in(w) = shown_in(w, "measured") && !is_status("INVALID")
place(w) = column("x") == 1 && count > 1 ? 1 : column("x") * aside(w)
# Marks of all series: their colour, shape and place are evaluated only for rows that have one.
shown(label) = series(0) > 0 && is_in(label)
sound(label) = shown(label) && !is_status("INVALID")
measured(status) = (shown("measured") || shown("beyond")) && is_status(status)
hue(row) = series(0) > 0 ? colours[series(0)] : 0
shape_of(row) = series(0) > 0 ? shape[series(0)] : 0
place_of(row) = place(series(0))
# The interval of a prediction: none for one worker, and not drawn for a count that was simulated.
edge_in(w, name) = shown_in(w, "predicted") ? (text_in(name) ? column(name) : column("x") == 1 ? column("y") : NaN) : NaN
# An interval that is hidden by its mark is not drawn.
end_of(name) = weak ? most(0.5 * bottom, column(name)) : column(name)
is_tall(span) = text_in("lower") && column("upper") - column("lower") > 0.025 * span
do for [n = 1:place_count] {
    set arrow 80 + n from first place_at[n], graph 0 to first place_at[n], graph 0.05 nohead linewidth 1.2 linecolor rgb faint front
    if (!small) { set label 90 + n place_name[n] at first place_at[n], graph 0.07 left rotate by 90 font font11 textcolor rgb faint front }
}
set multiplot

set tmargin at screen Y(top_from)
set bmargin at screen Y(top_to)
set yrange [bottom:top]
y_factor = top < 10 ? 2.0 : 4.0
if (weak) { set logscale y 2; set ytics (1); do for [n = 1:int(log(top) / log(y_factor))] { set ytics add (y_factor ** n) }; set format y "%.0f" } else { y_step = step_of(top, most(2, floor((top_to - top_from) / 40.0))); if (small && y_step < 1) { y_step = 1 }; set ytics y_step; set format y "%g" }
set label 7 set_text("y_title", 1) at screen X(6), screen Y(top_from - 14) left font font15 front
set xtics font font15
set ytics font font15
# Each law is named where it ends.
if (law_count > 0 && !small) {
    array spread_y[law_count]
    do for [n = 1:law_count] { spread_y[n] = least(1.0, height(law_end[law(n)])) }
    spread_n = law_count
    spread_gap = (own ? (weak ? 31.0 : 46.0) : weak ? 18.0 : 35.0) / (top_to - top_from)
    load plots."/lib/spread_labels.gp"
    do for [n = 1:law_count] {
        set label 10 + n law_label(law(n)) at screen X(right_px + 8), graph spread_y[n] + (weak ? 0 : 7.0 / (top_to - top_from)) left font (own ? fitting_font(put(T("bound %{bound}"), "bound", "2.50 [2.48, 2.52]"), 1 - X(right_px + 10), 12) : font12) textcolor rgb law_hue[law(n)] front
    }
}
ideal_x = least(reach, top / 1.12)
set label 9 T("ideal") at first ideal_x, first (weak ? ideal_x * 0.97 : least(top * 0.96, ideal_x)) right offset -0.8,0.3 font font13 textcolor rgb faint front
if (small) {
    # One panel, with the series and the laws named inside it, above the curves.
    set format x "%.0f"
    load plots."/lib/mark_note.gp"
    axis_left = X(left_px)
    axis_right = X(right_px)
    title_left = across(4)
    y_title_at = above(head + 9)
    x_text = T("workers")
    y_text = set_text("y_title", 1)
    unset label 7
    load plots."/lib/axis_titles.gp"
    key_count = count + law_count
    array key_text[key_count]
    array key_hue[key_count]
    do for [w = 1:count] { key_text[w] = names[w]; key_hue[w] = colours[w] }
    do for [n = 1:law_count] { key_text[count + n] = law_short[law(n)]; key_hue[count + n] = law_hue[law(n)] }
    key_shape(n) = n > count ? 7 : shape[n]
    key_dash(n) = n > count ? law(n - count) : 0
    key_body = X(right_px) - X(left_px)
    key_span = top_to - top_from
    do for [key_placed = 0:1] { load plots."/lib/key_inside.gp" }
    free = most(0.3, 1 - (key_step * key_lines + 2) / key_span)
    set yrange [bottom:(weak ? bottom * (top / bottom) ** (1 / free) : bottom + (top - bottom) / free)]
}
plot for [i = 1:2] points using (is_in("law") && column("dash") == i && text_in("lower") ? column("x") : NaN):(column("lower")):(column("upper")) \
         with filledcurves linecolor rgb law_hue[i] fillstyle transparent solid 0.15 noborder, \
     for [w = 1:count] points using (shown_in(w, "predicted") ? column("x") : NaN):(most(bottom, edge_in(w, "lower"))):(least(top, edge_in(w, "upper"))) \
         with filledcurves linecolor rgb colours[w] fillstyle transparent solid 0.12 noborder, \
     points using (is_in("law") && column("dash") == 4 ? column("x") : NaN):(column("y")) with lines linewidth 1.2 dashtype 4 linecolor rgb faint, \
     for [n = 1:law_count] points using (is_in("law") && column("dash") == law(n) ? column("x") : NaN):(column("y")) \
         with lines linewidth width[law(n)] dashtype law(n) linecolor rgb law_hue[law(n)], \
     for [w = 1:count] points using (shown_in(w, "predicted") ? column("x") : NaN):(column("y")) \
         with lines linewidth 1.2 dashtype 3 linecolor rgb colours[w], \
     for [w = 1:count] points using (solid_in(w) ? place(w) : NaN):(column("y")) with lines linewidth 1.8 linecolor rgb colours[w], \
     points using (sound("measured") && is_tall(weak ? 4 * column("y") : top) ? place_of(0) : NaN):(column("y")):(end_of("lower")):(end_of("upper")):(hue(0)) \
         with yerrorbars pointtype -1 linewidth 1.2 linecolor rgb variable, \
     points using (sound("beyond") && is_tall(weak ? 4 * column("y") : top) ? place_of(0) : NaN):(column("y")):(end_of("lower")):(end_of("upper")):(pale(hue(0))) \
         with yerrorbars pointtype -1 linewidth 1.0 linecolor rgb variable, \
     points using (shown("simulated") ? column("x") : NaN):(column("y")):(shape_of(0) - 1):(hue(0)) \
         with points pointtype variable pointsize 0.75 linewidth 1.4 linecolor rgb variable, \
     points using (sound("beyond") ? place_of(0) : NaN):(column("y")):(shape_of(0)):(pale(hue(0))) \
         with points pointtype variable pointsize 0.75 linecolor rgb variable, \
     points using (sound("measured") ? place_of(0) : NaN):(column("y")):(shape_of(0)):(hue(0)) \
         with points pointtype variable pointsize 0.8 linecolor rgb variable, \
     points using (measured("SUSPECT") ? place_of(0) : NaN):(column("y")) \
         with points pointtype 6 pointsize 1.5 linewidth 0.9 linecolor rgb 0x888888, \
     for [w = 1:count] points using (shown_in(w, "serial") ? column("x") : NaN):(column("y")) \
         with lines linewidth 1.2 dashtype 3 linecolor rgb colours[w], \
     points using (measured("INVALID") ? column("x") : NaN):(column("y")) \
         with points pointtype 2 pointsize 1.1 linewidth 2.2 linecolor rgb 0xCC0000
unset label 1001; unset label 1002; unset label 9
do for [n = 1:place_count] { unset label 90 + n; unset arrow 80 + n }
do for [n = 1:3] { unset label 10 + n }

if (middle && seen("SUSPECT")) { set label 1003 suspect_text at screen 0.985, screen tall(8) right font font11 textcolor rgb faint front }
if (small && seen("SUSPECT")) { set label 1003 suspect_text at screen X(right_px - 2), screen Y(top_to - 10) right font font11 textcolor rgb faint front }
# ---- the rate and its limit, where that was measured, or the efficiency ------------------------------------------
if (small) { unset multiplot; exit }
set tmargin at screen Y(below_from)
set bmargin at screen Y(below_to)
unset logscale y
set yrange [0:(rated ? 1.12 * rate_high : full)]
# A number takes 13 units of the height, and as much is free.
lower_steps = most(1, least(3, int((below_to - below_from) / 26)))
rate_span = 1.12 * rate_high
rate_step = rated ? step_of(rate_span, lower_steps) : 1
if (rated && rate_step > rate_span) { rate_step = step_of(rate_span, lower_steps + 1) }
set ytics 0, (rated ? rate_step : lower_steps > 1 ? 0.5 : 1)
set format y "%g"
set format x "%.0f"
set label 7 below_title at screen X(6), screen Y(below_from - 14) left font font15 front
set label 6 T("workers (ranks × threads)") at screen X(0.5 * (left_px + right_px)), screen Y(below_to + (middle ? 47 : 43)) center font font15 front
# The key of the marks is on the right, the key of the lines below.
# The key begins below the names of the laws.
law_low = top_from
do for [n = 1:law_count] { law_low = most(law_low, top_to - spread_y[n] * (top_to - top_from) + 18.0 * (line_count(law_label(law(n))) - 1) + 10) }
key_top = least(below_from, law_low + 12)
key_room = (middle ? H - 20 : key_from - 12) - key_top
key_size = least(12, least(key_wide / (0.6 * name_wide), key_room / (line_high * name_lines + 0.3 * count)))
key_font = font_of(key_size)
key_at = key_top + 0.6 * key_size
do for [w = 1:count] {
    sample_dash = dotted[w] ? 3 : 1
    if (dotted[w] || !hollow[w]) { set arrow 100 + w from screen X(right_px + 8), screen Y(key_at) to screen X(right_px + 28), screen Y(key_at) nohead \
        linewidth (dotted[w] ? 1.2 : 1.8) dashtype sample_dash linecolor rgb colours[w] front }
    set label 20 + w names[w] at screen X(right_px + 18), screen Y(key_at) left \
        font key_font point pointtype shape[w] - hollow[w] pointsize 0.75 linewidth 1.4 linecolor rgb colours[w] offset 1.4,0 front
    key_at = key_at + key_size * (line_high * line_count(names[w]) + 0.3)
}
do for [n = 1:law_count] {
    set arrow 60 + n from screen X(16), screen Y(key_from + 20 * (n - 1)) to screen X(50), screen Y(key_from + 20 * (n - 1)) nohead linewidth width[law(n)] dashtype law(n) linecolor rgb law_hue[law(n)] front
    set label 60 + n law_long[law(n)] at screen X(58), screen Y(key_from + 20 * (n - 1)) left font font12 front
}
do for [n = law_count + 1:lines] {
    set label 70 + n notes[n - law_count] at screen X(16), screen Y(key_from + 20 * (n - 1)) left font font12 textcolor rgb 0x444444 front
}
rate_in(w, label) = is_in(label) && column("panel") == 2 && number_in(0) == w
rate(row) = is_in("measured") && column("panel") == 2 ? number_in(0) : 0
if (rated) {
    plot for [w = 1:count] points using (rate_in(w, "limit") ? column("x") : NaN):(column("y")) with lines linewidth 1.2 dashtype 2 linecolor rgb faint, \
         for [w = 1:count] points using (rate_in(w, "measured") ? place(w) : NaN):(column("y")) with lines linewidth 1.8 linecolor rgb colours[w], \
         points using (rate(0) > 0 ? place(rate(0)) : NaN):(column("y")):(rate(0) > 0 ? shape[rate(0)] : 0):(rate(0) > 0 ? colours[rate(0)] : 0) \
             with points pointtype variable pointsize 0.7 linecolor rgb variable, \
         points using (rate(0) > 0 && is_status("SUSPECT") ? place(rate(0)) : NaN):(column("y")) \
             with points pointtype 6 pointsize 1.4 linewidth 0.9 linecolor rgb 0x888888
    unset multiplot
    exit
}
plot for [w = 1:count] points using (shown_in(w, "predicted") ? column("x") : NaN):(most(0, edge_in(w, "lower") / column("x"))):(least(full, edge_in(w, "upper") / column("x"))) \
         with filledcurves linecolor rgb colours[w] fillstyle transparent solid 0.12 noborder, \
     points using (is_in("law") && column("dash") == 4 ? column("x") : NaN):(1) with lines linewidth 1.2 dashtype 4 linecolor rgb faint, \
     for [n = 1:law_count] points using (is_in("law") && column("dash") == law(n) ? column("x") : NaN):(share("y")) \
         with lines linewidth width[law(n)] dashtype law(n) linecolor rgb law_hue[law(n)], \
     for [w = 1:count] points using (shown_in(w, "predicted") ? column("x") : NaN):(share("y")) \
         with lines linewidth 1.2 dashtype 3 linecolor rgb colours[w], \
     for [w = 1:count] points using (solid_in(w) ? place(w) : NaN):(share("y")) with lines linewidth 1.8 linecolor rgb colours[w], \
     points using (sound("measured") && is_tall(2 * full * column("x")) ? place_of(0) : NaN):(share("y")):(share("lower")):(share("upper")):(hue(0)) \
         with yerrorbars pointtype -1 linewidth 1.2 linecolor rgb variable, \
     points using (shown("simulated") ? column("x") : NaN):(share("y")):(shape_of(0) - 1):(hue(0)) \
         with points pointtype variable pointsize 0.65 linewidth 1.3 linecolor rgb variable, \
     points using (sound("beyond") ? place_of(0) : NaN):(share("y")):(shape_of(0)):(pale(hue(0))) \
         with points pointtype variable pointsize 0.65 linecolor rgb variable, \
     points using (sound("measured") ? place_of(0) : NaN):(share("y")):(shape_of(0)):(hue(0)) \
         with points pointtype variable pointsize 0.7 linecolor rgb variable, \
     points using (measured("SUSPECT") ? place_of(0) : NaN):(share("y")) \
         with points pointtype 6 pointsize 1.4 linewidth 0.9 linecolor rgb 0x888888
unset multiplot
