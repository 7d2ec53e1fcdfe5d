#!/usr/bin/env bash
# Runs clang-tidy over the C files that the given build folder compiles. Usage: scripts/tidy.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: scripts/tidy.sh BUILD_FOLDER}
sed -n 's/.*"file": "\(.*\.c\)".*/\1/p' "$build/compile_commands.json" | sort -u |
    xargs -P "$(nproc)" -n 1 clang-tidy -p "$build" --quiet --warnings-as-errors='*' 2>&1 |
    { grep -v 'warnings\? generated' || true; }
