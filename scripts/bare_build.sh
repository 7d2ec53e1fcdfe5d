#!/usr/bin/env bash
# Builds from an export of the sources, outside any git checkout and without any optional library, as on a cluster that
# has only a C compiler and CMake; then measures and verifies once.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/source"
git ls-files -z --cached --others --exclude-standard |
    xargs -0 -I{} sh -c 'test -f "$1" && printf "%s\0" "$1"' sh {} |
    tar -c --null -T - | tar -x -C "$folder/source"
off=()
for name in $(sed -n 's/^ *maxpool_find[a-z_]*(\([A-Z0-9]*\) .*/\1/p' cmake/*.cmake */CMakeLists.txt |
    grep -v CMOCKA | sort -u) MPI SIMGRID CUDA; do
    off+=("-DMAXPOOL_WITH_$name=OFF")
done
# An empty path stands for a program that was not found: texts are in English only.
off+=(-DMAXPOOL_MSGFMT=)
# Not optimised, which compiles in a fraction of the time: scripts/user_path.sh compiles the same files as they are
# measured, with warnings as errors too.
# With make, which a machine that has only CMake uses.
cmake -G "Unix Makefiles" -S "$folder/source" -B "$folder/build" -DMAXPOOL_WERROR=GATE -DMAXPOOL_COMMIT=exported \
    -DCMAKE_C_FLAGS_RELEASE='-O0 -DNDEBUG -DMAXPOOL_COMPACT=1' -DCMAKE_CXX_FLAGS_RELEASE='-O0 -DNDEBUG' \
    -DCMAKE_RULE_MESSAGES=OFF -DBUILD_TESTING=OFF -DMAXPOOL_WITH_ISA=OFF \
    "${off[@]}" >"$folder/log" || { cat "$folder/log"; exit 1; }
grep -q 'MSGFMT *off *reports in other languages (.*): no msgfmt' "$folder/log" || {
    echo "bare_build.sh: CMake does not say that msgfmt is missing" >&2
    exit 1
}
cmake --build "$folder/build" -j "$(nproc)" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
bin=$folder/build/bin
[ ! -e "$folder/build/share/locale" ] || {
    echo "bare_build.sh: a build without msgfmt has catalogues" >&2
    exit 1
}

# expect TEXT COMMAND...: the command succeeds and prints the text.
expect() {
    local text=$1 printed
    shift
    printed=$("$@")
    [[ $printed == *"$text"* ]] && return
    echo "bare_build.sh: $* did not print $text" >&2
    exit 1
}
expect 'commit exported' "$bin/maxpool_serial" --version
expect ,exact, "$bin/maxpool_omp" -n 256 -k 3 -s 1 -p 1 --samples 10 -t 2 --format csv
expect ,exact, "$bin/matmul_serial" -n 64 --filter random --samples 10 --format csv
expect exact "$bin/maxpool_serial" -i "$folder/source/tests/cases/digits_8x8_k2_s2.in.npy"

# Features that are switched off are refused with a message and status 3.
refused() {
    local status=0
    "$@" >/dev/null 2>"$folder/message" || status=$?
    [ "$status" -eq 3 ] && [ "$(wc -l <"$folder/message")" -eq 1 ] && return
    echo "bare_build.sh: $* ended with status $status:" >&2
    cat "$folder/message" >&2
    exit 1
}
refused "$bin/maxpool_serial" -n 8 --format json
refused "$bin/maxpool_serial" -n 8 --bind core
for peer in onednn onednn-nhwc onednn-blocked onednn-reordered libxsmm; do
    refused "$bin/maxpool_serial" -n 8 --method "$peer"
done
refused "$bin/matmul_serial" -n 8 --method openblas
refused "$bin/maxpool_serial" -i "$folder/source/tests/data/brain_axial.png"
refused "$bin/maxpool_serial" -i "$folder/source/tests/data/brain_24_slices.nii.gz"
refused "$bin/maxpool_cuda" -n 8
refused "$bin/matmul_cuda" --list-methods
expect 'not available: built without CUDA' "$bin/maxpool_cuda" --list-methods=all
echo "Built and run without any optional library."
