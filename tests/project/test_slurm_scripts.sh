#!/usr/bin/env bash
# The batch scripts of experiments/slurm without a Slurm: a fake sbatch, mpirun, squeue and study write down what they are
# given. scripts/slurm_test.sh runs the scripts under a real one.
# Usage: test_slurm_scripts.sh SOURCE_FOLDER
set -euo pipefail
cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

check() { # WHAT CONDITION...
    local what=$1
    shift
    "$@" && return
    failures=$((failures + 1))
    echo "WRONG: $what" >&2
}

# ---- what the scripts start ----------------------------------------------------------------------------------------

mkdir "$folder/bin" "$folder/spool" "$folder/elsewhere"
cat >"$folder/bin/sbatch" <<'END'
#!/bin/sh
case "$*" in *$REFUSED*) echo "sbatch: error: refused" >&2; exit 1 ;; esac
echo "$*|$SCALE|$RESULTS|$STUDY|$MODULES" >>"$SAID"
wc -l <"$SAID" | sed 's/ *//; s/$/;cluster/'
END
printf '#!/bin/sh\necho 1:00:00\n' >"$folder/bin/squeue"
printf '#!/bin/sh\nexit 0\n' >"$folder/bin/maxpool_cuda"
for program in study mpirun srun; do
    # shellcheck disable=SC2016 # for the program
    printf '#!/bin/sh\necho "%s $*" >>"$SAID"\n' $program >"$folder/bin/$program"
done
chmod +x "$folder"/bin/*
export PATH=$folder/bin:$PATH SAID=$folder/said REFUSED=nothing-is-refused
export SCALE='' RESULTS='' STUDY='' MODULES=''
unset EXPERIMENTS EXPERIMENT SIZE METHOD LAUNCHER ACCOUNT PARTITION GPU_PARTITION CONSTRAINT GRES NTASKS CPUS_PER_TASK MEM TIME GPU_REQUEST

# Runs a script as Slurm does, as a copy in a spool folder, and prints what it started; `status` is in a file.
job() { # SUBMITTED_FROM SCRIPT
    local status=0
    : >"$SAID"
    cp "experiments/slurm/$2.sh" "$folder/spool/slurm_script"
    (cd "$folder/elsewhere" && SLURM_SUBMIT_DIR=$1 SLURM_JOB_ID=7 SLURM_JOB_NAME=$2 SLURM_NTASKS=16 SLURM_CPUS_PER_TASK=4 \
        SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=1 "$folder/spool/slurm_script" >"$folder/out" 2>"$folder/err") || status=$?
    echo $status >"$folder/status"
    cat "$SAID"
}
here() { # SCRIPT
    STUDY=$folder/bin/study RESULTS=${RESULTS:-$folder/results} job "$PWD" "$1"
}

# ---- started without Slurm -----------------------------------------------------------------------------------------

for script in experiments/slurm/*.sh; do
    grep -q '^#SBATCH' "$script" || continue
    [ "$(basename "$script")" != report.sh ] || continue # needs no job
    status=0
    STUDY=$folder/bin/study env -u SLURM_JOB_ID -u SLURM_NTASKS -u SLURM_SUBMIT_DIR bash "$script" 2>"$folder/err" >"$folder/out" ||
        status=$?
    check "$script without Slurm: $status $(cat "$folder/err")" \
        [ "$status $(cat "$folder/err")" = "2 $(basename "$script"): no job of Slurm: start it with sbatch $script" ]
done

# ---- submitted from another folder ---------------------------------------------------------------------------------

for script in experiments/slurm/*.sh; do
    grep -q '^#SBATCH' "$script" || continue
    name=$(basename "$script" .sh)
    started=$(job "$folder/elsewhere" "$name")
    check "$name.sh goes on where there is no project: $(cat "$folder/status") $started" \
        [ "$(cat "$folder/status") $started" = "2 " ]
    check "$name.sh says more, or less, than one line: $(cat "$folder/err")" [ "$(wc -l <"$folder/err")" = 1 ]
    check "$name.sh does not say where to submit it: $(cat "$folder/err")" \
        grep -q "^$name.sh: .*submit from the project's folder" "$folder/err"
    check "$name.sh wrote in the wrong folder" [ -z "$(ls -A "$folder/elsewhere")" ]
done

# ---- what each job measures ----------------------------------------------------------------------------------------

# The experiments that a script's `study run` names.
run_names() { # SCRIPT
    here "$1" | sed 's/^study run //; s/ --.*//' | tr ' ' '\n' | sort
}
# Every definition of a folder that names a program of a GPU in any line.
gpu_definitions() { # FOLDER
    grep -rlE --include='*.ini' '^[^;]*\<[a-z]+_cuda\>' "experiments/definition/$1" | xargs -n 1 basename -s .ini | sort
}
all_definitions() { # FOLDER
    find "experiments/definition/$1" -name '*.ini' -exec basename -s .ini {} + | sort
}
for scale in --thesis --full; do
    kind=$([ $scale = --thesis ] && echo thesis || echo definitions)
    check "cuda.sh, $scale: other definitions than those that need a GPU" \
        diff <(SCALE=$scale run_names cuda) <(gpu_definitions $kind)
    check "cpu.sh, $scale: other definitions than all" diff <(SCALE=$scale run_names cpu) <(all_definitions $kind)
    check "cuda.sh does not hand the scale on" grep -qe " $scale --budget 3540s " <(SCALE=$scale here cuda)
    check "cpu.sh does not hand on scale and cores" grep -qe " $scale --cores 16 --budget 3540s " <(SCALE=$scale here cpu)
done
for name in tesina_gpu tesina_filter tesina_transfers tesina_speedup; do
    check "$name is in no job" grep -qx $name <(SCALE=--thesis run_names cuda)
done

# mpi.sh is `mpirun -np 16 ./maxpool_mpi`, and a record.
check "mpi.sh asks for other ranks" grep -qx '#SBATCH --ntasks=16' experiments/slurm/mpi.sh
check "mpi.sh measures something else: $(here mpi)" \
    [ "$(here mpi)" = "mpirun -n 16 $folder/bin/maxpool_mpi --record $folder/results/mpi.csv" ]
check "gpus.sh asks for another GPU than one a task" grep -qx '#SBATCH --gpus-per-task=1' experiments/slurm/gpus.sh
check "gpus.sh measures something else: $(here gpus)" \
    [ "$(here gpus)" = "srun -n 16 $folder/bin/maxpool_cuda --record $folder/results/gpus.csv" ]
check "gpus.sh: LAUNCHER, SIZE or METHOD without effect" grep -q '^mpirun .*maxpool_cuda -n 512 --method tiled --record' \
    <(LAUNCHER=mpirun SIZE=512 METHOD=tiled here gpus)
check "mpi.sh: SIZE or METHOD without effect" grep -q 'maxpool_mpi -n 512 --method fused --record' <(SIZE=512 METHOD=fused here mpi)

# report.sh: one folder; or the folders of several jobs, and then what they have together.
check "report.sh of one folder: $(here report)" [ "$(here report)" = "study report --results $folder/results --lang en" ]
mkdir -p "$folder/jobs/cpu" "$folder/jobs/t4" "$folder/jobs/charts"
touch "$folder/jobs/cpu/environment.json" "$folder/jobs/t4/environment.json"
check "report.sh of two folders" diff - <(RESULTS=$folder/jobs here report) <<END
study report --results $folder/jobs/cpu --lang en
study report --results $folder/jobs/t4 --lang en
study report --results $folder/jobs --lang en
study reproduce --results $folder/jobs/cpu --results $folder/jobs/t4 --lang en --format html -o $folder/jobs/reproduction.html
END

# ---- thesis.sh -----------------------------------------------------------------------------------------------------

# Submits by the fake sbatch, and compares what it was given: options and script, scale, folder, study, modules.
submits() { # WHAT STATUS OPTION... <EXPECTED
    local what=$1 expected=$2 status=0
    shift 2
    : >"$SAID"
    experiments/slurm/thesis.sh "$@" >"$folder/out" 2>"$folder/err" || status=$?
    check "thesis.sh, $what: status $status, expected $expected: $(cat "$folder/err")" [ $status = "$expected" ]
    check "thesis.sh, $what: other jobs" diff - "$SAID"
}
submits "without options" 0 <<'END'
--parsable experiments/slurm/cpu.sh|--thesis|results/thesis/cpu||
--parsable --gres=gpu:1 experiments/slurm/cuda.sh|--thesis|results/thesis/any||
--parsable --dependency=afterany:1:2 experiments/slurm/report.sh|--thesis|results/thesis||
END
ACCOUNT=physics PARTITION=cores GPU_PARTITION=gpu PARTITION_k20=old STUDY_k20=build-k20/bin/study MODULES=gcc \
    MODULES_k20="gcc/11 cuda/11.8" NTASKS=32 CPUS_PER_TASK=8 TIME=90 RESULTS=/data/thesis submits "two kinds of node" 0 --gpus t4,k20 --qos=long <<'END'
--account=physics --partition=cores --ntasks=32 --time=90 --parsable --qos=long experiments/slurm/cpu.sh|--thesis|/data/thesis/cpu||gcc
--account=physics --partition=gpu --cpus-per-task=8 --time=90 --parsable --gres=gpu:t4:1 --qos=long experiments/slurm/cuda.sh|--thesis|/data/thesis/t4||gcc
--account=physics --partition=old --cpus-per-task=8 --time=90 --parsable --gres=gpu:k20:1 --qos=long experiments/slurm/cuda.sh|--thesis|/data/thesis/k20|build-k20/bin/study|gcc/11 cuda/11.8
--account=physics --partition=cores --parsable --dependency=afterany:1:2:3 --qos=long experiments/slurm/report.sh|--thesis|/data/thesis||gcc
END
GPU_REQUEST='--gres=gpu:1 --constraint=%s' submits "nodes by feature" 0 --gpus a100 <<'END'
--parsable experiments/slurm/cpu.sh|--thesis|results/thesis/cpu||
--parsable --gres=gpu:1 --constraint=a100 experiments/slurm/cuda.sh|--thesis|results/thesis/a100||
--parsable --dependency=afterany:1:2 experiments/slurm/report.sh|--thesis|results/thesis||
END
REFUSED=gpu:k20 submits "one job refused" 1 --gpus k20,t4 <<'END'
--parsable experiments/slurm/cpu.sh|--thesis|results/thesis/cpu||
--parsable --gres=gpu:t4:1 experiments/slurm/cuda.sh|--thesis|results/thesis/t4||
--parsable --dependency=afterany:1:2 experiments/slurm/report.sh|--thesis|results/thesis||
END
check "thesis.sh does not name the job that was refused" grep -q 'cuda.sh for results/thesis/k20 was not submitted' "$folder/err"
REFUSED=slurm submits "all jobs refused" 1 </dev/null
submits "no GPU" 0 --gpus none <<'END'
--parsable experiments/slurm/cpu.sh|--thesis|results/thesis/cpu||
--parsable --dependency=afterany:1 experiments/slurm/report.sh|--thesis|results/thesis||
END
for kinds in "" a,,b "a b" cpu; do
    submits "--gpus '$kinds'" 2 --gpus "$kinds" </dev/null
done
if (cd "$folder/elsewhere" && "$OLDPWD/experiments/slurm/thesis.sh") 2>"$folder/err"; then
    check "thesis.sh submits from another folder" false
fi
check "thesis.sh from another folder: $(cat "$folder/err")" grep -q "start it in the project's folder" "$folder/err"

[ $failures = 0 ] || exit 1
echo "The batch scripts submit, measure and refuse what they say."
