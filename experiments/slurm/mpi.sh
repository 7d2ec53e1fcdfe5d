#!/usr/bin/env bash
# One configuration on 16 ranks: what `mpirun -np 16 ./maxpool_mpi` does by hand.
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/mpi.sh
#SBATCH --job-name=mpi
#SBATCH --ntasks=16
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "mpi.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
mkdir -p "$results"
# Without SIZE and METHOD the image and the method are the program's own, as by hand.
exec ${LAUNCHER:-mpirun} -n "$SLURM_NTASKS" "$bin/maxpool_mpi" ${SIZE:+-n "$SIZE"} ${METHOD:+--method "$METHOD"} \
    --record "$results/mpi.csv"
