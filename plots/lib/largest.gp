# The largest image, of rows for which is_counted(row): `largest`, its cells.
largest = 0
set table $unused
plot points using (is_counted(0) && column("cells") > largest ? (largest = column("cells"), 0) : 0):(0) with table
unset table
