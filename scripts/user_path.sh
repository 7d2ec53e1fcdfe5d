#!/usr/bin/env bash
# Follows a user's path: ./run.sh with a few seconds of measuring, built without what only the tests install and without
# what it does not run, into a new folder; then the promised report must exist. Vector functions are compiled for one
# instruction set: all of them share their source, which takes minutes to optimise. Usage: scripts/user_path.sh [BUDGET]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "user_path.sh: $1" >&2
    tail -n 40 "$folder/log" >&2
    exit 1
}

./run.sh --budget "${1:-20s}" --build build-user --results "$folder/results" \
    --cmake -DMAXPOOL_WITH_SIMGRID=OFF --cmake -DBUILD_TESTING=OFF --cmake -DMAXPOOL_WITH_CUDA=OFF \
    --cmake -DMAXPOOL_WITH_EMULATION=OFF --cmake -DMAXPOOL_WITH_ISA=OFF \
    >"$folder/log" 2>&1 || fail "run.sh ended with status $?"
for file in report.html report.md report.tex brain_pooled.png environment.json ceilings.csv; do
    [ -s "$folder/results/$file" ] || fail "run.sh left no $file"
done
! find "$folder/results" -size 0 -name '*.svg' | grep . >&2 || fail "a chart is empty"
# The number of charts depends on what this machine could measure within the budget: there must be some.
charts=$(cat "$folder"/results/report*.html | grep -c '<svg') || true
if command -v gnuplot >/dev/null; then
    [ "$charts" -ge 1 ] || fail "the report shows no chart"
fi
findings=$(sed -n '/^\[5\/6\]/,/^Points: /p' "$folder/log" | grep -c ': ') || true
[ "$findings" -ge 2 ] || fail "run.sh ends without findings in words, or how far to trust them"
[ "$(wc -l <"$folder/log")" -le 20 ] || fail "run.sh prints more than a screen"
[ -s "$folder/results/run.log" ] || fail "run.sh left no log"
# The gate compiles nothing else as it is measured: what is measured must compile without a warning of gcc 12 here too.
measured='(^|/)(kernels|harness|networks|serial|openmp|mpi)/[^:]*:[0-9:]* warning:'
if [ "$(cc -dumpversion)" = 12 ] && grep -E "$measured" "$folder/results/run.log" | grep -v experiments/ >&2; then
    fail "the compiler warns of what is measured"
fi
echo "run.sh ended well: $charts charts, $((findings - 1)) findings; $(grep '^Points: ' "$folder/log")"
