# Bands that ranks make themselves against an image handed out by one of them, against n.
load plots."/style.gp"
set title L("Own bands against an image handed out", "Bandas propias frente a una imagen repartida")
load plots."/total_over_size.gp"
