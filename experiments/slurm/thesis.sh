#!/usr/bin/env bash
# Submits all that a thesis needs from a cluster: one job for the cores of a node, one for each kind of GPU, and the
# report of them all, which begins when they have ended, in whatever way. Submit it from the project's folder:
#   experiments/slurm/thesis.sh [--gpus KIND[,KIND]...] [SBATCH_OPTION]...
#   experiments/slurm/thesis.sh --gpus t4,k20
# --gpus   kinds of GPU as the cluster names them (sinfo -o '%N %G'): each job has --gres=gpu:KIND:1. `any` (default)
#          asks for --gres=gpu:1, `none` for no GPU. Where nodes differ by a feature instead, GPU_REQUEST says so:
#          GPU_REQUEST='--gres=gpu:1 --constraint=%s'
# From the environment, besides what submit.sh and the scripts read:
#   RESULTS         the folder of all jobs, results/thesis; each job measures into a folder in it: cpu, and KIND
#   GPU_PARTITION   the partition of the GPU jobs, PARTITION by default
#   NTASKS          the cores of the CPU job; CPUS_PER_TASK those of each GPU job
#   STUDY_KIND, MODULES_KIND, PARTITION_KIND   such as STUDY_k20=build-k20/bin/study: for that kind of node alone
# SCALE is --thesis: the points of the tesina and three more documents. Submitted again, the jobs do what is missing.
# Exit status: 0, or that of the last submission that failed; the other jobs are submitted all the same.
set -euo pipefail
[ -f experiments/slurm/common.sh ] || { echo "thesis.sh: start it in the project's folder, not in $PWD" >&2; exit 2; }
gpus=any
if [ "${1:-}" = --gpus ]; then
    gpus=${2:-}
    shift 2 || true
fi
case ,$gpus, in
*,,* | *[!A-Za-z0-9_.,-]* | *,cpu,*)
    echo "thesis.sh: --gpus takes kinds of GPU with commas between them, such as t4,k20; 'any' or 'none'" >&2
    exit 2
    ;;
esac
[ "$gpus" != none ] || gpus=
results=${RESULTS:-results/thesis}
export SCALE=${SCALE:---thesis}
status=0
jobs=

# Submits a script by submit.sh and prints the number of its job; where sbatch refuses it, that is reported.
submit() { # FOLDER SCRIPT OPTION...
    local folder=$1 script=$2 job
    shift 2
    if job=$(RESULTS=$folder experiments/slurm/submit.sh "$script" --parsable "$@"); then
        jobs=$jobs:${job%%;*} # sbatch adds ;CLUSTER where there are several
        echo "job ${job%%;*}: $script.sh, results in $folder"
    else
        status=$?
        echo "thesis.sh: $script.sh for $folder was not submitted" >&2
    fi
}

# Prints the variable NAME_KIND, or else the second word. Signs that no variable can have become _.
of_kind() { # NAME KIND DEFAULT
    local name=$1_${2//[!A-Za-z0-9]/_}
    echo "${!name:-$3}"
}

CPUS_PER_TASK='' GRES='' submit "$results/cpu" cpu "$@"
for kind in ${gpus//,/ }; do
    request=${GPU_REQUEST:---gres=gpu:%s:1}
    request=${request//%s/$kind}
    [ "$kind" != any ] || request=--gres=gpu:1
    # shellcheck disable=SC2086 # a list of options
    STUDY=$(of_kind STUDY "$kind" "${STUDY:-}") MODULES=$(of_kind MODULES "$kind" "${MODULES:-}") NTASKS='' GRES='' \
        PARTITION=$(of_kind PARTITION "$kind" "${GPU_PARTITION:-${PARTITION:-}}") submit "$results/$kind" cuda $request "$@"
done
[ -n "$jobs" ] || exit "$status"
NTASKS='' CPUS_PER_TASK='' GRES='' TIME='' submit "$results" report "--dependency=afterany$jobs" "$@"
exit "$status"
