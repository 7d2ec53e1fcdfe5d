# Panels side by side that share a legend and the y axis: measured points with intervals over a
# logarithmic x, lines between those of one series. Needs panels (their number), in_panel(i) (true for
# a row of the i-th), name_of(i) (its series), place_of(i) (that of the series in the legend, 1 ..
# 250), panel_title(i), xcol(i), xlabel_of(i), dash_of(j), and ycol, lowcol, highcol.
has_y(row) = strlen(stringcolumn(ycol)) > 0
bad(status) = stringcolumn("status") eq status
array places[250]
do for [j = 1:250] { places[j] = "" }
seen = ""
lowest = 1e30; highest = 0
note(panel, y, place, series) = (seen = seen.sprintf(" %d ", panel), lowest = y < lowest ? y : lowest, \
    highest = y > highest ? y : highest, places[place] = series, 0)
set table $unused
do for [i = 1:panels] {
    plot points using (has_y(0) && in_panel(i) ? note(i, column(ycol), place_of(i), name_of(i)) : 0) with table
}
unset table
list = ""
do for [j = 1:250] { if (strlen(places[j]) > 0) { list = list.'"'.places[j].'" ' } }
n = words(list)
name(j) = word(list, j)
shown = ""
do for [i = 1:panels] { if (strstrt(seen, sprintf(" %d ", i)) > 0) { shown = shown.sprintf("%d ", i) } }
columns = words(shown)
here(i, j) = has_y(0) && in_panel(i) && name_of(i) eq name(j)

if (columns == 0) {
    lacking = L("nothing was measured", "no se midió nada")
    load plots."/nothing.gp"
} else {
set logscale x 2
set format x "%.0f"
across = n < 5 ? n : 5
legend_rows = (n - 1) / across + 1
set bmargin at screen 0.14 + 0.05 * legend_rows
set tmargin at screen 0.85
set yrange [lowest / 1.6:highest * 1.6]
unset key
small = sprintf(",%.0f", key_size)
set xtics font small
# gnuplot would fit its legend below one panel: ours lies below all of them.
do for [j = 1:n] {
    x = 0.13 + 0.86 * ((j - 1) % across) / across
    y = 0.04 + 0.05 * (legend_rows - 1 - (j - 1) / across)
    set arrow j from screen x, screen y to screen x + 0.04, screen y nohead linewidth 1.6 \
        dashtype dash_of(j) linecolor rgb colour_of(j)
    set label j name(j) at screen x + 0.02, screen y offset 2.5,0 font small \
        point pointtype shape_of(j) pointsize 0.8 linecolor rgb colour_of(j)
}
set multiplot title main_title font sprintf(",%d", title_size)
do for [c = 1:columns] {
    i = int(word(shown, c))
    left = 0.13 + 0.86 * (c - 1) / columns
    set lmargin at screen left
    set rmargin at screen left + 0.86 / columns - 0.03
    set title panel_title(i) font sprintf(",%d", key_size)
    set xlabel xlabel_of(i)
    if (c > 1) { unset ylabel; unset arrow; unset label; set format y "" }
    plot for [j = 1:n] points using (here(i, j) ? column(xcol(i)) : NaN):(column(ycol)) smooth unique \
             with lines linewidth 1.6 linecolor rgb colour_of(j) dashtype dash_of(j) notitle, \
         for [j = 1:n] points using (here(i, j) ? column(xcol(i)) : NaN):(column(ycol)):(column(lowcol)):(column(highcol)) \
             with yerrorbars linewidth 1.2 pointtype shape_of(j) pointsize 0.8 linecolor rgb colour_of(j) notitle, \
         points using (bad("SUSPECT") && has_y(0) && in_panel(i) ? column(xcol(i)) : NaN):(column(ycol)) \
             with points pointtype 6 pointsize 1.6 linewidth 1.0 linecolor rgb 0x888888 notitle, \
         points using (bad("INVALID") && has_y(0) && in_panel(i) ? column(xcol(i)) : NaN):(column(ycol)) \
             with points pointtype 2 pointsize 1.8 linewidth 2.5 linecolor rgb 0xCC0000 notitle
}
unset multiplot
}
