#!/usr/bin/env bash
# Installs what is missing, builds, and does the main job: pools a brain image, measures the quick study,
# draws its charts and writes the report. It prints the step under way and then the findings; everything
# else goes to results/local/run.log. Programs that the study does not need are built last, so that nothing
# else runs while it measures. Running it again measures only what is missing. A step that fails is
# reported, and later steps still run. Exit status: 1 where a result was wrong or a program cannot be built,
# else that of the report, which is 0 once the page is written and all samples could be read.
#   ./run.sh                 the quick study: about three minutes of measuring on two cores
#   ./run.sh --standard      thirty minutes; --full: a night
#   ./run.sh --budget 20s    stop measuring after that time: a first look
#   ./run.sh --lang es       charts and report in Spanish
#   ./run.sh --results DIR   another folder for the results; --build DIR: for the programs
#   ./run.sh --cmake OPTION  for the configuration, such as -DMAXPOOL_WITH_MPI=OFF; may be repeated
set -euo pipefail
cd "$(dirname "$0")"
results=results/local
build=build
scale=--quick
lang= # that of the environment
budget=()
cmake=()

help() {
    sed -n '2,/^set /s/^# //p' "$0"
}

usage() {
    echo "run.sh: $1" >&2
    help >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        help
        exit 0
        ;;
    --quick | --standard | --full) scale=$1 ;;
    --budget | --lang | --results | --build | --cmake)
        [ $# -ge 2 ] || usage "$1 needs a value"
        case $1 in
        --budget) budget=(--budget "$2") ;;
        --lang) lang=$2 ;;
        --results) results=$2 ;;
        --build) build=$2 ;;
        --cmake) cmake+=("$2") ;;
        esac
        shift
        ;;
    *) usage "no option '$1'" ;;
    esac
    shift
done
case $lang in
'' | en | es) ;;
*) usage "--lang takes en or es" ;;
esac

mkdir -p "$results"
log=$results/run.log
: >"$log"
wrong=0
last=6

# step NUMBER TEXT: announces the step that begins.
step() {
    printf '[%d/%d] %s\n' "$1" "$last" "$2" | tee -a "$log"
}

# last_words: prints the last line of the failed command's output.
last_words() {
    grep -v '^$' "$log" | tail -n 1
}

# attempt COMMAND...: runs it with its output in the log; on a terminal its progress is shown. A failure is reported and
# later steps still run. Status 1 is a wrong result; a signal ends everything.
attempt() {
    local status=0
    echo "\$ $*" >>"$log"
    if [ -t 2 ]; then
        "$@" >>"$log" || status=$?
    else
        "$@" >>"$log" 2>&1 || status=$?
    fi
    [ "$status" -ne 0 ] || return 0
    [ "$status" -le 128 ] || exit "$status"
    [ "$status" -ne 1 ] || wrong=1
    echo "run.sh: '${*##*/}' ended with status $status; later steps still run. $log ends: $(last_words)" >&2
}

# must COMMAND...: runs it; if it fails, nothing else is possible.
must() {
    echo "\$ $*" >>"$log"
    "$@" >>"$log" 2>&1 && return
    tail -n 40 "$log" >&2
    echo "run.sh: '$*' failed; all that it printed: $log" >&2
    exit 1
}

# build_target NAME: first: what a study needs; programs: all but the tests.
build_target() {
    must cmake --build "$build" -j "$(nproc)" --target "$1"
}

step 1 "packages"
# Packages that an administrator would have to install are shown, not only logged.
scripts/install.sh run 2>&1 | tee -a "$log" || echo "run.sh: going on with what is there" >&2

# Ninja starts fewer processes than make; a folder that make has built stays with make.
! command -v ninja >/dev/null || export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
step 2 "build of what the study needs (the first time two to four minutes)"
must cmake --preset release -B "$build" "${cmake[@]}"
off=$(sed -n '/What this build can do/,/^-- $/s/^-- *\([A-Z][A-Z0-9]*\)  *off .*/\1/p' "$log" | paste -sd ' ')
build_target first
[ -z "$off" ] || echo "      without $off (why: $log)"
bin=$build/bin

step 3 "a brain MRI slice, pooled with 4 x 4 windows"
attempt "$bin/maxpool_serial" -i tests/data/brain_axial.png -k 4 --method fused \
    -o "$results/brain_pooled.png"

if [ ! -x "$bin/study" ]; then
    build_target programs
    echo "run.sh: this build has no program 'study', and so no report; $log says what it needs" >&2
    exit $((wrong ? 1 : 3))
fi

# Before the study each ceiling is measured until it has an interval. After it, those are measured again that varied, or
# that the rounds of the study exceeded. The images of the quick study are a few MiB: its buffers need not grow beyond
# what lies in memory for sure, where passes take two thirds of the time.
ceilings=(--max-seconds 90)
case $scale in
--standard) expected="about half an hour" ;;
--full) expected="a night" ;;
*)
    expected="up to five minutes"
    ceilings+=(--seconds 0.5)
    ;;
esac
[ ${#budget[@]} -eq 0 ] || expected="the study at most ${budget[1]}"
step 4 "this machine's limits, then the ${scale#--} study: $expected"
# With a budget the ceilings too are only a first look: measured once, and briefly.
[ ${#budget[@]} -eq 0 ] || ceilings=(--max-seconds 90 --seconds 0.1 --visits 3)
attempt "$bin/study" roofline --results "$results" "${ceilings[@]}"
attempt "$bin/study" run --all "$scale" "${budget[@]}" --results "$results"
[ ${#budget[@]} -gt 0 ] ||
    attempt "$bin/study" roofline --doubtful --max-seconds 30 --results "$results" # faster rates of before are kept

step 5 "charts and report"
written=0
findings=$("$bin/study" report ${lang:+--lang "$lang"} --results "$results" 2>>"$log") || written=$?
printf '\n%s\n' "$findings" | tee -a "$log"
printf 'charts, samples, all that was printed: %s, %s, %s\n' "$results/charts/" "$results/*.csv" "$log"
printf 'time: %d:%02d\n' $((SECONDS / 60)) $((SECONDS % 60))
# Open MPI starts more ranks than cores only with this option; MPICH knows no such option.
if [ -x "$bin/maxpool_mpi" ]; then
    flag=
    ! mpirun --version 2>/dev/null | grep -qi 'open *mpi\|open-mpi' || flag=' --oversubscribe'
    printf '16 ranks, on any number of cores: mpirun -np 16%s %s\n' "$flag" "$bin/maxpool_mpi"
fi
[ "$written" -eq 0 ] || echo "run.sh: 'study report' ended with status $written: $(last_words)" >&2

step 6 "build of the other programs: the emulated GPU, the library"
build_target programs
exit $((wrong ? 1 : written))
