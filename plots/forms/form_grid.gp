# Stacked shares in a grid of panels, with a key of colours: a row of the selection is a part of a bar at x, its series
# the part's name, its place the part's number from below, y its share in percent. Its panel is a column of the grid, its
# label names a row.
load plots."/lib/style.gp"
load plots."/lib/selection.gp"
panels = int(panels)
most_rows = 8
most_parts = 6
array row_name[most_rows]; array part_names[most_parts]; array colours[most_parts]
do for [i = 1:most_parts] { part_names[i] = ""; colours[i] = 0 }
log2(x) = log(x) / log(2.0)
rows = 0; first_x = 1e300; last_x = -1e300; filled = " "
cell(r, c) = sprintf("%d/%d ", r, c)
row_of(text) = sum [r = 1:rows] (row_name[r] eq text ? r : 0)
add_row(text) = row_of(text) > 0 || rows == most_rows ? 0 : (rows = rows + 1, row_name[rows] = text, 0)
fill(text) = strstrt(filled, " ".text) > 0 ? 0 : (filled = filled.text, 0)
note(text, c, place, part, colour, x) = (add_row(text), part_names[place] = part, colours[place] = colour, first_x = least(first_x, x), last_x = most(last_x, x), \
    fill(cell(row_of(text), c)), 0)
set table $unused
plot points using (is_drawn(0) ? note(with_commas(stringcolumn("label")), int(column("panel")), int(column("place")), series_of(0), column("colour"), log2(column("x"))) : 0):(0) with table
unset table
if (rows == 0) {
    lacking = T("nothing was measured")
    load plots."/lib/nothing.gp"
}
has(r, c) = strstrt(filled, " ".cell(r, c)) > 0
parts = 0
do for [i = 1:most_parts] { if (strlen(part_names[i]) > 0) { parts = i } }
part_name(i) = part_names[i]
part_colour(i) = colours[i]
load plots."/lib/colour_key.gp"
set style fill solid border rgb 0xFFFFFF
set boxwidth 0.85
set yrange [0:100]
set grid noxtics ytics
set xtics font font11
tick_step = own ? 50 : 20
set ytics tick_step font font11
grid_left = small ? across(44) : own ? across(64) : 0.12
grid_step = (0.99 - grid_left) / panels
grid_body = grid_step - (own ? across(8) : 0.02)
grid_top = upper_edge - (own ? tall(16) : 0.03)
grid_low = own ? bottom_edge : 0.15
grid_down = (grid_top - grid_low) / rows
every = own ? int(most(1, ceil((last_x - first_x + 1) * 52 / (grid_body * canvas_w)))) : last_x - first_x > 6 ? 3 : 1
numbers = ""
blanks = ""
do for [i = int(first_x + 0.5):int(last_x + 0.5):every] {
    numbers = numbers.sprintf("%s\"%d\" %d", strlen(numbers) ? ", " : "", 2 ** i, i)
    blanks = blanks.sprintf("%s\"\" %d", strlen(blanks) ? ", " : "", i)
}
set xrange [first_x - 0.6:last_x + 0.6]
set label 20 set_text("x_title", 1) at screen 0.53, screen (own ? tall(9) : 0.04) center font font12
y_form = set_text("y_format", 1)
# There is no room for percent signs in a small chart: it has shares of 1.
share_tics(half, whole) = "set ytics (\"".(strlen(whole) ? "0" : "")."\" 0, \"".half."\" 50, \"".whole."\" 100)"
drawn = 0
set multiplot
do for [r = 1:rows] { do for [c = 1:panels] { if (has(r, c)) {
    set lmargin at screen grid_left + grid_step * (c - 1)
    set rmargin at screen grid_left + grid_step * (c - 1) + grid_body
    set tmargin at screen grid_top - grid_down * (r - 1)
    set bmargin at screen grid_top - grid_down * r + (own ? tall(10) : 0.03)
    # Numbers below the lowest panel of a column, and on the left of the first panel of a row.
    below = 0; before = 0
    do for [i = r + 1:rows] { below = below + has(i, c) }
    do for [i = 1:c - 1] { before = before + has(r, i) }
    above_it = 0
    do for [i = 1:r - 1] { above_it = above_it + has(i, c) }
    eval "set xtics (".(below ? blanks : numbers).")"
    if (small) { eval share_tics(before ? "" : gprintf("%g", 0.5), before ? "" : "1") } else { set format y before ? "" : y_form }
    if (before) { unset label 2 } else { set label 2 row_name[r] at screen small ? across(7) : grid_left + grid_step * (c - 1) - (own ? across(52) : 0.09), graph 0.5 center rotate by 90 font font12 }
    if (above_it) { unset label 1 } else { set label 1 set_text("title", c) at graph 0, screen grid_top + (own ? tall(9) : 0.02) left font fitting_font(set_text("title", c), grid_step, 12) }
    # What the parts up to each are together at each x.
    plot for [i = parts:1:-1] points using (is_drawn(0) && column("panel") == c && column("place") <= i && with_commas(stringcolumn("label")) eq row_name[r] ? log2(column("x")) : NaN):(column("y")) \
        smooth frequency with boxes linecolor rgb part_colour(i)
    if (!drawn) {
        drawn = 1
        unset label 1001
        unset label 1002
        unset label 20
        do for [i = 1:parts] { unset object 900 + i; unset label 900 + i }
    }
} } }
unset multiplot
