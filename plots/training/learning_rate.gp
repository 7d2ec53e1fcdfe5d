# The loss while the learning rate grows from step to step, and the suggested rate.
load plots."/lib/style.gp"
load plots."/lib/training_file.gp"
set table $unused
if (there) { plot training using (find("rate")):(0) with table }
unset table
if (found == 0) {
    lacking = T("no learning rates were tried")
    load plots."/lib/nothing.gp"
}
suggested = NaN
suggested_loss = NaN
used = NaN
take(rate, loss, mark, trained_with) = (used = trained_with, mark == 1 ? (suggested = rate, suggested_loss = loss, 0) : 0)
set table $unused
plot training using (is_what("rate") ? take(column("rate"), column("smoothed_loss"), column("suggested"), column("learning_rate")) : 0):(0) with table
unset table
stats training using (is_what("rate") ? column("rate") : NaN) nooutput name "rates"
if (own) { left_room = across(52) }
set lmargin at screen own ? left_room : 0.11
set rmargin at screen own ? 1 - across(14) : 0.95
set bmargin at screen bottom_edge
if (small) { set tmargin at screen upper_edge }
set logscale xy 10
set format x "%g"
set format y "%g"
axis_left = left_room
axis_right = 0.985
title_left = across(4)
y_title_at = above(head + 9)
note_wide = 0
x_text = T("learning rate of the step")
y_text = T("loss")
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel x_text font font13 }
if (!small) { set ylabel y_text font font13 offset 1.4, 0 }
if (own) {
    set xtics (0 0)
    at = fitting_ticks(rates_min, rates_max, (1 - left_room) * canvas_w, 58)
    do for [n = 1:words(at)] { set xtics add (sprintf("%g", real(word(at, n))) real(word(at, n))) } }
# A text on the right of its line, or on the left if the line is in the right half.
rate_side(x) = rates_max > 0 && log(x / rates_min) > 0.5 * log(rates_max / rates_min)
of_rate(name) = is_what("rate") ? column(name) : NaN
suggested_side = own && rate_side(suggested) ? "right offset -0.6, 0" : "left offset 0.6, 0"
used_side = own && rate_side(used) ? "right offset -0.6, 0" : "left offset 0.6, 0"
if (suggested == suggested) {
    set arrow 1 from first suggested, graph 0 to first suggested, graph 1 nohead dashtype 3 linewidth 1.4 linecolor rgb 0xD55E00
    set label 1 put(T("falls fastest: %{rate}"), "rate", sprintf("%.2g", suggested)) at first suggested, graph 0.95 @suggested_side font font12 textcolor rgb 0xD55E00
}
if (used == used) {
    set arrow 2 from first used, graph 0 to first used, graph 1 nohead dashtype 4 linewidth 1.2 linecolor rgb faint
    set label 2 put(T("trained with: %{rate}"), "rate", sprintf("%.2g", used)) at first used, graph 0.86 @used_side font font12 textcolor rgb faint
}
if (own) {
    set label 3 T("each step") at graph 0.04, graph 0.14 left offset 0.6, 0 font font11 textcolor rgb 0x7090B0 point pointtype 7 pointsize 0.4 linecolor rgb 0xB0C8DC
    set label 4 T("moving average") at graph 0.04, graph 0.06 left offset 0.6, 0 font font11 textcolor rgb 0x0072B2
}
plot training using (of_rate("rate")):(of_rate("loss")) with points pointtype 7 pointsize 0.35 linecolor rgb 0xB0C8DC, \
     training using (of_rate("rate")):(of_rate("smoothed_loss")) smooth unique with lines linewidth 2 linecolor rgb 0x0072B2
