# Every window by itself, but with arrays, stream and events kept.
load plots."/style.gp"
set title L("GPU kernels, one window at a time, arrays kept", \
            "Kernels en GPU, una ventana a la vez, con arreglos fijos")
shown = "window-lean"
load plots."/of_offload.gp"
load plots."/total_over_size.gp"
