#!/usr/bin/env bash
# Weak scaling: work per rank fixed.
# Change for your cluster: the partition, the time, the sizes below, and the module that brings MPI.
# Submit from the project's folder: sbatch experiments/slurm/weak_scaling.sh
# Submitted again, it does only what is missing.
#SBATCH --job-name=weak_scaling
#SBATCH --ntasks=32
#SBATCH --cpus-per-task=1
#SBATCH --time=02:00:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
cd "${SLURM_SUBMIT_DIR:-.}"
. experiments/slurm/common.sh
# module load openmpi
exec "$study" run weak_scaling ${SCALE:---full} --launcher "${LAUNCHER:-srun}" --cores "$SLURM_NTASKS" \
    --budget "$(budget)" --results "$results"
