#!/usr/bin/env bash
# Fuzzes our own file readers under the address and undefined-behaviour sanitizers.
#   scripts/fuzz.sh [EXECUTIONS]     per target, 10 million by default
# Inputs that break a reader are left in build-fuzz/found/.
set -euo pipefail
cd "$(dirname "$0")/.."
executions=${1:-10000000}

cmake -S . -B build-fuzz -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
    -DMAXPOOL_WITH_CUDA=OFF -DMAXPOOL_SANITIZE=address,undefined -DMAXPOOL_FUZZ=ON >/dev/null
cmake --build build-fuzz -j "$(nproc)" --target fuzz_npy fuzz_text fuzz_csv fuzz_definition \
    fuzz_safetensors

mkdir -p build-fuzz/found
for target in npy text csv definition safetensors; do
    mkdir -p "build-fuzz/corpus/$target"
    "build-fuzz/bin/fuzz_$target" -runs="$executions" -max_len=4096 -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix=build-fuzz/found/ \
        "build-fuzz/corpus/$target" "tests/fuzz/corpus/$target"
done
