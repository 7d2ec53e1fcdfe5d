#!/usr/bin/env bash
# Submits one of these scripts with the settings of a cluster from the environment, so that no file is edited:
#   ACCOUNT=physics PARTITION=gpu CPUS_PER_TASK=16 MEM=64G experiments/slurm/submit.sh cuda [SBATCH_OPTION]...
# ACCOUNT, PARTITION, CONSTRAINT, GRES, NTASKS, CPUS_PER_TASK, MEM and TIME become sbatch's options of these names;
# what is not set is as the script has it. MODULES (a list of modules), and whatever else the scripts read
# (SCALE, LAUNCHER, RESULTS, STUDY, EXPERIMENTS ...), reaches the job by the environment.
# SUBMIT names the program that submits, sbatch by default.
# Exit status: sbatch's, or 2 where there is no such script.
set -euo pipefail
script=$(dirname "$0")/${1:-}.sh
case ${1:-} in
"" | common | submit | thesis | *[!a-z_]*) script= ;;
esac
if [ ! -f "$script" ]; then
    echo "submit.sh: no script '${1:-}': name one of experiments/slurm, such as cuda" >&2
    exit 2
fi
shift
options=()
for name in ACCOUNT PARTITION CONSTRAINT GRES NTASKS CPUS_PER_TASK MEM TIME; do
    option=${name,,}
    [ -z "${!name:-}" ] || options+=("--${option//_/-}=${!name}")
done
exec "${SUBMIT:-sbatch}" "${options[@]}" "$@" "$script"
