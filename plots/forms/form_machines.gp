# A panel for each point, with a row for each machine by its name, the fastest first: x of a row of the selection is its
# number, y the time. Width and height are set by study (lib/custom_size.gp).
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
panels = int(panels)
array rows_in[panels]
array low[panels]
array high[panels]
do for [p = 1:panels] { rows_in[p] = 0; low[p] = 1e300; high[p] = -1e300 }
rows = 0
wide = 0
note(p, machine, row, time, status) = (rows = rows + 1, rows_in[p] = most(rows_in[p], row), low[p] = least(low[p], time), \
    high[p] = most(high[p], time), wide = most(wide, strlen(machine)), see(status), 0)
here(p) = is_drawn(0) && column("panel") == p && text_in("y")
set table $unused
plot points using (is_drawn(0) && text_in("y") ? note(int(column("panel")), series_of(0), column("x"), column("y"), status_of(0)) : 0):(0) with table
unset table
if (rows == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
across = panels > 1 ? 2 : 1
down = ceil(1.0 * panels / across)
cell_w = 0.99 / across
cell_h = (upper_edge + 0.01) / down
names_w = least(letters_wide(wide, 12) + 0.02, 0.6 * cell_w)
letters = int((names_w - 0.015) * canvas_w / (12 * 0.62))
shorten(text) = strlen(text) <= letters ? text : text[1:letters - 1]."…"
title_letters = int((cell_w - 0.02) * canvas_w / (12 * 0.58))
cut_title(text) = strlen(text) <= title_letters ? text : text[1:title_letters - 1]."…"
set label 1003 @note_of at screen 0.985, screen 8.0 / canvas_h right font font11 textcolor rgb faint front
set border 1
unset ytics
set grid xtics noytics
set logscale x 10
set multiplot
do for [p = 1:panels] {
    left = cell_w * ((p - 1) % across)
    top = (upper_edge + 0.01) - cell_h * int((p - 1) / across)
    set lmargin at screen left + names_w
    set rmargin at screen left + cell_w - 0.02
    set tmargin at screen top - 24.0 / canvas_h
    set bmargin at screen top - cell_h + 54.0 / canvas_h
    from = low[p] / 1.3
    to = high[p] * 1.3
    set xrange [from:to]
    set yrange [rows_in[p] + 0.7:0.3]
    set label 1 cut_title(set_text("title", p)) at screen left + 0.015, screen top - 10.0 / canvas_h left font font12 front
    at = ticks_of(from, to)
    if (words(at) > 0) { set xtics (0 0) } else { set xtics auto; set format x set_text("y_format", p) }
    free_x = -1.0
    do for [n = 1:words(at)] {
        tick = tick_text(set_text("y_format", p), real(word(at, n)))
        half = 0.5 * letters_wide(strlen(tick), 13)
        at_x = (cell_w - 0.02 - names_w) * log(real(word(at, n)) / from) / log(to / from)
        if (at_x - half >= free_x) { set xtics add (sprintf("%s", tick) real(word(at, n))); free_x = at_x + half + 0.012 }
    }
    set xlabel set_text("x_title", p) font font12 offset 0, 0.6
    plot points using (here(p) ? from : NaN):(column("x")):(shorten(series_of(0))) with labels right offset -0.6, 0 font font12, \
         points using (here(p) && !is_status("INVALID") ? column("y") : NaN):(column("x")):(most(from, column("lower"))):(least(to, column("upper"))):(colour_of(0)) \
             with xerrorbars pointtype -1 linewidth 1.1 linecolor rgb variable, \
         points using (here(p) && is_precise(0) ? column("y") : NaN):(column("x")):(colour_of(0)) \
             with points pointtype mark(1) pointsize 0.7 linecolor rgb variable, \
         points using (here(p) && !is_precise(0) && !is_status("INVALID") ? column("y") : NaN):(column("x")):(colour_of(0)) \
             with points pointtype mark(1) - 1 pointsize 0.7 linewidth 1.4 linecolor rgb variable, \
         points using (here(p) && is_status("SUSPECT") ? column("y") : NaN):(column("x")) \
             with points pointtype 6 pointsize 1.2 linewidth 0.9 linecolor rgb 0x888888, \
         points using (here(p) && is_status("INVALID") ? column("y") : NaN):(column("x")) \
             with points pointtype 2 pointsize 1.0 linewidth 2.0 linecolor rgb 0xCC0000
    if (p == 1) { unset label 1001; unset label 1002; unset label 1003 }
}
unset multiplot
