# A chart of two columns that the user chose: a line for each series with three places or more. `study plot --x --y`
# writes the table (series, place, colour, kind, status, x, y, lower, upper) and sets x_name and y_name.
load plots."/lib/style.gp"
panels = 1
in_panel(i) = 1
name_of(i) = stringcolumn("series")
place_of(i) = int(column("place"))
panel_title(i) = ""
xcol(i) = "x"
xlabel_of(i) = x_name
ycol(i) = "y"
lowcol(i) = "lower"
highcol(i) = "upper"
# Seconds have their unit at the numbers.
in_seconds = strlen(y_name) > 4 && y_name[strlen(y_name) - 3:*] eq " (s)"
ylabel_of(i) = in_seconds ? y_name[1:strlen(y_name) - 4] : y_name
dash_of(i) = 1
joins_two = 1
set table $unused
stats points using (column("x")) nooutput name "X"
stats points using (column("y")) nooutput name "Y"
unset table
is_wide(low, high, times) = low > 0 && high / low >= times
x_log(i) = is_wide(X_min, X_max, 8)
y_log(i) = is_wide(Y_min, Y_max, 50)
y_format(i) = in_seconds ? "%.0s %cs" : y_log(i) || abs(Y_max) < 1e-2 || abs(Y_max) >= 1e5 ? "%.0s%c" : "%g"
load plots."/lib/panels.gp"
