# A matrix: a row of the selection is an element. Its place and series are the number and the name of its row, which has
# the same names as the columns, its panel is that of its column, y its number, and x the percent of its row, its shade.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
most_rows = 16
array element[most_rows * most_rows]
array percent[most_rows * most_rows]
array row_name[most_rows]
rows = 0
note(r, c, name, y, x) = (rows = most(rows, r), row_name[r] = name, element[most_rows * (r - 1) + c] = y, percent[most_rows * (r - 1) + c] = x, 0)
set table $unused
plot points using (is_drawn(0) ? note(int(column("place")), int(column("panel")), series_of(0), column("y"), column("x")) : 0):(0) with table
unset table
if (rows == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
set lmargin at screen own ? across(85) : 0.20
set rmargin at screen own ? 1 - across(66) : 0.80
set tmargin at screen own ? key_y - tall(30) : 0.77
set bmargin at screen own ? tall(8) : 0.10
set xrange [0.5:rows + 0.5]
set yrange [rows + 0.5:0.5]
unset border
unset grid
unset xtics
unset ytics
set label 900 set_text("x_title", 1) at screen 0.5, screen key_y - (own ? 0 : 0.015) center font font13
set label 901 set_text("y_title", 1) at screen own ? across(9) : 0.035, screen own ? 0.5 * (tall(8) + key_y - tall(30)) : 0.435 center rotate by 90 font font13
mixed(share, full) = int(255 - share * (255 - full) + 0.5)
shade(share, hit) = hit ? mixed(share, 0x00) * 65536 + mixed(share, 0x72) * 256 + mixed(share, 0xB2) : mixed(share, 0xD5) * 65536 + mixed(share, 0x5E) * 256 + mixed(share, 0x00)
do for [r = 1:rows] {
    set label 100 + r row_name[r] at graph 0, first r right offset -1, 0 font font13
    set label 120 + r row_name[r] at first r, graph 1 center offset 0, 0.7 font font13
    set label (140 + r) sprintf("%.0f %%", percent[most_rows * (r - 1) + r]) at graph 1, first r left offset 1, 0 font font13 textcolor rgb faint
    do for [c = 1:rows] {
        share = 0.01 * percent[most_rows * (r - 1) + c]
        set object rows * r + c rectangle from first c - 0.48, first r - 0.48 to first c + 0.48, first r + 0.48 \
            fillcolor rgb shade(share, r == c) fillstyle solid border linecolor rgb 0xC8C8C8
        set label 200 + rows * r + c sprintf("%d", element[most_rows * (r - 1) + c]) at first c, first r center font title_font front textcolor rgb (share > 0.55 ? 0xFFFFFF : 0x000000)
    }
}
set label 902 set_text("title", 1) at graph 1, graph 1 left offset 1, 0.7 font font13 textcolor rgb faint
plot NaN
