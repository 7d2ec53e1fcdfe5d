# `training`, the file of training curves. All launches of one program with one seed have the same results, so its rows
# of one `what` are drawn regardless of the launch. Rows of other programs and other seeds are not drawn.
there = int(system("test -s '".training."' && echo 1 || echo 0"))
seeded = there ? int(system("head -n 1 '".training."' | grep -cw seed || true")) : 0
seed_of_row(dummy) = seeded ? stringcolumn("seed") : ""
first_program = ""
first_seed = ""
first_row = 0
note_program(text, seed) = first_row == 0 ? (first_row = 1, first_program = text, first_seed = seed, 0) : 0
set table $unused
if (there) { plot training using (note_program(stringcolumn("program"), seed_of_row(0))):(0) with table }
unset table
is_what(word) = stringcolumn("what") eq word && stringcolumn("program") eq first_program && seed_of_row(0) eq first_seed
found = 0
find(word) = is_what(word) ? (found = found + 1, 0) : 0
