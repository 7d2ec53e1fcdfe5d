#!/usr/bin/env bash
# Writes docs/reproduction.md: every number and figure of the four documents of data/published, next to the committed
# samples, results/reference/*. Usage: scripts/reproduction_page.sh [--check] [BUILD_FOLDER [PAGE]]
#   --check   changes nothing; status 1 if the page does not match the samples
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/generated_page.sh
check=0
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
build=${1:-build}
page=${2:-docs/reproduction.md}
if [ ! -x "$build/bin/study" ]; then
    echo "reproduction_page.sh: $build/bin/study was not built" >&2
    exit 2
fi
# Samples of the published points come before others: a row is taken from the first folder that has it.
folders=()
for folder in results/reference/*-thesis*/ results/reference/*/; do
    [ ! -d "$folder" ] || folders+=(--results "${folder%/}")
done
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
    echo "<!-- Written by scripts/reproduction_page.sh from the committed samples; do not edit. -->"
    "$build/bin/study" reproduce "${folders[@]}" --format markdown
} >"$new"
put_page "$check" "$new" "$page" \
    "reproduction_page.sh: $page does not say what the samples say; run scripts/reproduction_page.sh"
