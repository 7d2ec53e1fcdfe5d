# Ends a script that has fewer places along its axis than a page draws: the sentence and the table of the chart stand there.
set print "-"
print "few: ".T("fewer than three values along its axis")
exit status 3
