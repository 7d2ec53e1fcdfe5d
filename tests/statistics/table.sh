#!/usr/bin/env bash
# Writes the tables of docs/details/statistics_simulated.md and statistics_chosen.md:
# table.sh [BUILD_FOLDER]. Takes minutes; the same build writes the same table.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build-debug}
chosen='Times chosen by the times'
table=$(mktemp)
trap 'rm -f "$table" "$table".*' EXIT

# put PAGE FILE: the tables of the file become those of the page.
put() {
    sed -i -e '/^<!-- simulated: begin/,/^<!-- simulated: end/{//!d}' -e "/^<!-- simulated: begin/r $2" "$1"
}

MAXPOOL_LONG=1 "$build/bin/simulate_statistics" >"$table"
# Tables are parted by an empty line; that of times chosen by the times has a page of its own.
awk -v RS= -v ORS='\n\n' -v chosen="$chosen" 'index($0, chosen) == 0' "$table" | sed '$d' >"$table.most"
awk -v RS= -v chosen="$chosen" 'index($0, chosen)' "$table" >"$table.chosen"
put docs/details/statistics_simulated.md "$table.most"
put docs/details/statistics_chosen.md "$table.chosen"
