#!/usr/bin/env bash
# Formats the sources with clang-format 14; --check only names which files differ, and fails then. Other versions set
# white space differently: with one of them --check says so and finds nothing out.
set -euo pipefail
cd "$(dirname "$0")/.."
formatter=$(command -v clang-format-14 || command -v clang-format || true)
case ${1:-} in
--check | '') ;;
*)
    echo "usage: scripts/format.sh [--check]" >&2
    exit 2
    ;;
esac
version=$([ -z "$formatter" ] || "$formatter" --version | grep -o 'version [0-9]*' | head -n 1)
if [ "$version" != 'version 14' ]; then
    echo "format.sh: white space is set by clang-format 14; here is ${version:-none}: nothing checked, nothing changed" >&2
    [ "${1:-}" = --check ] && exit 0
    exit 3
fi
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' '*.cu' '*.cuh')
if [ "${1:-}" = --check ]; then
    "$formatter" --dry-run --Werror "${files[@]}"
else
    "$formatter" -i "${files[@]}"
fi
