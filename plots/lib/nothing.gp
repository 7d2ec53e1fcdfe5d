# Ends a script that has nothing to draw: `lacking` gives the reason, which `study` passes on.
set print "-"
print "nothing: ".lacking
exit status 3
