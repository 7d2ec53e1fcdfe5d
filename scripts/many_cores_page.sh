#!/usr/bin/env bash
# Writes the tables of docs/details/many_cores.md between its marks: what each kernel should do on 8, 16 and 64 cores, predicted
# from the committed samples of one core, results/reference/*.
# Usage: scripts/many_cores_page.sh [--check] [BUILD_FOLDER [DOCS]]
#   --check   changes nothing; status 1 if the page does not match the samples and the model
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/generated_page.sh
build=${1:-build}
page=${2:-docs}/details/many_cores.md
if [ ! -x "$build/bin/study" ]; then
    echo "many_cores_page.sh: $build/bin/study was not built" >&2
    exit 2
fi
samples=results/reference/amd-epyc-zen4-2-cores
networks=$samples-networks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows MACHINE CORES EXPERIMENT RESULTS [OPTION]...: the rows of the table, without its head; operators without the
# programs of the samples and the parts of a shape that the others determine.
rows() {
    local machine=$1 cores=$2 experiment=$3 results=$4
    shift 4
    LC_ALL=C "$build/bin/study" predict "$experiment" --machine "$machine" --threads "$cores" --results "$results" \
        --format markdown "$@" | tail -n +3 |
        sed -E 's/_(serial|omp) / /; s/ planes=[0-9]+//; s/ stride=1 padding=1//; s/ groups=[0-9]+//'
}
# table MACHINE CORES: the kernels on so many cores of a machine.
table() {
    echo "| kernel | cores | predicted | predicted speedup | the largest part of it |"
    echo "|---|---|---|---|---|"
    rows "$1" "$2" threads "$samples" --method literal,staged,separable,shared_rows,blocked,packed
    rows "$1" "$2" conv_ladder "$networks" --method literal,implicit,winograd,depthwise |
        grep -E 'filters=64 \||depthwise'
    rows "$1" "$2" distances_growth "$networks" --method literal,blocked | grep 1000x
    rows "$1" "$2" layers "$networks"
    rows "$1" "$2" layers_mobilenet "$networks"
    rows "$1" "$2" training_layers "$networks"
}
# steps EXPERIMENT: the steps of a network on the largest machine.
steps() {
    echo "| step | cores | predicted | predicted speedup | the largest part of it |"
    echo "|---|---|---|---|---|"
    rows server_64 64 "$1" "$networks" --steps
}
# section NAME: what stands between the marks of that name.
section() {
    case $1 in
        laptop_8) table laptop_8 8 ;;
        desktop_16) table desktop_16 16 ;;
        server_64) table server_64 64 ;;
        resnet18) steps layers ;;
        training) steps training_layers ;;
        *)
            echo "many_cores_page.sh: $page has marks of an unknown table, $1" >&2
            exit 1
            ;;
    esac
}
while IFS= read -r line; do
    case $line in
        '<!-- end -->') skip=0 ;;
    esac
    [ "${skip:-0}" = 1 ] || printf '%s\n' "$line"
    if [[ $line =~ ^'<!-- table '([a-z0-9_]+)' -->'$ ]]; then
        section "${BASH_REMATCH[1]}"
        skip=1
    fi
done <"$page" >"$work/page"
put_page "$work/page" "$page" \
    "many_cores_page.sh: $page does not say what the model predicts; run scripts/many_cores_page.sh"
