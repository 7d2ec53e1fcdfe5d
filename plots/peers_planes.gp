# The fastest other library on single planes, one worker, against n: a panel for each stride.
load plots."/style.gp"
kernels = "2 3 5 7"
steps = "1 2 k"
here(step, k) = stringcolumn("step") eq step && column("kernel") == k && column("named") == 0 && \
                column("workers") == 1 && column("planes") == 1 && column("rows") == column("cols") && \
                stringcolumn("operator") eq "maxpool" && stringcolumn("peer") ne "libxsmm" && \
                column("fastest") == 1
# One range for all panels.
low = 1.0
high = 2.0
note(ratio) = (low = ratio < low ? ratio : low, high = ratio > high ? ratio : high, 0)
set table $unused
plot for [i = 1:words(steps)] for [j = 1:words(kernels)] ratios \
    using (here(word(steps, i), real(word(kernels, j))) ? note(column("ratio")) : 0) with table
unset table

set logscale x 2
set logscale y 10
set yrange [0.7 * low:1.5 * high]
set format x "%.0f"
set format y "%g"
small = sprintf(",%d", key_size)
big = sprintf(",%d", title_size)
set xtics 512,4,16384
set xrange [400:20000]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linewidth 1.5 linecolor rgb 0x777777
set multiplot layout 1,words(steps) margins 0.09,0.98,0.27,0.84 spacing 0.025,0 \
    title L("Time of the fastest other library over ours, single planes, one worker", \
            "Tiempo de la biblioteca más rápida sobre el nuestro, un plano, un trabajador") \
    font big
do for [i = 1:words(steps)] {
    step = word(steps, i)
    set title "s = ".step font small
    set xlabel i == 2 ? L("n, rows and columns of the image", "n, filas y columnas de la imagen") : " "
    if (i == 1) { set ylabel L("library / ours", "biblioteca / nuestro") }
    if (i > 1) { set ylabel ""; set format y "" }
    if (i == 1) { set key at screen 0.5, screen 0.02 center bottom horizontal maxcols 4 samplen 2.5 } \
    else { unset key }
    plot for [j = 1:words(kernels)] ratios \
        using (here(step, real(word(kernels, j))) ? column("rows") : NaN):(column("ratio")) \
        with lines linewidth 1.6 linecolor rgb colour_of(j) notitle, \
        for [j = 1:words(kernels)] ratios \
        using (here(step, real(word(kernels, j))) ? column("rows") : NaN): \
              (column("ratio")):(column("lower")):(column("upper")) \
        with yerrorbars linewidth 1.4 pointtype shape_of(j) pointsize 0.8 linecolor rgb colour_of(j) \
        notitle, \
        for [j = 1:words(kernels)] keyentry with linespoints linewidth 1.6 pointtype shape_of(j) \
        linecolor rgb colour_of(j) title "k = ".word(kernels, j)
}
unset multiplot
