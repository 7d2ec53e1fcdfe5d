#!/usr/bin/env bash
# Builds everything with each of several C compilers, and runs every method of pooling with the result verified. Warnings
# are errors with gcc 12, the gate's own compiler; those of the others are counted and shown, and the build goes on. A
# compiler that is not here is named.
#   tests/project/compilers_test.sh [COMPILER]...     default: gcc-12 gcc-14 clang-14 clang-19, as far as they are here
set -euo pipefail
cd "$(dirname "$0")/../.."
known='gcc-12 gcc-14 clang-14 clang-19'
for compiler in "$@"; do
    command -v "$compiler" >/dev/null && continue
    echo "compilers_test.sh: there is no compiler '$compiler' here; of those it knows there are:" \
        "$(for name in $known; do command -v "$name" >/dev/null && printf '%s ' "$name"; done)" >&2
    exit 2
done

# try COMPILER: builds in build-compilers/COMPILER and runs.
try() {
    local build=build-compilers/$1 began=$SECONDS warnings
    mkdir -p "$build"
    cmake -S . -B "$build" -DCMAKE_C_COMPILER="$1" -DMAXPOOL_WERROR=GATE -DMAXPOOL_WITH_CUDA=OFF \
        -DMAXPOOL_WITH_SIMGRID=OFF >"$build/log" 2>&1 || { tail -n 20 "$build/log"; return 1; }
    cmake --build "$build" -j "$(nproc)" >"$build/log" 2>&1 ||
        { grep -m 5 -A 5 'error' "$build/log"; echo "compilers_test.sh: $1 does not build it: $build/log"; return 1; }
    warnings=$(grep 'warning: ' "$build/log" | sort -u | tee "$build/warnings" | wc -l)
    "$build/bin/maxpool_serial" -n 64 -k 3 -s 1 --method all --samples 1 >"$build/run" 2>&1 ||
        { tail -n 5 "$build/run"; echo "compilers_test.sh: with $1 a method of maxpool_serial fails"; return 1; }
    echo "compilers_test.sh: $1: built in $((SECONDS - began)) s, $warnings warnings"
    head -n 10 "$build/warnings"
}

status=0 tried=0
for compiler in ${*:-$known}; do
    if ! command -v "$compiler" >/dev/null; then
        echo "compilers_test.sh: $compiler is not here"
        continue
    fi
    tried=$((tried + 1))
    try "$compiler" || status=1
done
[ $tried -gt 0 ] || { echo "compilers_test.sh: none of $known is here" >&2; exit 3; }
exit $status
