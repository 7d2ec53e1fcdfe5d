#!/usr/bin/env bash
# What the compiler of GPU machine code says of the kernels: for sm_80 and sm_90 none keeps registers in
# memory, and none has a stack frame, which is where an array goes that is not indexed by constants. Planted
# kernels that do are noticed. Ends with 77 (skipped) where there is no nvcc.
#   tests/cuda/test_ptxas.sh [NVCC]
set -euo pipefail
cd "$(dirname "$0")/../.."
nvcc=${1:-nvcc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! command -v "$nvcc" >/dev/null; then
    echo "test_ptxas.sh: skipped: no nvcc here"
    exit 77
fi

# compile FILE ARCHITECTURE: what ptxas says of each kernel, mangled names and all.
compile() {
    "$nvcc" -std=c++17 -O3 -I. "-arch=sm_$2" -cubin -Xptxas -v -o "$folder/$(basename "$1").$2" "$1" 2>&1
}
# Lines "NAME BYTES" of kernels that have a stack frame, from what ptxas said.
stacking() {
    awk '/Compiling entry function/ { split($0, part, "\047"); name = part[2] }
        /bytes stack frame/ { for (i = 2; i <= NF; i++) if ($i == "bytes" && $(i + 1) == "stack" && $(i - 1) > 0)
            print name, $(i - 1) }'
}
# Lines "NAME BYTES" of kernels that store registers to memory, from what ptxas said.
spilling() {
    awk '/Compiling entry function/ { split($0, part, "\047"); name = part[2] }
        /bytes spill stores/ { for (i = 2; i <= NF; i++) if ($i == "bytes" && $(i + 1) == "spill" &&
            $(i + 2) ~ /^stores/ && $(i - 1) > 0) print name, $(i - 1) }'
}

# 64 numbers kept by a thread that may have 16 registers.
cat >"$folder/planted.cu" <<'CODE'
__global__ void __launch_bounds__(1024, 2) planted(float *data)
{
    float kept[64];
    for (int i = 0; i < 64; i++)
        kept[i] = data[i * 1024 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; i++)
        data[(i * 7 + 3) % 64 * 1024 + threadIdx.x] = kept[i] * kept[63 - i];
}
CODE
compile "$folder/planted.cu" 80 | spilling | grep -q planted || {
    echo "test_ptxas.sh: a planted kernel spills and is not noticed" >&2
    exit 1
}
# An array that is written at places which a thread reads.
cat >"$folder/indexed.cu" <<'CODE'
__global__ void indexed(const int *at, float *data)
{
    float kept[32] = {};
    for (int i = 0; i < 64; i++)
        kept[at[i * 1024 + threadIdx.x] & 31] += data[i * 1024 + threadIdx.x];
    for (int i = 0; i < 32; i++)
        data[i * 1024 + threadIdx.x] = kept[i];
}
CODE
compile "$folder/indexed.cu" 80 | stacking | grep -q indexed || {
    echo "test_ptxas.sh: a planted kernel has a stack frame and is not noticed" >&2
    exit 1
}

failed=0
kernels=0
for file in cuda/kernels/*.cu; do
    for architecture in 80 90; do # side by side
        compile "$file" "$architecture" >"$folder/said.$architecture" &
    done
    wait
    for architecture in 80 90; do
        said=$folder/said.$architecture
        [ -s "$folder/$(basename "$file").$architecture" ] || { cat "$said" >&2; exit 1; }
        kernels=$((kernels + $(grep -c 'Compiling entry function' "$said" || true)))
        found=$(spilling <"$said")
        [ -z "$found" ] || { echo "$file spills for sm_$architecture: $found" >&2; failed=1; }
        found=$(stacking <"$said")
        [ -z "$found" ] || { echo "$file has stack frames for sm_$architecture: $found" >&2; failed=1; }
    done
done
[ "$kernels" -ge 100 ] || { echo "test_ptxas.sh: only $kernels kernels were looked at" >&2; exit 1; }
[ "$failed" -ne 0 ] || echo "$kernels kernels, none of which spills or has a stack frame"
exit "$failed"
