#!/usr/bin/env bash
# Writes the manual pages of the named programs that exist in BIN_FOLDER, and of study's commands, into MAN_FOLDER.
# Usage: scripts/man_pages.sh BIN_FOLDER MAN_FOLDER PROGRAM...
set -euo pipefail
if [ $# -lt 3 ]; then
    echo "usage: scripts/man_pages.sh BIN_FOLDER MAN_FOLDER PROGRAM..." >&2
    exit 2
fi
page=$(dirname "$0")/man_page.sh
bin=$1
man=$2
shift 2
for program; do
    [ -x "$bin/$program" ] || continue
    "$page" "$bin/$program" >"$man/$program.1"
done
[ -x "$bin/study" ] || exit 0
"$bin/study" --help | awk '/^  [a-z]/ && $1 != "study" {print $1}' | while read -r command; do
    "$page" "$bin/study" "$command" >"$man/study-$command.1"
done
