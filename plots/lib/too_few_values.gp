# Ends a script whose chart would have fewer values along its axis than a page draws: the page then shows only the
# chart's sentence and table.
set print "-"
print "few: ".T("fewer than three values along its axis")
exit status 3
