# Row names that show only what the rows differ in: name_it(row) and the image. Defines row_name(row) and
# row_place(row), a number for each name in the order of the palette. Needs is_counted(row), name_it(row), sized(row).
sizes_seen = ""
add_size(text) = strstrt(sizes_seen, " ".text." ") > 0 ? 0 : (sizes_seen = sizes_seen." ".text." ", 0)
set table $unused
plot points using (is_counted(0) ? add_size(stringcolumn("operator").stringcolumn("elements")) : 0):(0) with table
unset table
operators_seen = ""
add_operator(text) = strstrt(operators_seen, " ".text." ") > 0 ? 0 : (operators_seen = operators_seen." ".text." ", 0)
set table $unused
plot points using (is_counted(0) ? add_operator(stringcolumn("operator")) : 0):(0) with table
unset table
several_sizes = words(sizes_seen) > words(operators_seen)
several_operators = words(operators_seen) > 1
row_name(row) = (several_operators && column("place") >= 9 && !(stringcolumn("operator") eq word(operators_seen, 1)) ? stringcolumn("operator")." " : "").name_it(0).(several_sizes ? sized(0) : "")
array row_names[400]
do for [j = 1:400] { row_names[j] = "" }
# Places of the palette are ten apart, so that the variants of a method can follow it. After the last place, the numbers
# continue with the first, which serves methods that this version does not know.
find_row(j, text) = row_names[j] eq text ? j : strlen(row_names[j]) == 0 ? (row_names[j] = text, j) : find_row(j % 400 + 1, text)
row_place(row) = find_row(10 * int(column("place")) % 400 + 1, row_name(0))
row_of(i) = row_name(0)
place_of(i) = row_place(0)
