#!/bin/sh
# Runs one command on rank 0 and another one on the other ranks: mpirun -n 3 by_rank.sh FIRST OTHERS. In place of
# mpirun's own "-n 1 FIRST : -n 2 OTHERS", with which Debian 13's mpirun (Open MPI 5.0.7) ends by SIGSEGV.
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?}}" = 0 ] || shift
eval "exec $1"
