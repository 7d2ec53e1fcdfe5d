# The list of the series in `points` that have a y: needs `series` and `ycol`, columns by name.
list = ""
set table $unused
plot points using (wanted(0) ? add(stringcolumn(series)) : 0) with table
unset table
