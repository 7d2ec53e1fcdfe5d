# The serial program's time over that of one rank: 1 where MPI costs nothing.
load plots."/style.gp"
set title L("One rank against the serial program", "Un proceso frente al programa serial")
ycol = "best_total"; lowcol = "best_total_lower"; highcol = "best_total_upper"
models = ""
model_y = "seconds"
set yrange [0:*]
set format y "%g"
set ylabel L("best serial time / time (total)", "mejor tiempo serial / tiempo (total)")
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linecolor rgb 0x777777
load plots."/over_size.gp"
