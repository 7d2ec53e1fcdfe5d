# Speedup over workers, and efficiency below it: measured marks with their intervals, simulated ones hollow, predicted
# ones as lines in the band of their interval, with the ideal line and Amdahl's law (weak scaling: Gustafson's). All
# numbers come from NAME.speedup.csv in the folder of `points`; `scaling` is "strong" unless a script sets it.
if (!exists("scaling")) { scaling = "strong" }
load plots."/lib/style.gp"
speedup_rows = points[1:strlen(points) - strlen("points.csv")]."speedup.csv"
weak = scaling eq "weak"

# ---- what there is -----------------------------------------------------------------------------------------------
is_mark(row) = stringcolumn("row") eq "mark" && stringcolumn("scaling") eq scaling && text_in("speedup")
is_law(name) = stringcolumn("row") eq "law" && stringcolumn("scaling") eq scaling && stringcolumn("law") eq name
is_of(source) = is_mark(0) && stringcolumn("source") eq source
is_counted(row) = is_of("measured") && column("beyond") == 0 && !is_status("INVALID")
value_in(name) = text_in(name) ? column(name) : NaN
is_known(x) = x == x

# Series are distinguished by method, kind of workers, distribution and platform.
# What the workers share: empty where they share everything.
part_in(row) = stringcolumn("parallel") eq "product" ? ", ".T("product alone") : ""
identity(row) = stringcolumn("method").part_in(0)."|".stringcolumn("workers_kind")."|".stringcolumn("distribution")."|".stringcolumn("platform")
series = ""
distributions = ""
array colours[40]
rate_high = 0; limit_seen = 0; moves = 0; serial_seen = 0
# A rate without a limit is drawn of programs of others alone, where their user says what they move.
is_rate(row) = text_in("rate") && (text_in("limit_rate") || stringcolumn("rate_of") eq "memory")
cores = NaN; reach = 64; counts = 0; high = 1; full = 1.15; beyond_seen = 0; far = 1
index_of(text) = sum [w = 1:words(series)] (word(series, w) eq text ? w : 0)
add_series(text, colour) = (index_of(text) > 0 || words(series) >= 40 ? 0 : (series = series.'"'.text.'" ', colours[words(series)] = colour, 0))
add_distribution(text) = strlen(text) == 0 || strstrt(distributions, " ".text." ") > 0 ? 0 : (distributions = distributions." ".text." ", 0)
note(row) = (cores = value_in("cores"), reach = column("reach"), counts = column("counts"), \
    high = most(high, most(column("speedup"), text_in("upper") ? least(column("upper"), 1.3 * column("speedup")) : 0)), \
    full = is_status("INVALID") ? full : most(full, 1.05 * most(column("efficiency"), text_in("efficiency_upper") ? least(column("efficiency_upper"), 1.15 * column("efficiency")) : 0)), \
    beyond_seen = beyond_seen || (column("beyond") > 0 && column("workers") <= column("reach")), stringcolumn("source") eq "measured" ? see(stringcolumn("status") eq "ROUGH" ? "" : stringcolumn("status")) : 0, far = most(far, least(column("reach"), column("workers"))), \
    rate_high = is_counted(0) && is_rate(0) ? most(rate_high, most(column("rate"), text_in("limit_rate") ? column("limit_rate") : 0)) : rate_high, \
    limit_seen = limit_seen || (is_counted(0) && text_in("limit_rate")), moves = moves || (is_counted(0) && stringcolumn("rate_of") eq "memory"), \
    serial_seen = serial_seen || (is_counted(0) && text_in("serial") && text_in("serial_lower") && column("serial_lower") > 1 && column("serial") <= 1.2 * column("speedup")), \
    add_distribution(stringcolumn("distribution")), \
    add_series(identity(0), text_in("colour") ? column("colour") : 0x777777), 0)
set table $unused
plot speedup_rows using (is_mark(0) ? note(0) : 0):(0) with table
unset table
if (words(series) == 0) {
    lacking = T("no program was measured both with one worker and with several")
    load plots."/lib/nothing.gp"
}

# The laws: their shares and bounds, the value at the end, and the subject of each.
laws = "product fitted tesina"
array drawn[3]; array share[3]; array share_low[3]; array share_high[3]; array bound[3]; array bound_low[3]; array bound_high[3]
array of_method[3]; array of_kind[3]; array law_end[3]
do for [i = 1:3] { drawn[i] = 0; law_end[i] = 0; of_method[i] = ""; of_kind[i] = "" }
note_law(i) = (drawn[i] = 1, share[i] = column("share"), share_low[i] = value_in("share_lower"), share_high[i] = value_in("share_upper"), \
    bound[i] = value_in("bound"), bound_low[i] = value_in("bound_lower"), bound_high[i] = value_in("bound_upper"), \
    of_method[i] = stringcolumn("law_method"), of_kind[i] = stringcolumn("law_kind"), law_end[i] = column("workers") <= 1.001 * reach ? column("speedup") : law_end[i], 0)
set table $unused
do for [i = 1:3] { plot speedup_rows using (is_law(word(laws, i)) ? note_law(i) : 0):(0) with table }
unset table

# The mark that replaces a missing fit: the one with most workers within the cores, of the product's method.
lead_workers = 1; lead_serial = NaN; lead_low = NaN; lead_high = NaN; exceeds = 0
take_lead(row) = (lead_workers = column("workers"), lead_serial = value_in("karp_flatt"), lead_low = value_in("karp_flatt_lower"), \
    lead_high = value_in("karp_flatt_upper"), 0)
is_led(row) = is_counted(0) && stringcolumn("parallel") ne "product" && (drawn[1] == 0 || stringcolumn("method") eq of_method[1])
set table $unused
plot speedup_rows using (is_led(0) && column("workers") > lead_workers ? take_lead(0) : 0):(0) with table
plot speedup_rows using (is_mark(0) && column("exceeds_product") > 0 ? (exceeds = 1) : 0):(0) with table
unset table

# ---- words -------------------------------------------------------------------------------------------------------
# Only as many decimals as half the interval justifies.
decimals(low, high) = int(least(3, most(0, ceil(-log10(most(1e-9, 0.5 * (high - low)))))))
written(x, digits) = gprintf(sprintf("%%.%df", digits), x)
ends(low, high) = " [".low.between_mark." ".high."]"
joined(x, low, high) = low eq high ? x : x.ends(low, high)
with_interval(x, low, high) = !is_known(low + high) ? gprintf("%.3g", x) : joined(written(x, decimals(low, high)), written(low, decimals(low, high)), written(high, decimals(low, high)))
percent(x) = gprintf(abs(x) < 0.0995 ? "%.1f" : "%.0f", 100 * x)." %"
bound_of(i) = is_known(bound[i]) && (is_known(bound_high[i]) || !is_known(bound_low[i])) ? with_interval(bound[i], bound_low[i], bound_high[i]) : \
    is_known(bound_low[i]) ? put(T("at least %{bound}"), "bound", gprintf("%.3g", bound_low[i])) : T("none")
share_of(i) = i == 3 ? "f = ".gprintf("%.2f", share[i]) : weak ? "s = ".with_interval(1 - share[i], 1 - share_high[i], 1 - share_low[i]) : "f = ".with_interval(share[i], share_low[i], share_high[i])
brief(i) = (weak ? gprintf("s = %.2f", 1 - share[i]) : gprintf("f = %.2f", share[i]))
law_label(i) = (own ? (i == 3 ? T("tesina") : law_name)."\n" : "").share_of(i).(weak ? "" : "\n".put(T("bound %{bound}"), "bound", i == 3 ? gprintf("%.2f", bound[i]) : bound_of(i)))
kind_name(kind) = kind eq "threads" ? T("threads") : kind eq "ranks" ? T("ranks") : T("ranks × threads")
part(text, n) = (cut_text = text, n == 1 ? cut_text[1:strstrt(cut_text, "|") - 1] : (cut_text = cut_text[strstrt(cut_text, "|") + 1:*], \
    n == 2 ? cut_text[1:strstrt(cut_text, "|") - 1] : (cut_text = cut_text[strstrt(cut_text, "|") + 1:*], \
    n == 3 ? cut_text[1:strstrt(cut_text, "|") - 1] : cut_text[strstrt(cut_text, "|") + 1:*])))
bare(platform) = strstrt(platform, ".xml") > 0 ? platform[1:strstrt(platform, ".xml") - 1] : platform
series_name(text) = part(text, 1).", ".kind_name(part(text, 2)).(words(distributions) > 1 && strlen(part(text, 3)) > 0 ? " (".part(text, 3).")" : "") \
    .(strlen(part(text, 4)) > 0 ? ", ".bare(part(text, 4)) : "")
law_name = weak ? "Gustafson" : "Amdahl"
# The shortest name of a law with its bound.
law_brief(i) = (i == 3 ? T("tesina") : law_name).", ".brief(i).(weak || !is_known(bound[i]) ? "" : ", ".put(T("bound %{bound}"), "bound", gprintf("%.3g", bound[i])))
law_text(i) = i == 1 ? put(put(T("%{law}, f: product / compute of %{method} with one worker"), "law", law_name.(weak ? ", s = 1 − f" : "")), "method", of_method[1]) : \
              i == 2 ? put(put(put(T("%{law}, fitted to %{method}, %{kind}"), "law", law_name), "method", of_method[2]), "kind", kind_name(of_kind[2])) : \
                       T("Amdahl, the tesina's f")
fit_note = drawn[2] ? "" : put(T("No fit: that needs three worker counts up to the number of cores, not %{counts}."), "counts", sprintf("%.0f", counts))
serial_note = drawn[2] || !is_known(lead_serial) ? "" : \
    put(put(T("Karp-Flatt at %{workers} workers: serial fraction %{share}"), "workers", sprintf("%.0f", lead_workers)), "share", \
        percent(lead_serial).(is_known(lead_low) ? ends(percent(lead_low), percent(lead_high)) : ""))
zone_note = put(beyond_seen ? T("Gray: more workers than the %{cores} cores; pale marks are not speedups.") : T("Gray: more workers than the %{cores} cores."), \
    "cores", sprintf("%.0f", cores))
elsewhere = 0
set table $unused
plot speedup_rows using (is_of("simulated") || is_of("predicted") ? (elsewhere = 1) : 0):(0) with table
unset table
exceed_note = exceeds ? T("Above the product's curve: workers also share the other stages.") : ""

# ---- the sheet ---------------------------------------------------------------------------------------------------
# Distances from the top left corner, in units in which a number is 13 high. A small size that the user chose shows only
# the curves and the key of the marks.
# Charts of a size between have no lines of text below the axes, but the laws' names beside their curves.
array note_lines[10]
middle = own && !small && canvas_h < 700
lines = 0
if (!small && !middle) {
    do for [i = 1:3] { if (drawn[i]) { lines = lines + 1 } }
}
law_lines = lines
if (!small && !middle) {
    if (strlen(fit_note) > 0) { lines = lines + 1; note_lines[lines] = fit_note }
    if (strlen(serial_note) > 0) { lines = lines + 1; note_lines[lines] = serial_note }
    if (strlen(exceed_note) > 0) { lines = lines + 1; note_lines[lines] = exceed_note }
    if (is_known(cores) && cores < reach) { lines = lines + 1; note_lines[lines] = zone_note }
    if (seen("SUSPECT")) { lines = lines + 1; note_lines[lines] = suspect_text }
    if (serial_seen) { lines = lines + 1; note_lines[lines] = T("Horizontal dotted: the best serial method; below it, several workers gain nothing over it.") }
    if (elsewhere) { lines = lines + 1; note_lines[lines] = T("Hollow: simulated. Thin dotted: predicted; its band: 95 %.") }
}
if (!own) {
    cut = strlen(finding) > 56 ? strstrt(finding[46:*], " ") + 45 : 0
    if (cut < 46 || cut > 64) { cut = 0 }
    title_font = font_of(cut > 0 || strlen(finding) > 56 ? 15 : 17)
}
down = cut ? 20 : 0
W = own ? canvas_w : 640.0
H = own ? canvas_h : 540.0 + 20 * lines + down
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
count = words(series)
left_px = small ? 28 : 46
right_px = W - (small ? 8 : middle ? 150 : 196)
top_from = small ? head + 18 : own ? head + 34 : 90 + down
below_to = small ? H - 37 : middle ? H - 58 : H - 70 - 20 * lines
top_to = small ? below_to : top_from + 0.74 * (below_to - top_from - 34)
below_from = top_to + 34
key_from = below_to + 72

# ---- both panels -------------------------------------------------------------------------------------------------
high = most(high, is_known(cores) ? least(cores, reach) : 1)
do for [i = 1:3] { if (drawn[i] && (i != 2 || law_end[i] < 4.5 * high)) { high = most(high, law_end[i]) } }
bottom = weak ? 0.8 : 0
top = weak ? 1.25 * most(far, reach) : 1.12 * high
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
array hue[3] = [0x882255, 0x882255, 0x777777]
find_hue(i) = (hue[i] = column("colour"), 0)
set table $unused
do for [i = 1:2] { if (drawn[i]) { plot speedup_rows using (is_mark(0) && text_in("colour") && stringcolumn("method") eq of_method[i] ? find_hue(i) : 0):(0) with table } }
unset table
array dash[3] = [1, 2, 3]
# The thickest lines join what was measured. A law that marks contradict is thin.
array width[3] = [exceeds ? 0.9 : 1.3, 1.3, 0.9]
shape_of(kind, distribution) = distribution eq "scatter" ? 13 : kind eq "threads" ? 7 : kind eq "ranks" ? 5 : 9
# Marks of one worker count are drawn next to each other.
aside(w) = 2.0 ** (least(0.07, 0.42 / count) * (w - 0.5 * (count + 1)))
is_in(w) = is_mark(0) && identity(0) eq word(series, w)
shown_in(w, source) = is_in(w) && stringcolumn("source") eq source
solid_in(w) = shown_in(w, "measured") && column("beyond") == 0 && !is_status("INVALID")
beyond_in(w) = shown_in(w, "measured") && column("beyond") > 0 && !is_status("INVALID")
place(w) = column("workers") == 1 && count > 1 ? 1 : column("workers") * aside(w)
# The interval of a prediction; for one worker there is none.
edge_in(w, name, middle) = shown_in(w, "predicted") ? (text_in(name) ? column(name) : column(middle)) : NaN
# An interval that is hidden by its mark is not drawn.
is_tall(low, high, span) = text_in(low) && column(high) - column(low) > 0.025 * span
# Workers that share the product alone have a shape of their own: their colour is that of the method.
kind_shape(w) = strstrt(part(word(series, w), 1), ", ") > 0 ? (part(word(series, w), 2) eq "ranks" ? 11 : 15) : shape_of(part(word(series, w), 2), part(word(series, w), 3))
# Where the topology changes: a short line from the axis, with its name.
place_count = 0
array place_at[8]; array place_name[8]
place_word(name) = name eq "node" ? T("NUMA node") : name eq "socket" ? T("socket") : name eq "fast" ? T("P cores") : name eq "slow" ? T("E cores") : \
    name eq "cores" ? T("cores") : name eq "threads" ? T("hardware threads") : T("one on each socket")
mark_place(x, name) = x > 1 && x <= reach && place_count < 8 ? (place_count = place_count + 1, place_at[place_count] = x, place_name[place_count] = name, 0) : 0
set table $unused
plot speedup_rows using (stringcolumn("row") eq "place" ? mark_place(column("workers"), stringcolumn("place")) : 0):(0) with table
unset table
do for [n = 1:place_count] {
    set arrow 80 + n from first place_at[n], graph 0 to first place_at[n], graph 0.05 nohead linewidth 1.2 linecolor rgb faint front
    if (!small) { set label 90 + n place_word(place_name[n]) at first place_at[n], graph 0.07 left rotate by 90 font font11 textcolor rgb faint front }
}
set multiplot

set tmargin at screen Y(top_from)
set bmargin at screen Y(top_to)
set yrange [bottom:top]
y_factor = top < 10 ? 2.0 : 4.0
if (weak) { set logscale y 2; set ytics (1); do for [n = 1:int(log(top) / log(y_factor))] { set ytics add (y_factor ** n) }; set format y "%.0f" } else { y_step = step_of(top, most(2, floor((top_to - top_from) / 40.0))); if (small && y_step < 1) { y_step = 1 }; set ytics y_step; set format y "%g" }
set label 7 (weak ? T("scaled speedup") : T("speedup")) at screen X(6), screen Y(top_from - 14) left font font15 front
set xtics font font15
set ytics font font15
# Each law is named where it ends.
label_count = 0
do for [i = 1:3] { if (drawn[i] && !small) { label_count = label_count + 1 } }
if (label_count > 0) {
    array spread_y[label_count]; array label_law[label_count]
    n = 0
    do for [i = 1:3] { if (drawn[i] && !small) { n = n + 1; label_law[n] = i; spread_y[n] = least(1.0, height(law_end[i])) } }
    spread_n = label_count
    spread_gap = (own ? (weak ? 31.0 : 46.0) : weak ? 18.0 : 35.0) / (top_to - top_from)
    load plots."/lib/spread_labels.gp"
    do for [n = 1:label_count] {
        set label 10 + n law_label(label_law[n]) at screen X(right_px + 8), graph spread_y[n] + (weak ? 0 : 7.0 / (top_to - top_from)) left font (own ? fitting_font(put(T("bound %{bound}"), "bound", "2.50 [2.48, 2.52]"), 1 - X(right_px + 10), 12) : font12) textcolor rgb hue[label_law[n]] front
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
    y_text = weak ? T("scaled speedup") : T("speedup")
    unset label 7
    load plots."/lib/axis_titles.gp"
    key_count = count
    do for [i = 1:3] { key_count = key_count + drawn[i] }
    array key_text[key_count]
    array key_hue[key_count]
    array key_law[key_count]
    do for [w = 1:count] { key_text[w] = series_name(word(series, w)); key_hue[w] = colours[w]; key_law[w] = 0 }
    n = count
    do for [i = 1:3] { if (drawn[i]) { n = n + 1; key_law[n] = i; key_hue[n] = hue[i]; key_text[n] = law_brief(i) } }
    key_shape(n) = kind_shape(n)
    key_dash(n) = key_law[n] > 0 ? dash[key_law[n]] : 0
    key_body = X(right_px) - X(left_px)
    key_span = top_to - top_from
    do for [key_placed = 0:1] { load plots."/lib/key_inside.gp" }
    free = most(0.3, 1 - (13.0 * key_lines + 2) / key_span)
    set yrange [bottom:(weak ? bottom * (top / bottom) ** (1 / free) : bottom + (top - bottom) / free)]
}
plot for [i = 1:2] speedup_rows using (is_law(word(laws, i)) && text_in("lower") ? column("workers") : NaN):(column("lower")):(column("upper")) \
         with filledcurves linecolor rgb hue[i] fillstyle transparent solid 0.15 noborder, \
     for [w = 1:count] speedup_rows using (shown_in(w, "predicted") ? column("workers") : NaN):(most(bottom, edge_in(w, "lower", "speedup"))):(least(top, edge_in(w, "upper", "speedup"))) \
         with filledcurves linecolor rgb colours[w] fillstyle transparent solid 0.12 noborder, \
     speedup_rows using (is_law("ideal") ? column("workers") : NaN):(column("speedup")) with lines linewidth 1.2 dashtype 4 linecolor rgb faint, \
     for [i = 1:3] speedup_rows using (is_law(word(laws, i)) ? column("workers") : NaN):(column("speedup")) \
         with lines linewidth width[i] dashtype dash[i] linecolor rgb hue[i], \
     for [w = 1:count] speedup_rows using (shown_in(w, "predicted") ? column("workers") : NaN):(column("speedup")) \
         with lines linewidth 1.2 dashtype 3 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (solid_in(w) ? place(w) : NaN):(column("speedup")) with lines linewidth 1.8 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (solid_in(w) && is_tall("lower", "upper", weak ? 4 * column("speedup") : top) ? place(w) : NaN):(column("speedup")):(most(bottom, column("lower"))):(least(top, column("upper"))) \
         with yerrorbars pointtype -1 linewidth 1.2 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (beyond_in(w) && is_tall("lower", "upper", weak ? 4 * column("speedup") : top) ? place(w) : NaN):(column("speedup")):(most(bottom, column("lower"))):(least(top, column("upper"))) \
         with yerrorbars pointtype -1 linewidth 1.0 linecolor rgb pale(colours[w]), \
     for [w = 1:count] speedup_rows using (shown_in(w, "simulated") ? column("workers") : NaN):(column("speedup")) \
         with points pointtype kind_shape(w) - 1 pointsize 0.75 linewidth 1.4 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (beyond_in(w) ? place(w) : NaN):(column("speedup")) \
         with points pointtype kind_shape(w) pointsize 0.75 linecolor rgb pale(colours[w]), \
     for [w = 1:count] speedup_rows using (solid_in(w) ? place(w) : NaN):(column("speedup")) \
         with points pointtype kind_shape(w) pointsize 0.8 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (shown_in(w, "measured") && is_status("SUSPECT") ? place(w) : NaN):(column("speedup")) \
         with points pointtype 6 pointsize 1.5 linewidth 0.9 linecolor rgb 0x888888, \
     for [w = 1:count] speedup_rows using (solid_in(w) && text_in("serial_lower") && column("serial_lower") > 1 ? column("workers") : NaN):(column("serial")) \
         with lines linewidth 1.2 dashtype 3 linecolor rgb colours[w], \
     speedup_rows using (is_of("measured") && is_status("INVALID") ? column("workers") : NaN):(column("speedup")) \
         with points pointtype 2 pointsize 1.1 linewidth 2.2 linecolor rgb 0xCC0000
unset label 1001; unset label 1002; unset label 9
do for [n = 1:place_count] { unset label 90 + n; unset arrow 80 + n }
do for [n = 1:3] { unset label 10 + n }

if (middle && seen("SUSPECT")) { set label 1003 suspect_text at screen 0.985, screen tall(8) right font font11 textcolor rgb faint front }
if (small && seen("SUSPECT")) { set label 1003 suspect_text at screen X(right_px - 2), screen Y(top_to - 10) right font font11 textcolor rgb faint front }
# ---- the rate and its limit, where that was measured, or the efficiency --------------------------------------------------------------------------------------------------
if (small) { unset multiplot; exit }
set tmargin at screen Y(below_from)
set bmargin at screen Y(below_to)
unset logscale y
rated = !weak && rate_high > 0
set yrange [0:(rated ? 1.12 * rate_high / 1e9 : full)]
# A number takes 13 units of the height, and as much is free.
lower_steps = most(1, least(3, int((below_to - below_from) / 26)))
rate_span = 1.12 * rate_high / 1e9
rate_step = rated ? step_of(rate_span, lower_steps) : 1
if (rated && rate_step > rate_span) { rate_step = step_of(rate_span, lower_steps + 1) }
set ytics 0, (rated ? rate_step : lower_steps > 1 ? 0.5 : 1)
set format y "%g"
set format x "%.0f"
rate_text = !moves ? T("GB/s of image and map; dashed: this machine's limit") : limit_seen ? T("GB/s to and from memory; dashed: this machine's limit") : T("GB/s to and from memory")
set label 7 (rated ? rate_text : T("efficiency")) at screen X(6), screen Y(below_from - 14) left font font15 front
set label 6 T("workers (ranks × threads)") at screen X(0.5 * (left_px + right_px)), screen Y(below_to + (middle ? 47 : 43)) center font font15 front
# The key of the marks is on the right, the key of the lines below.
name_wide = 0
do for [w = 1:count] { name_wide = most(name_wide, strlen(series_name(word(series, w)))) }
key_font = font_of(least(12, (W - right_px - 26) / (0.6 * most(1, name_wide))))
key_gap = count > 8 ? 140.0 / count : 17.0
do for [w = 1:count] {
    set label 20 + w series_name(word(series, w)) at screen X(right_px + 18), screen Y(below_from + 4 + key_gap * (w - 1)) left \
        font key_font point pointtype kind_shape(w) - (strlen(part(word(series, w), 4)) > 0 ? 1 : 0) pointsize 0.75 linewidth 1.4 linecolor rgb colours[w] offset 0.7,0 front
}
n = 0
do for [i = 1:3] { if (drawn[i]) {
    n = n + 1
    set arrow 60 + i from screen X(16), screen Y(key_from + 20 * (n - 1)) to screen X(50), screen Y(key_from + 20 * (n - 1)) nohead linewidth width[i] dashtype dash[i] linecolor rgb hue[i] front
    set label 60 + i law_text(i) at screen X(58), screen Y(key_from + 20 * (n - 1)) left font font12 front
} }
do for [n = law_lines + 1:lines] {
    set label 70 + n note_lines[n] at screen X(16), screen Y(key_from + 20 * (n - 1)) left font font12 textcolor rgb 0x444444 front
}
if (rated) {
    plot for [w = 1:count] speedup_rows using (solid_in(w) && text_in("limit_rate") ? column("workers") : NaN):(column("limit_rate") / 1e9) \
             with lines linewidth 1.2 dashtype 2 linecolor rgb faint, \
         for [w = 1:count] speedup_rows using (solid_in(w) ? place(w) : NaN):(column("rate") / 1e9) with lines linewidth 1.8 linecolor rgb colours[w], \
         for [w = 1:count] speedup_rows using (solid_in(w) ? place(w) : NaN):(column("rate") / 1e9) \
             with points pointtype kind_shape(w) pointsize 0.7 linecolor rgb colours[w], \
         for [w = 1:count] speedup_rows using (solid_in(w) && is_status("SUSPECT") ? place(w) : NaN):(column("rate") / 1e9) \
             with points pointtype 6 pointsize 1.4 linewidth 0.9 linecolor rgb 0x888888
    unset multiplot
    exit
}
plot for [w = 1:count] speedup_rows using (shown_in(w, "predicted") ? column("workers") : NaN):(most(0, edge_in(w, "efficiency_lower", "efficiency"))):(least(full, edge_in(w, "efficiency_upper", "efficiency"))) \
         with filledcurves linecolor rgb colours[w] fillstyle transparent solid 0.12 noborder, \
     speedup_rows using (is_law("ideal") ? column("workers") : NaN):(1) with lines linewidth 1.2 dashtype 4 linecolor rgb faint, \
     for [i = 1:3] speedup_rows using (is_law(word(laws, i)) ? column("workers") : NaN):(column("efficiency")) \
         with lines linewidth width[i] dashtype dash[i] linecolor rgb hue[i], \
     for [w = 1:count] speedup_rows using (shown_in(w, "predicted") ? column("workers") : NaN):(column("efficiency")) \
         with lines linewidth 1.2 dashtype 3 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (solid_in(w) ? place(w) : NaN):(column("efficiency")) with lines linewidth 1.8 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (solid_in(w) && is_tall("efficiency_lower", "efficiency_upper", full * 2) ? place(w) : NaN):(column("efficiency")):(most(0, column("efficiency_lower"))):(least(full, column("efficiency_upper"))) \
         with yerrorbars pointtype -1 linewidth 1.2 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (shown_in(w, "simulated") ? column("workers") : NaN):(column("efficiency")) \
         with points pointtype kind_shape(w) - 1 pointsize 0.65 linewidth 1.3 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (beyond_in(w) ? place(w) : NaN):(column("efficiency")) \
         with points pointtype kind_shape(w) pointsize 0.65 linecolor rgb pale(colours[w]), \
     for [w = 1:count] speedup_rows using (solid_in(w) ? place(w) : NaN):(column("efficiency")) \
         with points pointtype kind_shape(w) pointsize 0.7 linecolor rgb colours[w], \
     for [w = 1:count] speedup_rows using (shown_in(w, "measured") && is_status("SUSPECT") ? place(w) : NaN):(column("efficiency")) \
         with points pointtype 6 pointsize 1.4 linewidth 0.9 linecolor rgb 0x888888
unset multiplot
