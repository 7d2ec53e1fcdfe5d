#!/usr/bin/env bash
# Formats the sources with clang-format; --check only names which files differ, and fails then.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' '*.cu' '*.cuh')
case ${1:-} in
--check) clang-format --dry-run --Werror "${files[@]}" ;;
'') clang-format -i "${files[@]}" ;;
*)
    echo "usage: scripts/format.sh [--check]" >&2
    exit 2
    ;;
esac
