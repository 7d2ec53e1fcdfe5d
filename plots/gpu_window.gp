# The tesina's figures 32-43 and 45-48: every window by itself, as the tesina does it.
load plots."/style.gp"
set title L("GPU kernels, one window at a time", \
            "Kernels en GPU, una ventana a la vez")
shown = "window"
load plots."/of_offload.gp"
load plots."/total_over_size.gp"
