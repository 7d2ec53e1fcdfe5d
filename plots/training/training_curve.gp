# Loss and accuracy by epoch: on the training data, and on images that were not trained with.
load plots."/lib/style.gp"
load plots."/lib/training_file.gp"
set table $unused
if (there) { plot training using (find("epoch")):(0) with table }
unset table
if (found == 0) {
    lacking = T("no epochs were recorded")
    load plots."/lib/nothing.gp"
}
trained = 0x0072B2
tested = 0xD55E00
last = 0
loss_end = 0; hits_end = 0; test_end = NaN
note(epoch, loss, hits, test) = epoch >= last ? (last = epoch, loss_end = loss, hits_end = hits, test_end = test, 0) : 0
set table $unused
plot training using (is_what("epoch") ? note(column("epoch"), column("loss"), column("accuracy"), column("test_accuracy")) : 0):(0) with table
unset table
if (last < least_places) {
    load plots."/lib/too_few_values.gp"
}
of_epoch(name) = is_what("epoch") ? column(name) : NaN
# The edges of two panels.
if (own) { left_room = across(52) }
left_1 = own ? left_room : 0.085
right_1 = own ? (small ? 0.5 - across(5) : 0.43) : 0.43
left_2 = own ? (small ? 0.5 + left_room - across(5) : 0.53) : 0.53
right_2 = own ? 1 - across(9) : 0.84
set bmargin at screen bottom_edge
set tmargin at screen panel_edge
axis_left = left_1
axis_right = 0.985
note_wide = 0
x_text = T("epoch")
y_text = ""
load plots."/lib/axis_titles.gp"
if (!own) { set xlabel T("epoch") font font13 }
if (own) { set xtics step_of(1.06 * last, most(2, int((right_1 - left_1) * canvas_w / 32))) }
set xrange [(last > 1 ? 1 - 0.03 * last : 0):(last > 1 ? 1.03 * last : 2)]
if (last < 9 && !own) { set xtics 1 }
set multiplot
set lmargin at screen left_1
set rmargin at screen right_1
set label 1 T("loss") at graph 0, screen panel_name_y left font font13
set logscale y 10
set format y "%g"
plot training using (last > 2 ? of_epoch("epoch") : NaN):(of_epoch("loss")) smooth unique with lines linewidth 2 linecolor rgb trained, \
     training using (of_epoch("epoch")):(of_epoch("loss")) with points pointtype 7 pointsize (last < 30 ? 0.6 : 0.25) linecolor rgb trained
unset label 1001
unset label 1002
unset label 1011
unset logscale y
set lmargin at screen left_2
set rmargin at screen right_2
set yrange [0:1.02]
set format y "%g"
set ytics 0.2
set label 1 T("accuracy") at graph 0, screen panel_name_y left font font13
array tesina[2] = [word(published, 1) / 100.0, word(published, 2) / 100.0]
do for [i = 1:2] { set arrow 10 + i from graph 0, first tesina[i] to graph 1, first tesina[i] nohead dashtype 3 linewidth 1.2 linecolor rgb faint }
spread_n = 3
array spread_y[3] = [hits_end / 1.02, (test_end == test_end ? test_end : hits_end) / 1.02, (tesina[1] + tesina[2]) / 2 / 1.02]
spread_gap = own ? 15 / ((panel_edge - bottom_edge) * canvas_h) : 0.062
load plots."/lib/spread_labels.gp"
# A chart of a chosen size has the names inside, below the curves, which end high.
name_x = own ? 0.97 : 1.03
name_side = own ? "right" : "left"
if (own) { do for [i = 1:3] { spread_y[i] = 0.45 - 0.12 * i } }
set label 21 T("training") at graph name_x, graph spread_y[1] @name_side font font12 textcolor rgb trained
if (test_end == test_end) { set label 22 T("test") at graph name_x, graph spread_y[2] @name_side font font12 textcolor rgb tested }
set label 23 T("tesina") at graph name_x, graph spread_y[3] @name_side font font12 textcolor rgb faint
plot training using (last > 2 ? of_epoch("epoch") : NaN):(of_epoch("accuracy")) smooth unique with lines linewidth 2 linecolor rgb trained, \
     training using (of_epoch("epoch")):(of_epoch("accuracy")) with points pointtype 7 pointsize (last < 30 ? 0.6 : 0.25) linecolor rgb trained, \
     training using (last > 2 ? of_epoch("epoch") : NaN):(of_epoch("test_accuracy")) smooth unique with lines linewidth 2 linecolor rgb tested, \
     training using (of_epoch("epoch")):(of_epoch("test_accuracy")) with points pointtype 7 pointsize (last < 30 ? 0.6 : 0.25) linecolor rgb tested
unset multiplot
