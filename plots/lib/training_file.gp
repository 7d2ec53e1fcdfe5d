# `training`, the file of training curves. All launches of one program have the same results, so its rows of one `what`
# are drawn regardless of the launch. Rows of other programs are not drawn.
there = int(system("test -s '".training."' && echo 1 || echo 0"))
first_program = ""
first_row = 0
note_program(text) = first_row == 0 ? (first_row = 1, first_program = text, 0) : 0
set table $unused
if (there) { plot training using (note_program(stringcolumn("program"))):(0) with table }
unset table
is_what(word) = stringcolumn("what") eq word && stringcolumn("program") eq first_program
found = 0
find(word) = is_what(word) ? (found = found + 1, 0) : 0
