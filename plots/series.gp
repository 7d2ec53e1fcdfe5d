# The list of the series in `points` that have a y: needs `series` and `y`, columns by name.
list = ""
set table $unused
plot points using (add(valid(y) && column(y) == column(y) ? stringcolumn(series) : "")):(0) with table
unset table
