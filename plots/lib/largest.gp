# The largest image, of rows for which is_counted(row): `largest`, its elements.
largest = 0
set table $unused
plot points using (is_counted(0) && column("elements") > largest ? (largest = column("elements"), 0) : 0):(0) with table
unset table
