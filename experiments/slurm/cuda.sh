#!/usr/bin/env bash
# Every experiment that has points of a GPU, on one GPU; EXPERIMENTS="cuda_growth transfers" in the environment
# names others. Without a working GPU it ends with status 3 and says so.
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/cuda.sh
# Submitted again, it does only what is missing.
#SBATCH --job-name=cuda
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --time=08:00:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=gpu
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "cuda.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
# The program says what is missing: CUDA in this build, a driver, a GPU.
if ! why=$("$bin/maxpool_cuda" --list-methods 2>&1 >/dev/null); then
    echo "cuda.sh: no working GPU on $(hostname): $why (ask for one with --gres=gpu:1 on a GPU partition)" >&2
    exit 3
fi
# shellcheck disable=SC2046,SC2086 # lists of names
exec "$study" run ${EXPERIMENTS:-$(experiments_of cuda)} ${SCALE:---full} --budget "$(budget)" \
    --bin "$bin" --results "$results"
