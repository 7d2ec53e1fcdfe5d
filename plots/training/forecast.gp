# Forecasts: their skill relative to persistence for each batch size, and one day with the smallest batch: observed and
# predicted values.
load plots."/lib/style.gp"
load plots."/lib/training_file.gp"
is_scored(row) = is_what("epoch") && text_in("persistence")
batches = ""
note_batch(n) = strstrt(batches, sprintf(" %d ", n)) > 0 ? 0 : (batches = batches.sprintf(" %d ", n), 0)
set table $unused
if (there) { plot training using (is_scored(0) ? note_batch(column("images")) : 0):(0) with table }
unset table
count = words(batches)
if (count == 0) {
    lacking = T("no forecasts were recorded")
    load plots."/lib/nothing.gp"
}
if (count < least_places) {
    load plots."/lib/too_few_values.gp"
}
array batch_at[count]
array epoch_at[count]
array skill_at[count]
smallest = 0
largest = 0
lowest = 0.0
note(b, epoch, skill) = epoch >= epoch_at[b] ? (epoch_at[b] = epoch, skill_at[b] = skill, 0) : 0
set table $unused
do for [b = 1:count] {
    batch_at[b] = int(word(batches, b))
    epoch_at[b] = 0
    skill_at[b] = 0.0
    plot training using (is_scored(0) && column("images") == batch_at[b] ? note(b, column("epoch"), 1.0 - column("test_error") / column("persistence")) : 0):(0) with table
    smallest = smallest == 0 || batch_at[b] < smallest ? batch_at[b] : smallest
    largest = batch_at[b] > largest ? batch_at[b] : largest
    lowest = skill_at[b] < lowest ? skill_at[b] : lowest
}
unset table
came = 0x0072B2
said = 0xD55E00
is_of_day(row) = is_what("forecast") && column("images") == smallest
# The launch whose day is drawn: one of several with the same results. Files of earlier versions have no such rows.
day = ""
note_day(text) = strlen(day) == 0 ? (day = text, 0) : 0
set table $unused
plot training using (is_of_day(0) ? note_day(stringcolumn("run_id")) : 0):(0) with table
unset table
is_moment(row) = is_of_day(0) && stringcolumn("run_id") eq day
# The edges of two panels.
if (own) { left_room = across(52) }
left_1 = own ? left_room : 0.085
right_1 = own ? (small ? 0.5 - across(5) : 0.43) : 0.34
left_2 = own ? (small ? 0.5 + left_room - across(5) : 0.53) : 0.43
right_2 = own && small ? 1 - across(9) : 0.86
set bmargin at screen bottom_edge
set tmargin at screen panel_edge
set multiplot
set lmargin at screen left_1
set rmargin at screen right_1
set label 1 T("skill against persistence") at screen small ? across(4) : left_1, screen panel_name_y left font fitting_font(T("skill against persistence"), right_1 - (small ? 0 : left_1), 13)
if (small) { set label 1011 T("batch") at screen left_1, screen tall(8) left font font12 } else { set xlabel T("batch") font font13 }
set logscale x 10
set xrange [smallest / 1.6:largest * 1.6]
set xtics (0 0)
batch_free = 0.0
do for [b = 1:count] {
    batch_x = log(batch_at[b] / smallest * 1.6) / log(2.56 * largest / smallest) * (right_1 - left_1)
    batch_half = 0.5 * letters_wide(strlen(sprintf("%d", batch_at[b])), 13)
    if (!own || batch_x - batch_half >= batch_free) { set xtics add (sprintf("%d", batch_at[b]) batch_at[b]); batch_free = batch_x + batch_half + across(5) }
}
set yrange [1.1 * lowest:1.02]
set format y "%g"
plot for [b = 1:count] '+' every ::0::0 using (batch_at[b]):(skill_at[b]) with points pointtype 7 pointsize 0.8 linecolor rgb said
unset label 1001
unset label 1002
unset label 1011
unset logscale x
if (strlen(day) > 0) {
    set lmargin at screen left_2
    set rmargin at screen right_2
    set label 1 put(T("one day, batch %{images}"), "images", sprintf("%d", smallest)) at graph 0, screen panel_name_y left font fitting_font(T("one day, batch %{images}"), right_2 - left_2, 13)
    if (small) { set label 1012 T("hour of the day") at screen left_2, screen tall(8) left font font12 } else { set xlabel T("hour of the day") font font13 }
    set xrange [6.9:17.1]
    if (own) { set xtics 7, 3 } else { set xtics 2 }
    set yrange [0:*]
    if (small) {
        stats training using (is_moment(0) ? (column("true_value") > column("predicted_value") ? column("true_value") : column("predicted_value")) : NaN) nooutput name "day"
        set yrange [0:1.35 * day_max]
        set ytics step_of(1.35 * day_max, 4)
    }
    set label 21 T("observed") at graph (small ? 0.03 : 1.03), graph (small ? 0.95 : 0.60) left font font12 textcolor rgb came
    set label 22 T("predicted") at graph (small ? 0.03 : 1.03), graph (small ? 0.86 : 0.52) left font font12 textcolor rgb said
    plot training using (is_moment(0) ? column("day_seconds") / 3600.0 : NaN):(column("true_value")) with lines linewidth 1.6 linecolor rgb came, \
         training using (is_moment(0) ? column("day_seconds") / 3600.0 : NaN):(column("predicted_value")) with points pointtype 7 pointsize 0.45 linecolor rgb said
}
unset multiplot
