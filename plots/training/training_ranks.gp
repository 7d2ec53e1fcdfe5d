# Time of a training step over ranks, a line for each strategy, machine and batch: filled marks were measured here,
# hollow ones simulated.
load plots."/lib/style.gp"
is_any(row) = stringcolumn("task") eq "train" && text_in("strategy") && text_in("total_s") && !(stringcolumn("status") eq "INVALID")
key_of(row) = stringcolumn("strategy")."/".(text_in("platform") ? stringcolumn("platform") : "-")."/".stringcolumn("batch")."/".stringcolumn("network")
list = ""
simulated = 0
add(text) = strstrt(list, '"'.text.'"') > 0 ? 0 : (list = list.'"'.text.'" ', 1)
set table $unused
plot points using (is_any(0) && text_in("platform") ? (simulated = simulated + 1, add(key_of(0))) : 0) with table
plot points using (is_any(0) ? add(key_of(0)) : 0) with table
unset table
count = words(list)
if (simulated == 0) {
    lacking = T("no ranks were simulated")
    load plots."/lib/nothing.gp"
}
key(i) = word(list, i)
part(i, n) = n == 1 ? key(i)[1:strstrt(key(i), "/") - 1] : part_of(key(i)[strstrt(key(i), "/") + 1:*], n - 1)
part_of(text, n) = n == 1 ? text[1:(strstrt(text, "/") ? strstrt(text, "/") - 1 : strlen(text))] : part_of(text[strstrt(text, "/") + 1:*], n - 1)
at_home(i) = part(i, 2) eq "-"
label_of(i) = (part(i, 1) eq "central" ? "central" : T("mirrored")).", ".(at_home(i) ? T("here") : part(i, 2)).", ".part(i, 3)
brief_name(i) = label_of(i)
array hue[8] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x882255, 0x999933]
array last_x[count]; array last_y[count]
low = 1e300; high = -1e300; wide = 0; far = 1
set table $unused
do for [i = 1:count] {
    last_x[i] = -1
    plot points using (is_any(0) && key_of(0) eq key(i) ? \
        (low = column("total_s") < low ? column("total_s") : low, high = column("total_s") > high ? column("total_s") : high, \
         far = column("ranks") > far ? column("ranks") : far, \
         column("ranks") > last_x[i] ? (last_x[i] = column("ranks"), last_y[i] = column("total_s"), 0) : 0) : 0):(0) with table
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
y_text = T("time of a step")
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel T("MPI ranks") font font13 }
if (!small) { set ylabel T("time of a step") font font13 offset 1.4,0 }
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
set label 1003 (small ? T("filled: measured · hollow: simulated") : T("filled: measured · hollow: simulated · number: images of a batch")) at screen 0.985, screen (small ? tall(8) : 0.022) right font (small ? font_of(9) : font11) textcolor rgb faint front
plot for [i = 1:count] points using (is_any(0) && key_of(0) eq key(i) ? column("ranks") : NaN):(column("total_s")) smooth unique \
         with lines linewidth 1.4 linecolor rgb hue[(i - 1) % 8 + 1], \
     for [i = 1:count] points using (is_any(0) && key_of(0) eq key(i) ? column("ranks") : NaN):(column("total_s")) \
         with points pointtype (at_home(i) ? 7 : 6) pointsize 0.8 linewidth 1.6 linecolor rgb hue[(i - 1) % 8 + 1]
