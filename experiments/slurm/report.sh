#!/usr/bin/env bash
# The report of all that other jobs measured. Submit it after them: sbatch --dependency=afterany:JOB[:JOB...]
# Where the folder of the results has folders of several jobs, as from thesis.sh, each gets its report, and the folder
# itself a page that compares them (machines.html) and one of the published numbers, from all of them (reproduction.html).
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
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "report.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
lang=${LANGUAGE_OF_REPORT:-en}
folders=()
for folder in "$results"/*/; do
    [ ! -f "$folder/environment.json" ] || folders+=("${folder%/}")
done
[ ${#folders[@]} -gt 0 ] || exec "$study" report --results "$results" --lang "$lang"
status=0
sources=()
for folder in "${folders[@]}"; do
    sources+=(--results "$folder")
    "$study" report --results "$folder" --lang "$lang" || status=$?
done
if [ ${#folders[@]} -gt 1 ]; then
    "$study" report --results "$results" --lang "$lang" || status=$?
fi
"$study" reproduce "${sources[@]}" --lang "$lang" --format html -o "$results/reproduction.html" || status=$?
exit "$status"
