# The tesina's figures 26-27: windows extracted as n doubles; a slope of 2 is a factor of 4.
load plots."/style.gp"
set title L("Windows extracted: four times as many as n doubles", "Ventanas extraídas: cuatro veces más al duplicar n")
ycol = "windows"; lowcol = "windows"; highcol = "windows"
models = ""
model_y = "seconds"
set logscale y 10
set format y "%.0s%c"
set ylabel L("windows (outputs of all planes)", "ventanas (salidas de todos los planos)")
load plots."/over_size.gp"
