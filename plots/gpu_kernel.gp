# The kernel alone, on the image that is on the device already.
load plots."/style.gp"
set title L("GPU kernels alone, the image on the device", \
            "Solo los kernels en GPU, con la imagen en el dispositivo")
shown = "image"
load plots."/of_offload.gp"
load plots."/time_over_size.gp"
