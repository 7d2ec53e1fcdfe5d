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
set bmargin at screen 0.17
set tmargin at screen 0.805
set xlabel T("epoch") font font13
set xrange [(last > 1 ? 1 - 0.03 * last : 0):(last > 1 ? 1.03 * last : 2)]
if (last < 9) { set xtics 1 }
set multiplot
set lmargin at screen 0.085
set rmargin at screen 0.43
set label 1 T("loss") at graph 0, screen 0.832 left font font13
set logscale y 10
set format y "%g"
plot training using (last > 2 ? of_epoch("epoch") : NaN):(of_epoch("loss")) smooth unique with lines linewidth 2 linecolor rgb trained, \
     training using (of_epoch("epoch")):(of_epoch("loss")) with points pointtype 7 pointsize (last < 30 ? 0.6 : 0.25) linecolor rgb trained
unset label 1001
unset label 1002
unset logscale y
set lmargin at screen 0.53
set rmargin at screen 0.84
set yrange [0:1.02]
set format y "%g"
set ytics 0.2
set label 1 T("accuracy") at graph 0, screen 0.832 left font font13
array tesina[2] = [word(published, 1) / 100.0, word(published, 2) / 100.0]
do for [i = 1:2] { set arrow 10 + i from graph 0, first tesina[i] to graph 1, first tesina[i] nohead dashtype 3 linewidth 1.2 linecolor rgb faint }
spread_n = 3
array spread_y[3] = [hits_end / 1.02, (test_end == test_end ? test_end : hits_end) / 1.02, (tesina[1] + tesina[2]) / 2 / 1.02]
spread_gap = 0.062
load plots."/lib/spread_labels.gp"
set label 21 T("training") at graph 1.03, graph spread_y[1] left font font12 textcolor rgb trained
if (test_end == test_end) { set label 22 T("test") at graph 1.03, graph spread_y[2] left font font12 textcolor rgb tested }
set label 23 T("tesina") at graph 1.03, graph spread_y[3] left font font12 textcolor rgb faint
plot training using (last > 2 ? of_epoch("epoch") : NaN):(of_epoch("accuracy")) smooth unique with lines linewidth 2 linecolor rgb trained, \
     training using (of_epoch("epoch")):(of_epoch("accuracy")) with points pointtype 7 pointsize (last < 30 ? 0.6 : 0.25) linecolor rgb trained, \
     training using (last > 2 ? of_epoch("epoch") : NaN):(of_epoch("test_accuracy")) smooth unique with lines linewidth 2 linecolor rgb tested, \
     training using (of_epoch("epoch")):(of_epoch("test_accuracy")) with points pointtype 7 pointsize (last < 30 ? 0.6 : 0.25) linecolor rgb tested
unset multiplot
