#!/usr/bin/env bash
# Writes the manual pages of all programs of a folder, and of study's commands, into another.
# Usage: scripts/man_pages.sh BIN_FOLDER MAN_FOLDER
set -euo pipefail
if [ $# -ne 2 ]; then
    echo "usage: scripts/man_pages.sh BIN_FOLDER MAN_FOLDER" >&2
    exit 2
fi
page=$(dirname "$0")/man_page.sh
for program in "$1"/*_{serial,omp,mpi,cuda} "$1"/study; do
    [ -x "$program" ] || continue
    "$page" "$program" >"$2/$(basename "$program").1"
done
[ -x "$1/study" ] || exit 0
"$1/study" --help | awk '/^  [a-z]/ {print $1}' | while read -r command; do
    "$page" "$1/study" "$command" >"$2/study-$command.1"
done
