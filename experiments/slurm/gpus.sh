#!/usr/bin/env bash
# A rank a GPU, on 4 GPUs: what `mpirun -np 4 ./maxpool_cuda` does by hand; several nodes with --nodes.
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi cuda" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/gpus.sh
#SBATCH --job-name=gpus
#SBATCH --ntasks=4
#SBATCH --gpus-per-task=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.log
##SBATCH --nodes=2
##SBATCH --partition=gpu
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "gpus.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
mkdir -p "$results"
# Without SIZE and METHOD the image and the method are the program's own, as by hand.
exec ${LAUNCHER:-srun} -n "$SLURM_NTASKS" "$bin/maxpool_cuda" ${SIZE:+-n "$SIZE"} ${METHOD:+--method "$METHOD"} \
    --record "$results/gpus.csv"
