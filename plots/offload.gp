# Per-window against whole-image offload.
load plots."/style.gp"
set title L("Offload by window or by image", "Envío por ventana o por imagen")
load plots."/total_over_size.gp"
