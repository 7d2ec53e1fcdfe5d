#!/usr/bin/env bash
# Writes the tables of the ladder into README.md, between its two marker lines, from the committed
# samples that the first marker names. Usage: scripts/readme_ladder.sh [--check] [BUILD_FOLDER [README]]
#   --check   changes nothing; fails where the README does not say what the samples say
set -euo pipefail
cd "$(dirname "$0")/.."
check=0
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
build=${1:-build}
readme=${2:-README.md}
results=$(sed -n 's/^<!-- ladder from \(.*\): begin -->$/\1/p' "$readme")
if [ -z "$results" ] || ! grep -q '^<!-- ladder: end -->$' "$readme"; then
    echo "readme_ladder.sh: $readme lacks the lines '<!-- ladder from FOLDER: begin -->' and '<!-- ladder: end -->'" >&2
    exit 2
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
    sed -n '1,/^<!-- ladder from .*: begin -->$/p' "$readme"
    echo
    "$build/bin/study" report --part ladder --format markdown --results "$results"
    sed -n '/^<!-- ladder: end -->$/,$p' "$readme"
} >"$new"
if [ "$check" = 1 ]; then
    diff -u "$readme" "$new" || {
        echo "readme_ladder.sh: $readme does not say what $results says; run scripts/readme_ladder.sh" >&2
        exit 1
    }
else
    cat "$new" >"$readme"
fi
