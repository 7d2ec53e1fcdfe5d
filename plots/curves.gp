# Measured curves with intervals, the lines of models beside them, and what is SUSPECT or INVALID marked.
# Needs xcol, ycol, lowcol, highcol (columns of `points`), series (its column), curve (of `model`), and
# models ("power", "ideal amdahl", ""), model_y ("seconds" or "speedup").
load plots."/series.gp"
n = words(list)
name(i) = word(list, i)
here(i) = stringcolumn(series) eq name(i) && wanted(0)
bad(status) = stringcolumn("status") eq status

word_of(m) = m eq "ideal" ? L("ideal", "ideal") : \
             m eq "amdahl" ? L("Amdahl, fitted", "Amdahl, ajustada") : \
             m eq "amdahl_measured" ? L("Amdahl, measured f", "Amdahl, f medida") : \
             m eq "usl" ? L("USL, fitted", "USL, ajustada") : \
             m eq "gustafson" ? L("Gustafson, fitted", "Gustafson, ajustada") : \
             m eq "power" ? L("power law, fitted", "ley de potencias, ajustada") : m
dash_of(m) = m eq "ideal" ? 2 : m eq "amdahl_measured" ? 4 : m eq "usl" ? 5 : 3

# Lines that are the same for all series take one colour and one entry of the legend.
common(m) = (m eq "ideal" || m eq "amdahl_measured") && model_y eq "speedup"

if (n == 0) {
    lacking = L("no curve: two values of x are needed", "sin curva: hacen falta dos valores de x")
    load plots."/nothing.gp"
} else {
plot for [j = 1:words(models)] for [i = 1:n] model \
         using ((stringcolumn("curve") eq curve && stringcolumn("series") eq name(i) && \
                 stringcolumn("model") eq word(models, j) && stringcolumn("metric") eq "compute" && \
                 (i == 1 || !common(word(models, j)))) ? column("x") : NaN):(column(model_y)) \
         with lines linewidth 1.2 dashtype dash_of(word(models, j)) \
         linecolor rgb (common(word(models, j)) ? 0x777777 : colour_of(i)) \
         title (i == 1 ? word_of(word(models, j)) : ""), \
     for [i = 1:n] points using (here(i) && !bad("INVALID") ? column(xcol) : NaN):(column(ycol)) \
         with lines linewidth 1.8 linecolor rgb colour_of(i) notitle, \
     for [i = 1:n] points using (here(i) ? column(xcol) : NaN):(column(ycol)):(column(lowcol)):(column(highcol)) \
         with yerrorbars linewidth 1.4 pointtype shape_of(i) pointsize 0.9 linecolor rgb colour_of(i) \
         title name(i), \
     points using (bad("SUSPECT") && wanted(0) ? column(xcol) : NaN):(column(ycol)) \
         with points pointtype 6 pointsize 2 linewidth 1.2 linecolor rgb 0x888888 title "SUSPECT", \
     points using (bad("INVALID") && wanted(0) ? column(xcol) : NaN):(column(ycol)) \
         with points pointtype 2 pointsize 1.8 linewidth 2.5 linecolor rgb 0xCC0000 title "INVALID"
}
