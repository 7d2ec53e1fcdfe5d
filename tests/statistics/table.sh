#!/usr/bin/env bash
# Writes the table of docs/details/statistics_simulated.md: table.sh [BUILD_FOLDER]. Takes minutes; the same build writes the same table.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build-debug}
page=docs/details/statistics_simulated.md
table=$(mktemp)
trap 'rm -f "$table"' EXIT
MAXPOOL_LONG=1 "$build/bin/simulate_statistics" >"$table"
sed -i -e '/^<!-- simulated: begin/,/^<!-- simulated: end/{//!d}' \
    -e "/^<!-- simulated: begin/r $table" "$page"
