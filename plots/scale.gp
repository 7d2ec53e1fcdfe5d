# Measured, simulated and predicted time over ranks, at the largest n that was simulated: filled marks
# were measured, hollow ones simulated, lines are the model's. Reads `scale`, made by study analyze.
load plots."/style.gp"
n = 0
list = ""
is_point(source) = source eq "measured" || source eq "simulated"
set table $unused
plot scale using (stringcolumn("source") eq "simulated" && column("rows") > n ? (n = column("rows")) : 0) with table
plot scale using (is_point(stringcolumn("source")) && column("rows") == n ? add(stringcolumn("series")) : 0) with table
unset table
count = words(list)
name(i) = word(list, i)
here(i, source) = stringcolumn("series") eq name(i) && stringcolumn("source") eq source && column("rows") == n
at_home(i) = strstrt(name(i), " here")
told(i) = at_home(i) ? substr(name(i), 1, at_home(i)).L("here, measured", "aquí, medido") \
                     : name(i).L(", simulated", ", simulado")
# Shapes whose number plus one is filled: measured and simulated points of one line look alike.
array hollow[4] = [6, 4, 8, 12]
hollow_of(i) = hollow[(i - 1) % 4 + 1]

set title sprintf(L("Many ranks, n = %.0f: measured, simulated, predicted", \
                    "Muchos procesos, n = %.0f: medido, simulado, predicho"), n)
set xlabel L("MPI ranks", "procesos MPI")
set ylabel L("total time, seconds", "tiempo total, segundos")
set logscale x 2
set logscale y 10
set format x "%.0f"
set format y "%g"
set key maxcols 2
if (count == 0) {
    lacking = L("nothing was simulated", "no se simuló nada")
    load plots."/nothing.gp"
} else {
plot for [i = 1:count] scale using (here(i, "predicted") ? column("ranks") : NaN):(column("predicted_lower_s")):(column("predicted_upper_s")) \
         with filledcurves linecolor rgb colour_of(i) fillstyle transparent solid 0.15 noborder notitle, \
     for [i = 1:count] scale using (here(i, "predicted") ? column("ranks") : NaN):(column("predicted_s")) \
         with lines linewidth 1.4 dashtype 3 linecolor rgb colour_of(i) notitle, \
     for [i = 1:count] scale using (here(i, "simulated") ? column("ranks") : NaN):(column("seconds")) \
         with points pointtype hollow_of(i) pointsize 1 linewidth 1.6 linecolor rgb colour_of(i) \
         title (at_home(i) ? "" : told(i)), \
     for [i = 1:count] scale using (here(i, "measured") ? column("ranks") : NaN):(column("seconds")):(column("lower_s")):(column("upper_s")) \
         with yerrorbars pointtype hollow_of(i) + 1 pointsize 1 linewidth 1.6 linecolor rgb colour_of(i) \
         title (at_home(i) ? told(i) : ""), \
     NaN with lines linewidth 1.4 dashtype 3 linecolor rgb 0x555555 \
         title L("predicted by the model, with its 95 % interval", "predicho por el modelo, con su intervalo del 95 %")
}
