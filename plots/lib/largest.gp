# Sets `largest`, the elements of the largest image among rows with is_counted(row).
largest = 0
set table $unused
plot points using (is_counted(0) && column("elements") > largest ? (largest = column("elements"), 0) : 0):(0) with table
unset table
