#!/usr/bin/env bash
# Cross-compiles the serial programs for 64-bit Arm and verifies the NEON builds of the vector methods under emulation,
# comparing every result with the oracle. Debian packages: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user. Usage:
# scripts/neon_check.sh [FOLDER]   (default: a temporary one)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$folder"' EXIT
root=/usr/aarch64-linux-gnu
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v "$tool" >/dev/null || { echo "neon_check.sh: $tool is missing" >&2; exit 3; }
done

# The build does not use the compiler's own vectors: gcc 12 fails on the oracle with an internal error.
cmake -S . -B "$folder" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_FIND_ROOT_PATH=$root \
    -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
    -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DPKG_CONFIG_EXECUTABLE=/bin/false \
    -DMAXPOOL_WITH_CUDA=OFF -DMAXPOOL_WITH_SIMGRID=OFF -DMAXPOOL_WITH_MPI=OFF \
    -DCMAKE_C_FLAGS_RELEASE='-O2 -fno-tree-vectorize -DNDEBUG' >"$folder.log" ||
    { cat "$folder.log"; exit 1; }
cmake --build "$folder" -j "$(nproc)" --target maxpool_serial matmul_serial >"$folder.log" 2>&1 ||
    { cat "$folder.log"; exit 1; }
rm -f "$folder.log"

# The sandbox of study lab has system calls by number, which differ between architectures.
for file in classroom/lab/worker/{foreign,sandbox,threads,worker}.c classroom/lab/call/*.c; do
    case $file in */kinds.c) continue ;; esac
    aarch64-linux-gnu-gcc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -I. -c -o "$folder/sandbox.o" "$file"
done

runs=0 failed=0
# verify PROGRAM OPTION...: one verified execution.
verify() {
    local program=$1
    shift
    runs=$((runs + 1))
    qemu-aarch64 -L $root "$folder/bin/$program" --samples 1 --warmup 0 "$@" >/dev/null ||
        { failed=$((failed + 1)); echo "neon_check.sh: $program $*" >&2; }
}
qemu-aarch64 -L $root "$folder/bin/maxpool_serial" -n 8 --method simd | grep -q 'instructions: neon'
for method in simd shared_rows separable doubling van_herk; do
    for k in 1 2 3 4 5 7 8 9 12 13 16 17 32; do
        for s in $(printf '%s\n' 1 2 3 "$k" | sort -nu); do
            for p in 0 $((k > 1)); do
                verify maxpool_serial -n 37 --planes 3 -k "$k" -s "$s" -p "$p" --pad-mode ignore \
                    --max-value 1000000 --method "$method"
                verify maxpool_serial -n 64 -k "$k" -s "$s" -p "$p" --method "$method"
            done
        done
    done
done
for n in 1 5 16 33 64 100; do
    verify matmul_serial -n "$n" --method packed
done
echo "$runs runs, $failed failed"
[ "$failed" -eq 0 ]
