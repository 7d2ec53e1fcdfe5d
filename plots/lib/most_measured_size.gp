# Sets `largest`, the elements of the image size that most rows with is_counted(row) have; of several such sizes, the
# largest. If some spaces were measured only up to smaller images, all are then compared at a size that all have.
sizes_there = ""
note_size(text) = strstrt(sizes_there, " ".text." ") > 0 ? 0 : (sizes_there = sizes_there." ".text." ", 0)
largest = 0
rows_most = 0
set table $unused
plot points using (is_counted(0) ? note_size(stringcolumn("elements")) : 0):(0) with table
do for [size in sizes_there] {
    rows_here = 0
    plot points using (is_counted(0) && stringcolumn("elements") eq size ? (rows_here = rows_here + 1, 0) : 0):(0) with table
    if (rows_here > rows_most || (rows_here == rows_most && real(size) > largest)) { rows_most = rows_here; largest = real(size) }
}
unset table
