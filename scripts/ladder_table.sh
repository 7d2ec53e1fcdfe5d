#!/usr/bin/env bash
# Writes the tables of the ladder into docs/ladder.md, between its two marker lines, from the committed samples that the
# first marker names. Usage: scripts/ladder_table.sh [--check] [BUILD_FOLDER [PAGE]]
#   --check   changes nothing; fails if the page does not match the samples
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/generated_page.sh
build=${1:-build}
page=${2:-docs/ladder.md}
results=$(sed -n 's/^<!-- ladder from \(.*\): begin -->$/\1/p' "$page")
if [ -z "$results" ] || ! grep -q '^<!-- ladder: end -->$' "$page"; then
    echo "ladder_table.sh: $page lacks the lines '<!-- ladder from FOLDER: begin -->' and '<!-- ladder: end -->'" >&2
    exit 2
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
    sed -n '1,/^<!-- ladder from .*: begin -->$/p' "$page"
    echo
    "$build/bin/study" report --part ladder --format markdown --results "$results"
    sed -n '/^<!-- ladder: end -->$/,$p' "$page"
} >"$new"
put_page "$new" "$page" \
    "ladder_table.sh: $page does not say what $results says; run scripts/ladder_table.sh"
