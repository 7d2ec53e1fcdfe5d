#!/usr/bin/env bash
# Ranks times threads: one rank per socket, its threads on the cores of that socket.
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/hybrid.sh
#SBATCH --job-name=hybrid
#SBATCH --ntasks=2
#SBATCH --cpus-per-task=8
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "hybrid.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
mkdir -p "$results"
threads=${SLURM_CPUS_PER_TASK:-1}
launch=(mpirun -n "$SLURM_NTASKS" --map-by "slot:PE=$threads")
[ "${LAUNCHER:-mpirun}" = mpirun ] || launch=(srun "--cpus-per-task=$threads")
exec "${launch[@]}" "$bin/maxpool_mpi" -n "${SIZE:-8192}" -t "$threads" --method "${METHOD:-fused}" \
    --record "$results/hybrid.csv"
