# The roofline: the operator's own arithmetic per byte of its compulsory traffic, against the rate at
# which each method gets that arithmetic done, under the machine's measured ceilings.
load plots."/style.gp"
set title L("Roofline", "Roofline")
set logscale xy 10
set format x "%g"
set format y "%g"
set xlabel L("operations per byte of compulsory traffic", "operaciones por byte de tráfico obligado")
set ylabel L("operator's own operations (10^9/s)", "operaciones propias del operador (10^9/s)")
has_rate(row) = strlen(stringcolumn("gigaoperations_per_s")) > 0 && strlen(stringcolumn("intensity")) > 0
list = ""
lowest = 1e30; highest = 0; least = 1e30
grow(x, y) = (lowest = x < lowest ? x : lowest, highest = x > highest ? x : highest, least = y < least ? y : least, 0)
name_of(row) = (stringcolumn("operator") eq "matmul" ? "matmul " : "").stringcolumn("method")
alone(row) = stringcolumn("space") eq "serial"
set table $unused
plot points using (has_rate(0) ? add(name_of(0)) + grow(column("intensity"), column("gigaoperations_per_s")) : 0) with table
unset table
n = words(list)
name(i) = word(list, i)

# The ceilings: "kind label workers rate" of each line.
lines = 0
array kind[64]; array label_of[64]; array team[64]; array rate[64]
most = 1
take(k, l, w, r) = lines < 64 ? (lines = lines + 1, kind[lines] = k, label_of[lines] = l, team[lines] = w, \
    rate[lines] = r, most = w > most ? w : most, 0) : 0
set table $unused
plot ceilings using (take(stringcolumn("kind"), stringcolumn("label"), column("workers"), 1e-9 * column("rate"))):(0) with table
unset table
top(w) = (best = 0, sum [i = 1:lines] (kind[i] eq "peak" && team[i] == w && rate[i] > best ? (best = rate[i], 0) : 0), best)
left = n > 0 ? 0.4 * lowest : 0.1
right = n > 0 ? 2.5 * highest : 100
set xrange [left:right]
set yrange [(n > 0 ? 0.4 * least : 0.1):*]
workers_text(w) = w == 1 ? L("1 worker", "1 trabajador") : sprintf(L("%d workers", "%d trabajadores"), w)
line(i, x) = kind[i] eq "peak" ? rate[i] : top(team[i]) > 0 && rate[i] * x > top(team[i]) ? NaN : rate[i] * x
# Labels stand one beside the other: on some machines two peaks, or two levels, are as high.
across = 0; along = 0
do for [i = 1:lines] {
    if (team[i] == 1 && kind[i] eq "peak") {
        x = right * (left / right) ** (0.13 * across)
        set label 100 + i label_of[i] at x, rate[i] right offset -0.5, 0.5 textcolor rgb 0x555555
        across = across + 1
    }
    if (team[i] == 1 && kind[i] ne "peak") {
        x = left * (right / left) ** (0.01 + 0.06 * along)
        set label 100 + i label_of[i] at x, rate[i] * x left offset 0, 0.5 textcolor rgb 0x555555
        along = along + 1
    }
}
if (n == 0 || lines == 0) {
    lacking = n == 0 ? L("nothing was measured", "no se midió nada") \
                     : L("the machine's ceilings were not measured: study roofline", \
                         "no se midieron los techos de la máquina: study roofline")
    load plots."/nothing.gp"
} else {
set samples 400
dash_of(w) = w == 1 ? 1 : 3
plot for [i = 1:lines] line(i, x) with lines linewidth 1.3 linecolor rgb 0x777777 \
         dashtype dash_of(team[i]) notitle, \
     for [i = 1:n] points using (has_rate(0) && name_of(0) eq name(i) && alone(0) ? column("intensity") : NaN):(column("gigaoperations_per_s")) \
         with points pointtype shape_of(i) pointsize 0.9 linewidth 1.4 linecolor rgb colour_of(i) title name(i), \
     for [i = 1:n] points using (has_rate(0) && name_of(0) eq name(i) && !alone(0) ? column("intensity") : NaN):(column("gigaoperations_per_s")) \
         with points pointtype shape_of(i) pointsize 0.45 linewidth 1.0 linecolor rgb colour_of(i) notitle, \
     points using (stringcolumn("status") eq "INVALID" && has_rate(0) ? column("intensity") : NaN):(column("gigaoperations_per_s")) \
         with points pointtype 2 pointsize 1.8 linewidth 2.5 linecolor rgb 0xCC0000 title "INVALID", \
     keyentry with lines linewidth 1.3 linecolor rgb 0x777777 dashtype 1 title workers_text(1), \
     keyentry with lines linewidth 1.3 linecolor rgb 0x777777 dashtype 3 title workers_text(most)
}
