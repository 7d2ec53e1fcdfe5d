#!/usr/bin/env bash
# Weak scaling: work per rank fixed.
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/weak_scaling.sh
# Submitted again, it does only what is missing.
#SBATCH --job-name=weak_scaling
#SBATCH --ntasks=32
#SBATCH --cpus-per-task=1
#SBATCH --time=02:00:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "weak_scaling.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
exec "$study" run weak_scaling ${SCALE:---full} --launcher "${LAUNCHER:-srun}" --cores "$SLURM_NTASKS" \
    --budget "$(budget)" --results "$results"
