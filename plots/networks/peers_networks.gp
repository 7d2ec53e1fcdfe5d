# Other libraries on whole networks, one worker: their time divided by that of our fastest method.
load plots."/lib/style.gp"
is_row(i) = stringcolumn("operator") eq "network" && column("workers") == 1
table = ratios
row_of(i) = stringcolumn("shape")
array shapes[400]
do for [j = 1:400] { shapes[j] = "" }
find_shape(j, text) = shapes[j] eq text ? j : strlen(shapes[j]) == 0 ? (shapes[j] = text, j) : find_shape(j + 1, text)
place_of(i) = find_shape(1, row_of(0))
kind_of(i) = stringcolumn("peer")
xcol = "ratio"; lowcol = "lower"; highcol = "upper"
x_log = 1
x_format = "%g"
rule_at = 1
xlabel_text = T("time of the library / ours (right of 1: ours is faster)")
load plots."/lib/dots.gp"
