# Measured, simulated and predicted time over ranks, at the largest simulated n: filled marks are measured, hollow ones
# simulated, lines are the model's with its 95 % band. The fastest rank count is named.
load plots."/lib/style.gp"
n = 0
list = ""
add(text) = strstrt(list, '"'.text.'"') > 0 ? 0 : (list = list.'"'.text.'" ', 1)
is_point(source) = source eq "measured" || source eq "simulated"
set table $unused
plot scale using (stringcolumn("source") eq "simulated" && column("rows") > n ? (n = column("rows")) : 0) with table
plot scale using (is_point(stringcolumn("source")) && column("rows") == n ? add(stringcolumn("series")) : 0) with table
unset table
count = words(list)
if (count == 0) {
    lacking = T("nothing was simulated")
    load plots."/lib/nothing.gp"
}
name(i) = word(list, i)
here(i, source) = stringcolumn("series") eq name(i) && stringcolumn("source") eq source && column("rows") == n
at_home(i) = strstrt(name(i), " here")
label_of(i) = at_home(i) ? substr(name(i), 1, at_home(i)).T("here, measured") : name(i).T(", simulated")
brief_name(i) = at_home(i) ? label_of(i) : name(i)
array hue[8] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x882255, 0x999933]
array last_x[count]; array last_y[count]; array least_x[count]; array least_y[count]
low = 1e300; high = -1e300; wide = 0; far = 1
set table $unused
do for [i = 1:count] {
    last_x[i] = -1; least_y[i] = 1e300
    plot scale using (stringcolumn("series") eq name(i) && column("rows") == n && text_in("seconds") ? \
        (low = column("seconds") < low ? column("seconds") : low, high = column("seconds") > high ? column("seconds") : high, \
         far = column("ranks") > far ? column("ranks") : far, \
         column("ranks") > last_x[i] ? (last_x[i] = column("ranks"), last_y[i] = column("seconds"), 0) : 0, \
         column("seconds") < least_y[i] ? (least_y[i] = column("seconds"), least_x[i] = column("ranks"), 0) : 0, 0) : 0):(0) with table
    wide = strlen(label_of(i)) > wide ? strlen(label_of(i)) : wide
}
unset table
bottom = low / 2
top = high * 2
if (small) { left_room = across(58) }
set lmargin at screen own ? left_room : 0.135
set rmargin at screen small ? 1 - across(12) : 0.985 - letters_wide(wide, 12)
set bmargin at screen bottom_edge
if (small) { set tmargin at screen upper_edge }
set logscale x 2
set logscale y 10
set format x "%.0f"
set format y "%.0s %cs"
set xrange [0.85:far * 1.2]
set yrange [bottom:top]
axis_left = left_room
axis_right = 0.985
title_left = across(4)
y_title_at = above(head + 9)
note_wide = 0
x_text = T("MPI ranks")
y_text = T("total time")
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel T("MPI ranks") font font13 }
if (!small) { set ylabel T("total time") font font13 offset 1.4,0 }
# A small chart has its names inside, above the curves.
if (small) {
    key_count = count
    array key_text[count]
    array key_hue[count]
    do for [i = 1:count] { key_text[i] = brief_name(i); key_hue[i] = hue[(i - 1) % 8 + 1] }
    key_shape(n) = at_home(n) ? 7 : 6
    key_body = 1 - across(12) - left_room
    key_span = (upper_edge - bottom_edge) * canvas_h
    do for [key_placed = 0:1] { load plots."/lib/key_inside.gp" }
    free = most(0.3, 1 - (13.0 * key_lines + 2) / key_span)
    set yrange [bottom:bottom * (top / bottom) ** (1 / free)]
}
if (own) {
    set ytics (0 0)
    at = fitting_ticks(bottom, top, (small ? free : 1) * (upper_edge - bottom_edge) * canvas_h, 18)
    do for [n = 1:words(at)] { set ytics add (sprintf("%s", tick_text("%.0s %cs", real(word(at, n)))) real(word(at, n))) }
    every = int(ceil(log(far * 1.4) / log(2.0) / ((1 - left_room - (small ? 0 : letters_wide(wide, 12))) * canvas_w / 45)))
    set xtics (1)
    do for [n = 1:int(log(far * 1.2) / log(2.0) / every)] { set xtics add (2.0 ** (every * n)) }
}
array spread_y[count]
do for [i = 1:count] { spread_y[i] = log(last_y[i] / bottom) / log(top / bottom) }
spread_n = count
spread_gap = 1.35 * 12 / (own ? (upper_edge - bottom_edge) * canvas_h : 480 * 0.68)
load plots."/lib/spread_labels.gp"
do for [i = 1:(small ? 0 : count)] {
    set label 10 + i label_of(i) at graph 1.02, graph spread_y[i] left font font12 textcolor rgb hue[(i - 1) % 8 + 1] front
}
# The rank count with the least time, on the line that gets fastest: more ranks do not help.
first = 0
do for [i = 1:count] { if (!at_home(i)) { if (first == 0) { first = i }; if (least_y[i] < least_y[first]) { first = i } } }
if (first > 0) {
    set label 40 put(T("fastest: %{ranks}"), "ranks", sprintf("%.0f", least_x[first])) at least_x[first], least_y[first] right offset -1, (small ? 0.8 : -0.7) font font11 textcolor rgb faint front
}
set label 1003 (small ? T("filled: measured · hollow: simulated") : T("filled: measured · hollow: simulated · line: predicted")) at screen 0.985, screen (small ? tall(8) : 0.022) right font (small ? font_of(9) : font11) textcolor rgb faint front
plot for [i = 1:count] scale using (here(i, "predicted") ? column("ranks") : NaN):(column("predicted_lower_s")):(column("predicted_upper_s")) \
         with filledcurves linecolor rgb hue[(i - 1) % 8 + 1] fillstyle transparent solid 0.15 noborder, \
     for [i = 1:count] scale using (here(i, "predicted") ? column("ranks") : NaN):(column("predicted_s")) \
         with lines linewidth 1.4 dashtype 3 linecolor rgb hue[(i - 1) % 8 + 1], \
     for [i = 1:count] scale using (here(i, "simulated") ? column("ranks") : NaN):(column("seconds")) \
         with points pointtype 6 pointsize 0.8 linewidth 1.6 linecolor rgb hue[(i - 1) % 8 + 1], \
     for [i = 1:count] scale using (here(i, "measured") ? column("ranks") : NaN):(column("seconds")):(column("lower_s")):(column("upper_s")) \
         with yerrorbars pointtype 7 pointsize 0.8 linewidth 1.6 linecolor rgb hue[(i - 1) % 8 + 1]
