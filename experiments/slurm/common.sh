# What the batch scripts share; sourced by them, from the folder that the job was submitted in.
set -euo pipefail
[ -n "${SLURM_JOB_ID:-}" ] || [ "${0##*/}" = report.sh ] || # a report needs no job
    { echo "${0##*/}: no job of Slurm: start it with sbatch experiments/slurm/${0##*/}" >&2; exit 2; }
study=${STUDY:-build/bin/study}
results=${RESULTS:-results/local}
bin=$(dirname "$study")
# shellcheck disable=SC2086 # a list of modules
[ -z "${MODULES:-}" ] || module load $MODULES
[ -x "$study" ] || { echo "${SLURM_JOB_NAME:-$0}: no $study in $PWD: submit from the project's folder, after building" >&2; exit 2; }

# Seconds of this job's time limit that are left; a day where it has none.
seconds_left() {
    local left days=0 seconds=0 part
    left=$(squeue -h -j "$SLURM_JOB_ID" -o %L)
    case $left in
    '' | *[!0-9:-]*) echo 86400; return ;; # UNLIMITED, NOT_SET
    *-*) days=${left%%-*} left=${left#*-} ;;
    esac
    local IFS=:
    for part in $left; do
        seconds=$((seconds * 60 + 10#$part))
    done
    echo $((10#$days * 86400 + seconds))
}

# What `study run` may spend: the time left, less a minute to close its files.
budget() {
    local seconds=$(($(seconds_left) - 60))
    [ "$seconds" -gt 0 ] || seconds=1
    echo "${seconds}s"
}

# The folder of the definitions that the scale measures.
definitions() {
    if [ "${SCALE:-}" = --thesis ]; then echo experiments/definition/thesis; else echo experiments/definition/definitions; fi
}

# All experiments, and those that have points of a space, such as cuda.
all_experiments() {
    find "$(definitions)" -name '*.ini' -exec basename -s .ini {} + | sort
}
experiments_of() { # SPACE
    grep -rlE --include='*.ini' "^programs = (.* )?[a-z]+_$1( |\$)" "$(definitions)" | sed 's|.*/||; s|\.ini$||' | sort
}
