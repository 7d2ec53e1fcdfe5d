#!/usr/bin/env bash
# Checks what the compiler of GPU machine code reports about the kernels: for sm_75 and sm_90, and with MAXPOOL_LONG for
# sm_80 and every other architecture that is built, as far as this nvcc has them, none spills registers to memory, and
# none has a stack frame, which an array gets that is not indexed by constants. Kernels whose results do not overlap
# what they read promise that (__restrict__), so that their loads go through the read-only cache and need not wait for
# stores; kernels that work in place do not. Planted kernels that do otherwise must be noticed. Ends with 77 (skipped)
# if there is no nvcc, or one without sm_90.
#   tests/cuda/test_ptxas.sh [NVCC [HOST_COMPILER [ARCHITECTURES]]]    ARCHITECTURES as CMake has them: "75-real 90"
set -euo pipefail
cd "$(dirname "$0")/../.."
nvcc=${1:-nvcc}
[ -z "${2:-}" ] || export NVCC_PREPEND_FLAGS="-ccbin $2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! command -v "$nvcc" >/dev/null; then
    echo "test_ptxas.sh: skipped: no nvcc here"
    exit 77
fi
listed=$("$nvcc" --list-gpu-code 2>/dev/null)
grep -qx sm_90 <<<"$listed" || { echo "test_ptxas.sh: skipped: $nvcc has no sm_90"; exit 77; }
architectures=
for architecture in 75 90 ${MAXPOOL_LONG:+80 ${3:-}}; do
    number=${architecture%-*}
    if grep -qx "sm_$number" <<<"$listed" && [[ " $architectures " != *" $number "* ]]; then
        architectures="$architectures $number"
    fi
done

# compile FILE ARCHITECTURE: prints what ptxas reports about each kernel, by mangled name. PTX: keep.ARCHITECTURE.
compile() {
    mkdir -p "$folder/keep.$2"
    "$nvcc" -std=c++17 -O3 -I. "-arch=sm_$2" -cubin -Xptxas -v --keep --keep-dir "$folder/keep.$2" \
        -o "$folder/$(basename "$1").$2" "$1" 2>&1
}
# Prints the names of kernels in PTX that read global memory through the read-only cache.
promising() {
    awk '/\.entry/ { match($0, /_Z[A-Za-z0-9_]+/); name = substr($0, RSTART, RLENGTH) }
        /ld\.global\.nc/ && !reported[name]++ { print name }'
}
# promise FILE NAME: prints how many kernels of that name in FILE promise it: all, some, none or absent.
promise() {
    local entries found
    entries=$(grep -c "\.entry.*${#2}$2" "$1" || true)
    found=$(promising <"$1" | grep -c "${#2}$2" || true)
    if [ "$entries" -eq 0 ]; then echo absent
    elif [ "$found" -eq 0 ]; then echo none
    elif [ "$found" -eq "$entries" ]; then echo all
    else echo some; fi
}
# FILE:KERNEL whose results never overlap the operands.
apart="naive:product_naive naive:pool_naive loop:product_loop loop:pool_loop tiled:product_tiled
    roof:pool_roof conv_naive:conv_naive conv_tiled:conv_tiled conv_pass:add_parts distances_naive:distances_naive
    distances_tiled:distances_tiled layers:average_planes conv_gradient:weight_tiles_of conv_gradient:bias_parts
    conv_gradient:rotate_weights conv_gradient:image_elements conv_gradient:add_pieces
    conv_lattices:pack_lattices conv_lattices:lattice_elements conv_depthwise:conv_depthwise pool_backward:pool_elements
    peer_kernels:windows_of"
# FILE:KERNEL whose results may overlap the operands.
in_place="layers:finish_elements elementwise:drop_elements elementwise:gate_elements updates:adam
    updates:sgd"
# Lines "NAME BYTES" of kernels that have a stack frame, from the output of ptxas.
stacking() {
    awk '/Compiling entry function/ { split($0, part, "\047"); name = part[2] }
        /bytes stack frame/ { for (i = 2; i <= NF; i++) if ($i == "bytes" && $(i + 1) == "stack" && $(i - 1) > 0)
            print name, $(i - 1) }'
}
# Lines "NAME BYTES" of kernels that spill registers to memory, from the output of ptxas.
spilling() {
    awk '/Compiling entry function/ { split($0, part, "\047"); name = part[2] }
        /bytes spill stores/ { for (i = 2; i <= NF; i++) if ($i == "bytes" && $(i + 1) == "spill" &&
            $(i + 2) ~ /^stores/ && $(i - 1) > 0) print name, $(i - 1) }'
}

# A kernel whose threads keep 64 numbers, but may have only 32 registers.
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
compile "$folder/planted.cu" 90 | spilling | grep -q planted || {
    echo "test_ptxas.sh: a planted kernel spills and is not noticed" >&2
    exit 1
}
# An array that is indexed by values that a thread reads.
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
compile "$folder/indexed.cu" 90 | stacking | grep -q indexed || {
    echo "test_ptxas.sh: a planted kernel has a stack frame and is not noticed" >&2
    exit 1
}

# A promise in a member of a struct, which the compiler ignores.
cat >"$folder/member.cu" <<'CODE'
struct task {
    const float *__restrict__ from;
    float *__restrict__ to;
};
__global__ void member(task t)
{
    t.to[threadIdx.x] = t.from[threadIdx.x];
}
__global__ void local(task t)
{
    const float *__restrict__ from = t.from;
    t.to[threadIdx.x] = from[threadIdx.x];
}
CODE
compile "$folder/member.cu" 90 >/dev/null
[ "$(promise "$folder/keep.90/member.ptx" member) $(promise "$folder/keep.90/member.ptx" local)" = "none all" ] || {
    echo "test_ptxas.sh: a planted kernel makes no promise and is not noticed" >&2
    exit 1
}

failed=0
kernels=0
for file in cuda/kernels/*.cu cuda/kernels/*/*.cu cuda/peers/*.cu; do
    for architecture in $architectures; do # at the same time
        compile "$file" "$architecture" >"$folder/said.$architecture" &
    done
    wait
    for architecture in $architectures; do
        said=$folder/said.$architecture
        [ -s "$folder/$(basename "$file").$architecture" ] || { cat "$said" >&2; exit 1; }
        kernels=$((kernels + $(grep -c 'Compiling entry function' "$said" || true)))
        found=$(spilling <"$said")
        [ -z "$found" ] || { echo "$file spills for sm_$architecture: $found" >&2; failed=1; }
        found=$(stacking <"$said")
        [ -z "$found" ] || { echo "$file has stack frames for sm_$architecture: $found" >&2; failed=1; }
    done
done
# expect ALL-OR-NONE FILE:KERNEL...
expect() {
    local wanted=$1 pair said
    shift
    for pair; do
        said=$(promise "$folder/keep.90/${pair%:*}.ptx" "${pair#*:}")
        [ "$said" = "$wanted" ] || {
            echo "${pair%:*}.cu: of the kernels ${pair#*:} $said read what nothing overlaps, not $wanted" >&2
            failed=1
        }
    done
}
expect all $apart
expect none $in_place
expect some tiled:pool_tiled # the compiler loses it if a tile is a whole window
[ "$kernels" -ge 100 ] || { echo "test_ptxas.sh: only $kernels kernels were looked at" >&2; exit 1; }
[ "$failed" -ne 0 ] || echo "$kernels kernels for sm$architectures, none of which spills or has a stack frame"
exit "$failed"
