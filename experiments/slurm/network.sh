#!/usr/bin/env bash
# A network on one node: inference by all its cores, layer by layer, and a training over its ranks.
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/network.sh
#SBATCH --job-name=network
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
#SBATCH --time=00:30:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "network.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
mkdir -p "$results"
"$bin/network_omp" --network "${NETWORK:-resnet18}" -t "$SLURM_NTASKS" --layers --record "$results/network.csv"
exec ${LAUNCHER:-mpirun} -n "$SLURM_NTASKS" "$bin/network_mpi" --network alexnet_mri --task train --data brain_planes \
    --batch 64 --epochs "${EPOCHS:-5}" --record "$results/training.csv"
