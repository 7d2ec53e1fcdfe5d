#!/usr/bin/env bash
# Runs clang-tidy over the C files that the given build folder compiles. Usage: scripts/tidy.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: scripts/tidy.sh BUILD_FOLDER}

# Each file once, and once for each instruction set: a test that is compiled for every planted fault
# would be analysed as often.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '
    /^\{/ { entry = ""; key = "" }
    { entry = entry $0 "\n" }
    /"command":/ && match($0, /-DISA_BUILD=[a-z0-9]+/) { key = key substr($0, RSTART, RLENGTH) }
    /"file":/ { key = key $0 }
    /^\}/ && !seen[key]++ { sub(/,?\n$/, "", entry); printf "%s%s", kept++ ? ",\n" : "[\n", entry }
    END { print "\n]" }' "$build/compile_commands.json" >"$folder/compile_commands.json"

sed -n 's/.*"file": "\(.*\.c\)".*/\1/p' "$folder/compile_commands.json" | sort -u |
    xargs -P "$(nproc)" -n 1 clang-tidy -p "$folder" --quiet --warnings-as-errors='*' 2>&1 |
    { grep -v 'warnings\? generated' || true; }
