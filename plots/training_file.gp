# The file of how trainings went: `training`. What is told of a network in every launch is the same, so that all rows of one `what` are drawn.
there = int(system("test -s '".training."' && echo 1 || echo 0"))
is_what(word) = stringcolumn("what") eq word
found = 0
find(word) = is_what(word) ? (found = found + 1, 0) : 0
