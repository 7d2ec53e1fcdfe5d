# Speedup over OpenMP threads.
load plots."/workers/speedup.gp"
