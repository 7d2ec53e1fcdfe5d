# Compulsory traffic moved per second, under the measured bandwidths.
load plots."/style.gp"
set title L("Compulsory traffic per second", "Tráfico obligado por segundo")
ycol = "gigabytes_per_s"; lowcol = "gigabytes_per_s"; highcol = "gigabytes_per_s"
models = ""
model_y = "seconds"
set logscale y 10
set format y "%g"
set ylabel L("image and map (GB/s)", "imagen y mapa (GB/s)")
# The measured bandwidths of one worker, as lines across the chart.
levels = ""
rates = ""
highest = 0
grab(level, rate) = (levels = levels.' "'.level.'"', rates = rates.sprintf(" %g", rate), \
                     highest = rate > highest ? rate : highest, 0)
if (system("test -r '".ceilings."' && echo yes") eq "yes") {
    set table $unused
    plot ceilings using (column("workers") == 1 ? \
        grab(stringcolumn("level"), 1e-9 * column("bandwidth_bytes_per_s")) : 0):(0) with table
    unset table
}
if (highest > 0) set yrange [*:2 * highest]
do for [i = 1:words(rates)] {
    set arrow 10 + i from graph 0, first real(word(rates, i)) to graph 1, first real(word(rates, i)) \
        nohead dashtype 2 linecolor rgb 0x777777
    set label 10 + i word(levels, i) at graph 0.01, first real(word(rates, i)) offset 0, 0.4 \
        textcolor rgb 0x555555
}
load plots."/over_size.gp"
