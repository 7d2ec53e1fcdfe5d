# Speedup over MPI ranks, the work staying as it is.
load plots."/workers/speedup.gp"
