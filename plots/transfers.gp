# The tesina's figure 49: share of the time spent moving data.
load plots."/style.gp"
set title L("Share of the time spent moving data, kernel naive", \
            "Fracción del tiempo dedicada a mover datos, kernel naive")
ycol = "transfer_share"; lowcol = "transfer_share"; highcol = "transfer_share"
models = ""
model_y = "seconds"
wanted(row) = strlen(stringcolumn(ycol)) > 0 && strlen(stringcolumn(series)) > 0 && \
              stringcolumn("method") eq "naive"
set yrange [0:1]
set format y "%g"
set ylabel L("(distribute + collect) / total", "(distribuir + recoger) / total")
load plots."/over_size.gp"
