#!/usr/bin/env bash
# Tests the batch scripts under a real Slurm, which it starts itself (scripts/slurm.sh).
# Usage: scripts/slurm_test.sh [BUILD_FOLDER [one_node|gpu|elsewhere|two_nodes]]
#   one_node   each CPU script ends well, the GPU script on a node without a GPU, or with a nominal one, ends with
#              status 3, and jobs cancelled midway and submitted again end with exactly the planned launches
#   gpu        only the part of it that concerns the GPU script
#   elsewhere  only the part in which each script is submitted from another folder, where it ends with status 2
#   two_nodes  ranks on two nodes, started by srun and by mpirun; skipped with a message if the machine
#              refuses network namespaces
# A job's time limit grows with the load of the machine; SLOWNESS=3 makes each limit three times as long.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
part=${2:-}
if [ -z "$part" ]; then
    scripts/slurm.sh scripts/slurm_test.sh "$build" one_node
    status=0
    scripts/slurm.sh --nodes 2 scripts/slurm_test.sh "$build" two_nodes || status=$?
    [ "$status" -eq 77 ] || exit "$status"
    exit 0
fi
[ -n "${SLURM_CONF:-}" ] || { echo "slurm_test.sh: parts run under scripts/slurm.sh" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export STUDY=$build/bin/study SCALE=--quick RESULTS=$folder/results
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

die() {
    echo "slurm_test.sh: $*" >&2
    exit 1
}

# A job's time limit: MINUTES if the cores are free. An additional load of one process per core doubles it.
minutes() { # MINUTES
    awk -v asked="$1" -v slowness="${SLOWNESS:-1}" -v cores="$(nproc)" \
        '{ printf "%d\n", asked * slowness * (1 + $1 / cores) + 0.999 }' /proc/loadavg
}

submit() { # STATUS MINUTES SCRIPT OPTION...: waits, and compares the exit status
    local expected=$1 script=$3 status=0 limit
    limit=$(minutes "$2")
    shift 3
    sbatch --wait --time="$limit" --output="$folder/$script-%a.log" --error="$folder/$script-%a.log" "$@" \
        "experiments/slurm/$script.sh" >/dev/null || status=$?
    if [ "$status" -ne "$expected" ]; then
        cat "$folder/$script"-*.log >&2
        ! grep -q 'DUE TO TIME LIMIT' "$folder/$script"-*.log ||
            die "$script.sh was not done within its limit of $limit minutes; SLOWNESS=3 gives it three times as many"
        die "$script.sh ended with status $status, expected $expected"
    fi
    echo "$script.sh: status $status"
}

# Prints the finished launches in files of samples, one per line: the point's columns and the round. An interrupted
# launch leaves samples too, but is not finished.
finished() { # FILE...
    awk -F, '
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["stop_reason"] ~ /^(relative_ci|samples|seconds)$/ {
            key = ""
            for (i = at["program"]; i < at["binding"]; i++) key = key "," $i
            print key "," $at["round"]
        }' "$@"
}

# Writes the samples that an experiment has so far to $folder/NAME.csv, and prints that path.
exported() { # NAME [RESULTS]
    "$STUDY" export "$1" --samples --results "${2:-$RESULTS}" >"$folder/$1.csv" 2>/dev/null || true
    echo "$folder/$1.csv"
}

# Counts them; there may be no file yet. PATTERN is expanded by the shell.
count_finished() { # PATTERN
    # shellcheck disable=SC2086
    { finished $1 2>/dev/null || true; } | wc -l
}

# Counts the launches of a plan: a command with several methods is one launch per method.
launches() { # PLAN
    awk '{ for (i = 1; i < NF; i++) if ($i == "--method") n += split($(i + 1), of, ",") } END { print n + 0 }' \
        <<<"$1"
}

planned() { # EXPERIMENT OPTION...: the commands of its plan
    "$STUDY" plan "$@" --quick --shell 2>/dev/null
}

# Counts the finished launches within the rounds of a plan; a remaining budget is spent on further rounds.
count_planned() { # PLAN FILE...
    local rounds
    rounds=$(sed 's/.* --round \([0-9]*\) .*/\1/' <<<"$1" | sort -n | tail -n 1)
    shift
    finished "$@" | awk -F, -v last="$rounds" '$NF <= last' | wc -l
}

# Every planned launch is finished exactly once, and so is every further one.
check_exact() { # NAME PLAN FILE...
    local name=$1 plan=$2 all within
    shift 2
    all=$(finished "$@" | wc -l)
    [ "$all" -eq "$(finished "$@" | sort -u | wc -l)" ] || die "$name: some launches are finished twice"
    within=$(count_planned "$plan" "$@")
    [ "$within" -eq "$(launches "$plan")" ] ||
        die "$name: $(launches "$plan") launches are planned, $within are finished"
    echo "$name: exactly the $within planned launches, and $((all - within)) in further rounds"
}

# Submits with a budget of one minute, then with more, again as long as launches are missing.
run_to_end() { # NAME PLAN OPTION...
    local name=$1 plan=$2 tries
    shift 2
    for ((tries = 0; tries < 10; tries++)); do
        submit 0 $((2 + tries)) "$name" "$@"
        [ "$(count_planned "$plan" "$(exported "$name")")" -lt "$(launches "$plan")" ] || break
    done
    check_exact "$name.sh" "$plan" "$(exported "$name")"
}

# Submits a job, cancels it when three launches are finished, and waits for its end.
cancel_midway() { # NAME PLANNED FILES OPTION...
    local name=$1 planned=$2 files=$3 job count
    shift 3
    job=$(sbatch --parsable --time="$(minutes 10)" --output="$folder/cancelled-%a.log" "$@" "experiments/slurm/$name.sh")
    while :; do
        count=$(count_finished "$files")
        [ "$count" -lt 3 ] && squeue -h -j "$job" 2>/dev/null | grep -q . || break
        sleep 0.1
    done
    scancel "$job"
    while squeue -h -j "$job" 2>/dev/null | grep -q .; do sleep 0.2; done
    count=$(count_finished "$files")
    [ "$count" -ge 3 ] && [ "$count" -lt "$planned" ] ||
        die "$name was not cancelled midway: $count of $planned launches are finished"
    echo "$name: cancelled after $count of $planned launches"
}

one_node() {
    local plan
    plan=$(planned strong_scaling --cores 2)
    cancel_midway strong_scaling "$(launches "$plan")" "$RESULTS/samples.csv" --ntasks=2
    run_to_end strong_scaling "$plan" --ntasks=2

    export EXPERIMENT=window_count
    plan=$(planned window_count)
    cancel_midway array "$(launches "$plan")" "$RESULTS/array/window_count.*.csv" --array=1-2
    submit 0 5 array --array=1-2
    check_exact array.sh "$plan" "$RESULTS"/array/window_count.*.csv
    submit 0 5 array --array=1-2 # again: no launch is missing, so none is run
    check_exact array.sh "$plan" "$RESULTS"/array/window_count.*.csv

    run_to_end weak_scaling "$(planned weak_scaling --cores 2)" --ntasks=2
    run_to_end threads "$(planned threads --cores 2)" --cpus-per-task=2
    unset EXPERIMENT
    export SIZE=256 NETWORK=solar_cnn EPOCHS=1
    submit 0 5 mpi --ntasks=2
    check_column "$RESULTS/mpi.csv" ranks 2
    check_column "$RESULTS/mpi.csv" verified exact
    submit 0 5 hybrid --ntasks=1 --cpus-per-task=2
    check_column "$RESULTS/hybrid.csv" threads 2
    submit 0 15 network --ntasks=2
    check_column "$RESULTS/network.csv" network solar_cnn
    check_column "$RESULTS/training.csv" ranks 2
    submit 0 5 report
    [ -s "$RESULTS/report.html" ] || die "report.sh wrote no report"
    gpu
    elsewhere
}

# Submitted from another folder, each batch script ends with status 2 and one line, and writes nothing there.
elsewhere() {
    local script name status log=$folder/elsewhere.log source=$PWD
    mkdir "$folder/elsewhere"
    for script in experiments/slurm/*.sh; do
        grep -q '^#SBATCH' "$script" || continue
        name=$(basename "$script")
        status=0
        (cd "$folder/elsewhere" && sbatch --wait --ntasks=1 --cpus-per-task=1 --time="$(minutes 1)" --output="$log" \
            "$source/$script" >/dev/null) || status=$?
        [ "$status" -eq 2 ] && [ "$(grep -c "^$name: .*submit from the project's folder" "$log")" -eq "$(wc -l <"$log")" ] ||
            { cat "$log" >&2; die "$name, submitted from another folder, ended with status $status, expected 2 and one line"; }
        [ -z "$(ls -A "$folder/elsewhere")" ] || die "$name, submitted from another folder, wrote there"
        rm "$log"
    done
    echo "each script, submitted from another folder: status 2"
}

# The GPU script: without a GPU, with a nominal one, with the emulation as device; and the options that submit.sh passes on.
gpu() {
    if ! nvidia-smi -L >/dev/null 2>&1; then
        submit 3 5 cuda --gres=none --cpus-per-task=1 # a node may have fewer cores than the script requests
        grep -q 'no working GPU' "$folder"/cuda-*.log || die "cuda.sh does not say why it ends"
        submit 3 5 cuda --cpus-per-task=1 # on the node's nominal GPU
    fi
    on_emulation
    thesis
    check_submit
}

# The GPU script with the tests' emulation as device: the emulation's programs replace those of a GPU, next to links to study and
# the others. A program finds its own folder through the link's target, so the script passes the folder. A study takes no rows of an
# emulated device; here, where nobody reads the times, the device gets another name.
on_emulation() {
    local program emulation=$folder/emulation
    [ -x "$build/bin/maxpool_cuda_on_emulation" ] || { echo "slurm_test.sh: no programs on the emulation: that part is left out"; return 0; }
    mkdir "$emulation"
    ln -s "$PWD/$build"/bin/{study,maxpool_serial} "$emulation"
    for program in "$PWD/$build"/bin/*_cuda_on_emulation; do
        cat >"$emulation/$(basename "${program%_on_emulation}")" <<END
#!/bin/bash
"$program" "\$@" || exit
while [ \$# -gt 1 ]; do
    [ "\$1" != --record ] || sed -i 's/CPU emulation/made-up GPU/' "\$2"
    shift
done
END
    done
    chmod +x "$emulation"/*_cuda
    STUDY=$emulation/study EXPERIMENTS=filter_memory RESULTS=$folder/emulation_results submit 0 2 cuda --cpus-per-task=1
    grep -q ' 0 points left out' "$folder"/cuda-*.log || die "cuda.sh leaves points of the device out"
    check_column "$folder/emulation_results/samples.csv" space cuda
}

# thesis.sh: the CPU job, one job for each of two kinds of GPU, and the report that waits for them.
thesis() {
    local results=$folder/thesis job
    [ -x "$folder/emulation/maxpool_cuda" ] || return 0
    STUDY=$folder/emulation/study EXPERIMENTS="filter_memory window_count" RESULTS=$results NTASKS=2 CPUS_PER_TASK=1 TIME=$(minutes 2) \
        experiments/slurm/thesis.sh --gpus t4,k20 --output="$folder/thesis-%j.log" >"$folder/thesis.jobs"
    cat "$folder/thesis.jobs"
    [ "$(grep -c '^job [0-9]*:' "$folder/thesis.jobs")" -eq 4 ] || die "thesis.sh did not submit four jobs"
    job=$(sed -n 's/^job \([0-9]*\): report.*/\1/p' "$folder/thesis.jobs")
    while squeue -h -j "$job" 2>/dev/null | grep -q .; do sleep 0.2; done
    check_column "$results/cpu/samples.csv" verified exact
    for kind in t4 k20; do
        grep -q ',cuda,' "$results/$kind/samples.csv" || die "thesis.sh: no point of a GPU on $kind"
    done
    for file in cpu/report.html t4/report.html k20/report.html machines.html reproduction.html; do
        [ -s "$results/$file" ] || { cat "$folder"/thesis-*.log >&2; die "thesis.sh: no $file"; }
    done
    echo "thesis.sh: a CPU job, two GPU jobs and their report"
}

# Checks that settings of a cluster in the environment become options of sbatch.
check_submit() {
    SUBMIT=echo CPUS_PER_TASK=1 MEM=1G TIME=3 ACCOUNT=physics experiments/slurm/submit.sh cuda --gres=none |
        grep -qx -- '--account=physics --cpus-per-task=1 --mem=1G --time=3 --gres=none .*cuda.sh' ||
        die "submit.sh: other options"
    ! experiments/slurm/submit.sh common 2>/dev/null || die "submit.sh submits what is no batch script"
}

# Checks that every row of a record has that value in that column.
check_column() { # FILE COLUMN VALUE
    awk -F, -v column="$2" -v value="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at[column] != value { exit 1 }
        END { exit NR < 2 }' "$1" || { cat "$1" >&2; die "$2 is not $3 in every sample"; }
}

# Four ranks, two on each node; the halos cross the boundary between the nodes.
on_both_nodes() { # LAUNCH COMMAND...
    local launch=$1 record=$folder/$1.csv
    shift
    {
        echo '#!/bin/bash'
        echo "exec $* $build/bin/maxpool_mpi -n 512 -k 5 -s 1 -p 2 --samples 3 --record $record --per-rank $folder/$launch-ranks.csv"
    } >"$folder/$launch.sh"
    sbatch --wait --nodes=2 --ntasks=4 --ntasks-per-node=2 --time="$(minutes 2)" --output="$folder/$launch.log" "$folder/$launch.sh" >/dev/null ||
        { cat "$folder/$launch.log" >&2; die "$launch on two nodes failed"; }
    check_column "$record" ranks 4
    check_column "$record" nodes 2
    check_column "$record" verified exact
    check_column "$record" launch "$launch"
    [ "$(awk -F, 'NR > 1 { print $3 }' "$folder/$launch-ranks.csv" | sort -u | wc -l)" -eq 2 ] ||
        die "$launch: not both nodes are among the ranks' hosts"
    echo "$launch: four ranks on two nodes, verified"
}

two_nodes() {
    on_both_nodes srun srun
    on_both_nodes mpirun mpirun -np 4 --bind-to none
    run_to_end strong_scaling "$(planned strong_scaling --cores 4)" --nodes=2 --ntasks=4 --ntasks-per-node=2
}

"$part"
echo "Slurm, $part: all is as it should be"
