#!/usr/bin/env bash
# OpenMP threads 1, 2, 4 ... up to the cores of one node.
# Change for your cluster: the partition, the time, the sizes below, and the module that brings MPI.
# Submit from the project's folder: sbatch experiments/slurm/threads.sh
# Submitted again, it does only what is missing.
#SBATCH --job-name=threads
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --exclusive
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
cd "${SLURM_SUBMIT_DIR:-.}"
. experiments/slurm/common.sh
exec "$study" run threads ${SCALE:---full} --cores "$SLURM_CPUS_PER_TASK" --budget "$(budget)" --results "$results"
