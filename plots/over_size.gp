# Anything against n on logarithmic axes; needs what curves.gp needs, but xcol and curve.
xcol = "size"
curve = "growth"
series = "growth_series"
set logscale x 2
set format x "%.0f"
set xlabel L("n, rows and columns of the image", "n, filas y columnas de la imagen")
load plots."/curves.gp"
