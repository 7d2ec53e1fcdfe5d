# Networks as rows, smaller ones first, with a mark for each number of workers. Needs xcol, lowcol, highcol,
# xlabel_text.
side_text(row) = column("rows") == column("cols") && column("batch") != column("rows") ? sprintf(" %d²", int(column("rows"))) : ""
batch_text(row) = column("batch") > 1 ? sprintf(" × %d", int(column("batch"))) : ""
name_of(i) = stringcolumn("network").side_text(0).batch_text(0)
array row_names[400]
do for [j = 1:400] { row_names[j] = "" }
find_row(j, text) = row_names[j] eq text ? j : strlen(row_names[j]) == 0 ? (row_names[j] = text, j) : find_row(j + 1, text)
is_row(i) = text_in("network") && text_in(xcol)
row_of(i) = name_of(0)
# Rows are ordered by the logarithm of their work.
place_of(i) = find_row(1 + int(25 * log10(1 + column("operations"))), row_of(0))
kind_of(i) = text_in("workers") ? workers_text(column("workers")) : "GPU"
x_log = 1
x_format = "%.0s %cs"
load plots."/lib/dots.gp"
