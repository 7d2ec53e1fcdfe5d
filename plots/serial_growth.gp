# The tesina's figures 28-31: serial time against n.
load plots."/style.gp"
set title L("Serial time against image size", "Tiempo serial según el tamaño de la imagen")
load plots."/time_over_size.gp"
