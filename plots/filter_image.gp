# Filter transferred with the image, or in constant memory.
load plots."/style.gp"
set title L("Filter transferred with the image, or constant", \
            "Filtro transferido con la imagen, o constante")
shown = "image"
load plots."/of_offload.gp"
load plots."/total_over_size.gp"
