#!/usr/bin/env bash
# Every experiment on the cores of one node, without the points of a GPU. SCALE=--thesis measures the points of the
# tesina and three more documents; EXPERIMENTS="threads matmul_growth" names others.
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/cpu.sh
# Submitted again, it does only what is missing.
#SBATCH --job-name=cpu
#SBATCH --nodes=1
#SBATCH --ntasks=16
#SBATCH --cpus-per-task=1
#SBATCH --exclusive
#SBATCH --time=08:00:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "cpu.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
# Tasks are mpirun's slots, so that it starts as many ranks as the job has cores.
# shellcheck disable=SC2086 # a list of names
exec "$study" run ${EXPERIMENTS:-$(all_experiments)} ${SCALE:---full} --cores "$SLURM_NTASKS" --budget "$(budget)" \
    --results "$results"
