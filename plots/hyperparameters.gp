# The tesina's figures 22-25: what k and s do to the time, per window and in all.
load plots."/style.gp"
set title L("Time against kernel size", "Tiempo según el tamaño del kernel")
load plots."/time_over_kernel.gp"
