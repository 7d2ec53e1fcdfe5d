# Speedup over MPI ranks, with fixed work.
load plots."/workers/speedup.gp"
