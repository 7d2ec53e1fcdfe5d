# Speedup over OpenMP threads.
load plots."/speedup.gp"
