# The image goes over once: what a window at a time costs is the distance to the figures above.
load plots."/style.gp"
set title L("GPU kernels, the whole image at once", \
            "Kernels en GPU, la imagen completa de una vez")
shown = "image"
load plots."/of_offload.gp"
load plots."/total_over_size.gp"
