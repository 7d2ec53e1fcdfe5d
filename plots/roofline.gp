# Compulsory traffic moved per second, under the measured bandwidths.
load plots."/style.gp"
set title L("Compulsory traffic per second", "Tráfico obligado por segundo")
ycol = "gigabytes_per_s"; lowcol = "gigabytes_per_s"; highcol = "gigabytes_per_s"
models = ""
model_y = "seconds"
set logscale y 10
set format y "%g"
set ylabel L("image and map (GB/s)", "imagen y mapa (GB/s)")
load plots."/over_size.gp"
