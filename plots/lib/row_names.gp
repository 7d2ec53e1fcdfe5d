# The names of the rows of a chart: on the left of the axes, or, where they would take more than 40 % of the width of
# fewer than ten rows, above their marks. In: rows, wide (letters of the longest name), row_names_at (the x where the axes begin without
# names, a share). Out: row_size and row_face (a font), first_x (the left edge of the axes), names_above, and row_low and
# row_high: a bar of row j is between j + row_low and j + row_high. name_row sets the label of row row_number with the text
# row_text; the y axis goes from rows + 0.7 to 0.3.
row_space = (upper_edge - bottom_edge) * canvas_h / most(1, rows)
row_size = own ? most(7, least(rows > 14 ? 12 : 13, 1.15 * row_space)) : rows > 14 && exists("smaller_rows") ? 12 : 13
names_above = own && letters_wide(wide, row_size) > 0.4 && rows < 10
if (names_above) { row_size = most(7, least(12, 0.5 * row_space)) }
if (own) { row_size = least(row_size, (names_above ? 0.93 : 0.48) * canvas_w / (0.62 * most(1, wide))) }
row_face = font_of(row_size)
first_x = names_above ? across(18) : letters_wide(wide, row_size) + 0.03
row_low = names_above ? 0.06 : -0.33
row_high = names_above ? 0.42 : 0.33
name_row = "if (names_above) { set label 10 + row_number row_text at graph 0, first row_number - 0.24 left offset 0.4, 0 font row_face front } else { ".\
    "set label 10 + row_number row_text at graph 0, first row_number right offset -0.8, 0 font row_face }"
