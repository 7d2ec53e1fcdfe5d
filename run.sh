#!/usr/bin/env bash
# Installs what is missing, builds, and does the main job: pools the brain images with every method,
# verified bit for bit, runs the quick study (about 3 minutes on 2 cores), draws its charts and writes
# the report. Everything lands in results/local/; running again does only what is missing.
#   ./run.sh           the quick study
#   ./run.sh --full    the full study: hours
#   ./run.sh --lang es charts and report in Spanish
set -euo pipefail
cd "$(dirname "$0")"
results=results/local
scale=--quick
lang=en
while [ $# -gt 0 ]; do
    case $1 in
    --full) scale=--full ;;
    --lang)
        lang=${2:-}
        shift
        ;;
    *)
        sed -n '2,7s/^# //p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
case $lang in
en | es) ;;
*)
    echo "run.sh: --lang takes en or es" >&2
    exit 2
    ;;
esac

scripts/install.sh run
cmake --preset release >build.log 2>&1 || { cat build.log; exit 1; }
sed -n '/What this build can do/,/^-- $/p' build.log
cmake --build --preset release -j "$(nproc)" >build.log 2>&1 || { cat build.log; exit 1; }
rm -f build.log
bin=build/bin
mkdir -p "$results"

echo "== A brain MRI slice, pooled with 4 x 4 windows"
"$bin/maxpool_serial" -i tests/data/brain_axial.png -k 4 --method fused -o "$results/brain_pooled.png"

echo
echo "== Every method on the brain images"
"$bin/study" run brain --quick --results "$results"
"$bin/study" analyze brain --results "$results"

echo
echo "== The study"
"$bin/study" roofline --results "$results"
"$bin/study" run --all "$scale" --results "$results"
"$bin/study" roofline --results "$results" >/dev/null # the higher of before and after
"$bin/study" report --lang "$lang" --results "$results" >/dev/null

echo
echo "The pooled image:  $results/brain_pooled.png"
echo "The samples:       $results/*.csv"
echo "The charts:        $results/charts/"
echo "The report:        $results/report.html"
