#!/usr/bin/env bash
# The batch scripts under a real Slurm: each CPU script ends well, the GPU script on a node without a
# GPU ends with status 3, and a job cancelled midway and submitted again ends with the planned samples.
# Usage: scripts/slurm_test.sh [BUILD_FOLDER]; starts Slurm by itself (scripts/slurm.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
if [ -z "${SLURM_CONF:-}" ]; then
    exec scripts/slurm.sh "scripts/slurm_test.sh" "$build"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export STUDY=$build/bin/study SCALE=--quick RESULTS=$folder/results

submit() { # STATUS SCRIPT OPTION...: waits, and compares the exit status
    local expected=$1 script=$2 status=0
    shift 2
    sbatch --wait --output="$folder/$script-%a.log" --error="$folder/$script-%a.log" "$@" \
        "experiments/slurm/$script.sh" >/dev/null || status=$?
    if [ "$status" -ne "$expected" ]; then
        echo "slurm_test.sh: $script.sh ended with status $status, expected $expected:" >&2
        cat "$folder/$script"-*.log >&2
        exit 1
    fi
    echo "$script.sh: status $status"
}

# Cancelled after some seconds, then submitted again: nothing is missing.
job=$(sbatch --parsable --ntasks=2 --time=10 --output="$folder/cancelled.log" \
    experiments/slurm/strong_scaling.sh)
sleep 8
scancel "$job"
while squeue -h -j "$job" 2>/dev/null | grep -q .; do sleep 1; done
submit 0 strong_scaling --ntasks=2 --time=3
"$STUDY" status strong_scaling --quick --cores 2 --results "$RESULTS" | tee "$folder/status"

submit 0 weak_scaling --ntasks=2 --time=2
submit 0 threads --cpus-per-task=2 --time=2
if ! nvidia-smi -L >/dev/null 2>&1; then
    submit 3 cuda --gres=none
    grep -q 'no working GPU' "$folder"/cuda-*.log
fi
EXPERIMENT=window_count submit 0 array --array=1-2 --time=3
echo "Slurm: all batch scripts ended as they should"
