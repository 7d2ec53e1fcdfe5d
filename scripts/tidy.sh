#!/usr/bin/env bash
# Runs clang-tidy on the C files of the programs that the given build folder compiles. With `all` it also analyses the
# paths through their functions, and checks the tests and the kernels' other instruction sets.
# What clang-tidy 14 reports is a failure; another version reports its own checks too, and they are only shown.
# Usage: scripts/tidy.sh BUILD_FOLDER [all]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: scripts/tidy.sh BUILD_FOLDER [all]}
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
[ -n "$tidy" ] || { echo "tidy.sh: clang-tidy is missing (Debian: clang-tidy)" >&2; exit 3; }
version=$("$tidy" --version | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -n 1)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# commands_once KEY: the build's compile commands, the first one of each file and, if KEY is "set", of each instruction
# set. Otherwise a test that is compiled for every planted fault would be analysed for each of them.
commands_once() {
    awk -v sets="$([ "$1" = set ] && echo 1)" '
        /^\{/ { entry = ""; key = "" }
        { entry = entry $0 "\n" }
        sets && /"command":/ && match($0, /-DISA_BUILD=[a-z0-9]+/) { key = key substr($0, RSTART, RLENGTH) }
        /"file":/ { key = key $0 }
        /^\}/ && !seen[key]++ { sub(/,?\n$/, "", entry); printf "%s%s", kept++ ? ",\n" : "[\n", entry }
        END { print "\n]" }' "$build/compile_commands.json"
}
mkdir "$folder/sets" "$folder/once"
commands_once set >"$folder/sets/compile_commands.json"
commands_once file >"$folder/once/compile_commands.json"

# check FOLDER CHECKS: checks the files of FOLDER whose names are on standard input; CHECKS are added to those of
# .clang-tidy. Compiler warnings are left to the compiler that builds: Clang's own warnings do not count here, in spite
# of -Werror. Vector methods are read as programs have them, their loops with the pragmas that unroll them.
check() {
    xargs -P "$(nproc)" -n 1 "$tidy" -p "$1" --checks="$2" --extra-arg=-Wno-error --extra-arg=-UMAXPOOL_COMPACT --quiet \
        --warnings-as-errors='*' 2>&1 |
        { grep -v 'warnings\? generated' || true; }
}
names() {
    sed -n 's/.*"file": "\(.*\.c\)".*/\1/p' "$1/compile_commands.json" | sort
}

# The analyzer follows the paths through each function, which takes most of the time. It runs on the programs only, once
# for each file, because the instruction sets share the source and differ only in the types and intrinsics behind its
# names.
without_paths='-clang-analyzer-*'
status=0
if [ "${2:-}" = all ]; then
    names "$folder/once" | grep -v "^$PWD/tests/" | check "$folder/once" '' || status=1
    names "$folder/once" | grep "^$PWD/tests/" | check "$folder/once" "$without_paths" || status=1
    names "$folder/sets" | uniq -d | check "$folder/sets" "$without_paths" || status=1
else
    names "$folder/once" | grep -v "^$PWD/tests/" | check "$folder/once" "$without_paths" || status=1
fi
if [ $status -ne 0 ] && [ "$version" != 14 ]; then
    echo "tidy.sh: clang-tidy $version reports the above; only what clang-tidy 14 reports is a failure" >&2
    exit 0
fi
exit $status
