#!/usr/bin/env bash
# An array job over the parts of one experiment's plan, for clusters without `study run` on the nodes.
# Each part writes down which of its commands are done, and goes on after them.
# Then: study import results/array/*.csv
# Change for your cluster: the lines that begin with ##SBATCH (one # enables them), the time and the sizes.
# MODULES="gcc openmpi" in the environment makes the job load these modules.
# Submit from the project's folder: sbatch experiments/slurm/array.sh
# Submitted again, it does only what is missing.
#SBATCH --job-name=array
#SBATCH --array=1-4
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%A-%a.log
##SBATCH --partition=compute
##SBATCH --account=NAME
##SBATCH --mem=16G
##SBATCH --constraint=FEATURE
cd "${SLURM_SUBMIT_DIR:-.}" && [ -f experiments/slurm/common.sh ] ||
    { echo "array.sh: no experiments/slurm/common.sh in $PWD: submit from the project's folder" >&2; exit 2; }
. experiments/slurm/common.sh
experiment=${EXPERIMENT:-serial_growth}
folder=$results/array
mkdir -p "$folder"
done_list=$folder/$experiment-$SLURM_ARRAY_TASK_ID.done
touch "$done_list"
chunk=.$SLURM_ARRAY_TASK_ID
[ "$SLURM_ARRAY_TASK_COUNT" -gt 1 ] || chunk=
record=$folder/$experiment$chunk.csv

rows() {
    [ ! -f "$record" ] || wc -l <"$record"
}

# True where the record grew, and its last row ends a launch: a program that is cancelled right after its
# last sample has finished all the same.
finished_since() { # ROWS
    [ -f "$record" ] && awk -F, -v before="${1:-0}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        NR > before { reason = $at["stop_reason"] }
        END { exit reason !~ /^(relative_ci|samples|seconds)$/ }' "$record"
}

stop=0
trap 'stop=1' TERM # a cancelled job: what just ended is still written down
while IFS= read -r line; do
    case $line in "" | "#"*) continue ;; esac
    grep -qxF -- "$line" "$done_list" && continue
    [ "$stop" -eq 0 ] || { echo "array.sh: cancelled; submit again to go on"; exit 143; }
    [ "$(seconds_left)" -gt 60 ] || { echo "array.sh: the time is up; submit again to go on"; exit 0; }
    before=$(rows)
    { (cd "$folder" && exec bash -c "$line") </dev/null || finished_since "$before"; } &&
        printf "%s\n" "$line" >>"$done_list"
done < <("$study" plan "$experiment" ${SCALE:---full} --shell --chunk "$SLURM_ARRAY_TASK_ID/${SLURM_ARRAY_TASK_COUNT}" \
    --bin "$PWD/$(dirname "$study")" --results "$results")
