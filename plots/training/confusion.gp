# The confusion matrix of the longest training: a row for each true class, a column for each predicted class, up to the
# last class that occurs as either: a network may have more outputs than its data have classes.
load plots."/lib/style.gp"
load plots."/lib/training_file.gp"
last_epoch = 0
note_epoch(epoch) = (last_epoch = epoch > last_epoch ? epoch : last_epoch, find("confusion"))
set table $unused
if (there) { plot training using (is_what("confusion") ? note_epoch(column("epoch")) : 0):(0) with table }
unset table
if (found == 0) {
    lacking = T("no classes were counted")
    load plots."/lib/nothing.gp"
}
most_classes = 16
array elements[256]
array row_sum[16]
do for [i = 1:256] { elements[i] = 0 }
do for [i = 1:16] { row_sum[i] = 0 }
classes = 0
of_data = ""
take(data, right, said, count) = (of_data = data, elements[most_classes * right + said + 1] = count, classes = count > 0 && most(right, said) >= classes ? most(right, said) + 1 : classes, 0)
set table $unused
plot training using (is_what("confusion") && column("epoch") == last_epoch ? take(stringcolumn("data"), int(column("right")), int(column("said")), int(column("count"))) : 0):(0) with table
unset table
do for [r = 1:classes] { do for [c = 1:classes] { row_sum[r] = row_sum[r] + elements[most_classes * (r - 1) + c] } }
plane(i) = i == 1 ? T("axial") : i == 2 ? T("coronal") : T("sagittal")
class_name(i) = of_data eq "brain_planes" && classes == 3 ? plane(i) : sprintf("%d", i - 1)
set lmargin at screen own ? across(85) : 0.20
set rmargin at screen own ? 1 - across(66) : 0.80
set tmargin at screen own ? key_y - tall(30) : 0.77
set bmargin at screen own ? tall(8) : 0.10
set xrange [0.5:classes + 0.5]
set yrange [classes + 0.5:0.5]
unset border
unset grid
unset xtics
unset ytics
set label 900 T("predicted class") at screen 0.5, screen key_y - (own ? 0 : 0.015) center font font13
set label 901 T("true class") at screen own ? across(9) : 0.035, screen own ? 0.5 * (tall(8) + key_y - tall(30)) : 0.435 center rotate by 90 font font13
mixed(share, full) = int(255 - share * (255 - full) + 0.5)
shade(share, hit) = hit ? mixed(share, 0x00) * 65536 + mixed(share, 0x72) * 256 + mixed(share, 0xB2) : mixed(share, 0xD5) * 65536 + mixed(share, 0x5E) * 256 + mixed(share, 0x00)
do for [r = 1:classes] {
    set label 100 + r class_name(r) at graph 0, first r right offset -1, 0 font font13
    set label 120 + r class_name(r) at first r, graph 1 center offset 0, 0.7 font font13
    set label (140 + r) (row_sum[r] > 0 ? sprintf("%.0f %%", 100.0 * elements[most_classes * (r - 1) + r] / row_sum[r]) : "") at graph 1, first r left offset 1, 0 font font13 textcolor rgb faint
    do for [c = 1:classes] {
        count = elements[most_classes * (r - 1) + c]
        share = row_sum[r] > 0 ? real(count) / row_sum[r] : 0.0
        set object classes * r + c rectangle from first c - 0.48, first r - 0.48 to first c + 0.48, first r + 0.48 \
            fillcolor rgb shade(share, r == c) fillstyle solid border linecolor rgb 0xC8C8C8
        set label 200 + classes * r + c sprintf("%d", count) at first c, first r center font title_font front textcolor rgb (share > 0.55 ? 0xFFFFFF : 0x000000)
    }
}
set label 902 T("right") at graph 1, graph 1 left offset 1, 0.7 font font13 textcolor rgb faint
plot NaN
