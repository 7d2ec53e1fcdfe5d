#!/usr/bin/env bash
# Counts, with callgrind, the instructions that the vector product methods execute on three fixed cases: the count is
# the same on every machine with the same compiler, whatever the load. Prints a Markdown table.
#   scripts/instruction_counts.sh [BUILD_FOLDER] [ISA]     default: build avx2 (valgrind has no AVX-512)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build} isa=${2:-avx2}
command -v valgrind >/dev/null || {
    echo "valgrind is not installed: scripts/install.sh long" >&2
    exit 3
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# count METHOD FUNCTION N K S: counts one execution, between the function's entry and its return.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$folder/out" --toggle-collect="$2" \
        "$build/bin/maxpool_serial" --method "$1" --isa "$isa" -n "$3" -k "$4" -s "$5" \
        --warmup 0 --samples 1 --verify none >/dev/null 2>"$folder/log"
    local out=$((($3 - $4) / $5 + 1))
    awk -v m="$1" -v n="$3" -v k="$4" -v s="$5" -v out="$out" \
        '/^summary:/ { printf "| `%s` | %d | %d | %d | %d | %.2f |\n", m, n, k, s, $2, $2 / (out * out) }' "$folder/out"
}

echo "| method ($isa) | n | k | s | instructions | per output |"
echo "|---|---|---|---|---|---|"
for case in "512 3 1" "512 2 2" "512 7 1"; do
    read -r n k s <<<"$case"
    count fused maxpool_fused "$n" "$k" "$s"
    count simd "maxpool_simd_$isa" "$n" "$k" "$s"
    count shared_rows "maxpool_shared_rows_$isa" "$n" "$k" "$s"
done
