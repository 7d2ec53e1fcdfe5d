#!/usr/bin/env bash
# Installs what is missing, builds, and does the main job: pools the brain images with every method,
# verified bit for bit, runs the study, draws its charts and writes the report. Everything lands in
# results/local/; running again does only what is missing. What fails on the way is said, and the rest
# goes on. The exit status is 1 where a result was wrong, and else that of the report: 0 once it is
# written and everything that is there could be read.
#   ./run.sh                 the quick study: about three minutes on two cores
#   ./run.sh --standard      thirty minutes; --full: a night
#   ./run.sh --budget 20s    stops measuring then: a first look
#   ./run.sh --lang es       charts and report in Spanish
#   ./run.sh --results DIR   another folder for the results; --build DIR: for the programs
#   ./run.sh --cmake OPTION  for the configuration, such as -DMAXPOOL_WITH_MPI=OFF; may be repeated
set -euo pipefail
cd "$(dirname "$0")"
results=results/local
build=build
scale=--quick
lang=en
budget=()
cmake=()

usage() {
    echo "run.sh: $1" >&2
    sed -n '2,/^set /s/^# //p' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
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
en | es) ;;
*) usage "--lang takes en or es" ;;
esac

wrong=0
# attempt COMMAND...: says what failed, and goes on. Status 1 is a wrong result; a signal ends it all.
attempt() {
    local status=0
    "$@" || status=$?
    [ "$status" -ne 0 ] || return 0
    [ "$status" -le 128 ] || exit "$status"
    [ "$status" -ne 1 ] || wrong=1
    echo "run.sh: '${*##*/}' ended with status $status; the rest goes on" >&2
}

# must COMMAND...: without it there is nothing to go on with.
must() {
    "$@" >"$build.log" 2>&1 && return
    cat "$build.log" >&2
    echo "run.sh: '$*' failed" >&2
    exit 1
}

attempt scripts/install.sh run
mkdir -p "$results"
must cmake --preset release -B "$build" "${cmake[@]}"
sed -n '/What this build can do/,/^-- $/p' "$build.log"
must cmake --build "$build" -j "$(nproc)"
rm -f "$build.log"
bin=$build/bin

echo "== A brain MRI slice, pooled with 4 x 4 windows"
attempt "$bin/maxpool_serial" -i tests/data/brain_axial.png -k 4 --method fused \
    -o "$results/brain_pooled.png"

if [ ! -x "$bin/study" ]; then
    echo "run.sh: there is no study here, and so no report: the table above tells what it needs" >&2
    exit $((wrong ? 1 : 3))
fi

echo
echo "== Every method on the brain images"
attempt "$bin/study" run brain --quick "${budget[@]}" --results "$results"
attempt "$bin/study" analyze brain --results "$results"

echo
echo "== The study"
# With a budget the ceilings are a first look, too: once, and shortly.
attempt "$bin/study" roofline --results "$results" ${budget[@]:+--seconds 0.1}
attempt "$bin/study" run --all "$scale" "${budget[@]}" --results "$results"
[ ${#budget[@]} -gt 0 ] ||
    attempt "$bin/study" roofline --results "$results" >/dev/null # the higher of before and after

echo
echo "== What it says"
written=0
"$bin/study" report --lang "$lang" --results "$results" || written=$?
echo
echo "The pooled image:  $results/brain_pooled.png"
echo "The samples:       $results/*.csv"
echo "The charts:        $results/charts/"
echo "The report:        $results/report.html"
exit $((wrong ? 1 : written))
