# Share of the total that goes to messages between ranks, against n.
load plots."/style.gp"
set title L("Share of the time in messages between ranks", "Fracción del tiempo en mensajes entre procesos")
ycol = "transfer_share"; lowcol = "transfer_share"; highcol = "transfer_share"
models = ""
model_y = "seconds"
set yrange [0:1]
set format y "%g"
set ylabel L("(distribute + collect) / total", "(distribuir + recoger) / total")
load plots."/over_size.gp"
