#!/usr/bin/env bash
# The report of all that other jobs measured. Submit it after them: sbatch --dependency=afterany:JOB[:JOB...]
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/report.sh
#SBATCH --job-name=report
#SBATCH --ntasks=1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.log
##SBATCH --partition=compute
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}"
. experiments/slurm/common.sh
exec "$study" report --results "$results" --lang "${LANGUAGE_OF_REPORT:-en}"
