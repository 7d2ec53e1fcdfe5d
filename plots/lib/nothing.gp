# Ends a script that has nothing to show: `lacking` says why. `study` passes the reason on, and nothing is drawn.
set print "-"
print "nothing: ".lacking
exit status 3
