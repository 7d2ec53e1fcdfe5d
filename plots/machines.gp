# The same points on several machines: a panel for each point, with a row for each machine by its name, the fastest
# first; width and height are set by study (custom_size.gp).
load plots."/lib/style.gp"
array titles[9]
array rows_in[9]
array low[9]
array high[9]
do for [p = 1:9] { titles[p] = ""; rows_in[p] = 0; low[p] = 1e300; high[p] = -1e300 }
wide = 0
note(p, title, machine, row, from, to, status) = (titles[p] = title, rows_in[p] = most(rows_in[p], row), \
    low[p] = least(low[p], from), high[p] = most(high[p], to), wide = most(wide, strlen(machine)), see(status), 0)
here(p) = column("panel") == p && text_in("total_s")
set table $unused
plot points using (text_in("total_s") ? note(column("panel"), stringcolumn("row"), stringcolumn("machine"), column("place"), \
    column("total_s"), column("total_s"), stringcolumn("status")) : 0):(0) with table
unset table
panels = 0
do for [p = 1:9] { if (rows_in[p] > 0) { panels = p } }
if (panels == 0) {
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
    set label 1 cut_title(titles[p]) at screen left + 0.015, screen top - 10.0 / canvas_h left font font12 front
    at = ticks_of(from, to)
    if (words(at) > 0) { set xtics (0 0) } else { set xtics auto; set format x "%.0s %cs" }
    free_x = -1.0
    do for [n = 1:words(at)] {
        tick = tick_text("%.0s %cs", real(word(at, n)))
        half = 0.5 * letters_wide(strlen(tick), 13)
        at_x = (cell_w - 0.02 - names_w) * log(real(word(at, n)) / from) / log(to / from)
        if (at_x - half >= free_x) { set xtics add (sprintf("%s", tick) real(word(at, n))); free_x = at_x + half + 0.012 }
    }
    set xlabel T("total time") font font12 offset 0, 0.6
    plot points using (here(p) ? from : NaN):(column("place")):(shorten(stringcolumn("machine"))) with labels right offset -0.6, 0 font font12, \
         points using (here(p) && !is_status("INVALID") ? column("total_s") : NaN):(column("place")):(most(from, column("total_lower_s"))):(least(to, column("total_upper_s"))):(colour_of(0)) \
             with xerrorbars pointtype -1 linewidth 1.1 linecolor rgb variable, \
         points using (here(p) && is_precise(0) ? column("total_s") : NaN):(column("place")):(colour_of(0)) \
             with points pointtype mark(1) pointsize 0.7 linecolor rgb variable, \
         points using (here(p) && !is_precise(0) && !is_status("INVALID") ? column("total_s") : NaN):(column("place")):(colour_of(0)) \
             with points pointtype mark(1) - 1 pointsize 0.7 linewidth 1.4 linecolor rgb variable, \
         points using (here(p) && is_status("SUSPECT") ? column("total_s") : NaN):(column("place")) \
             with points pointtype 6 pointsize 1.2 linewidth 0.9 linecolor rgb 0x888888, \
         points using (here(p) && is_status("INVALID") ? column("total_s") : NaN):(column("place")) \
             with points pointtype 2 pointsize 1.0 linewidth 2.0 linecolor rgb 0xCC0000
    if (p == 1) { unset label 1001; unset label 1002; unset label 1003 }
}
unset multiplot
