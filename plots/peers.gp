# Other libraries on named shapes, one worker: their time over that of our fastest method.
load plots."/style.gp"
set title L("Time of other libraries over ours, one worker", "Tiempo de otras bibliotecas sobre el nuestro, un trabajador")
here = "(column('named') == 1 && column('workers') == 1)"
list = ""
set table $unused
plot ratios using (@here ? add(stringcolumn("shape")) : 0) with table
shapes = list
list = ""
plot ratios using (@here ? add(stringcolumn("peer")) : 0) with table
peers = list
unset table
n = words(shapes)
# Rows from the top down, in the order of the file, the peers of a shape a little apart.
row(i) = n + 1 - i
at(name) = sum [i = 1:n] (word(shapes, i) eq name ? row(i) : 0)
lift(j) = 0.5 * (0.5 * (words(peers) + 1) - j) / (words(peers) > 1 ? words(peers) - 1 : 1)

set logscale x 10
set format x "%g"
set xlabel L("time of the library / time of our fastest method (right of 1: ours is faster)", \
             "tiempo de la biblioteca / tiempo de nuestro método más rápido (derecha de 1: el nuestro es más rápido)")
set yrange [0.4:n + 0.6]
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead dashtype 2 linewidth 1.5 linecolor rgb 0x777777
if (n == 0) {
    lacking = L("no named shape was measured with one worker", "ninguna forma con nombre se midió con un trabajador")
    load plots."/nothing.gp"
} else {
set for [i = 1:n] ytics add (word(shapes, i) row(i))
plot for [j = 1:words(peers)] ratios \
    using (@here && stringcolumn("peer") eq word(peers, j) ? column("ratio") : NaN): \
          (at(stringcolumn("shape")) + lift(j)):(column("lower")):(column("upper")) \
    with xerrorbars linewidth 1.4 pointtype shape_of(j) pointsize 0.9 linecolor rgb colour_of(j) title word(peers, j)
}
