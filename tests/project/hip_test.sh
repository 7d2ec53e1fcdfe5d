#!/usr/bin/env bash
# Compiles the CUDA programs for GPUs of AMD, warnings as errors, and starts them: they have machine code for each of the
# GPUs, and end with 3 where there is none. Where a GPU of AMD is, their results are verified.
#   tests/project/hip_test.sh     77: there is no hipcc here
set -euo pipefail
cd "$(dirname "$0")/../.."
gpus='gfx906 gfx90a gfx1030'
if ! cmake -S . -B build-hip -DMAXPOOL_WITH_HIP=ON -DMAXPOOL_HIP_ARCHITECTURES="${gpus// /;}" -DMAXPOOL_WITH_CUDA=OFF \
    -DMAXPOOL_WERROR=ON >build-hip.log 2>&1; then
    tail -n 20 build-hip.log
    exit 1
fi
feature=$(grep -E '^-- +HIP ' build-hip.log)
rm build-hip.log
echo "$feature"
[[ $feature =~ HIP\ +on ]] || exit 77
programs='maxpool matmul conv distances network'
cmake --build build-hip -j "$(nproc)" --target $(printf '%s_hip ' $programs) >build-hip/build.log 2>&1 ||
    { grep -m 5 -A 5 'error' build-hip/build.log; exit 1; }
for program in $programs; do
    run=build-hip/bin/hip/${program}_cuda
    for gpu in $gpus; do
        grep -qa "amdgcn-amd-amdhsa--$gpu" "$run" ||
            { echo "hip_test.sh: $run has no code for $gpu" >&2; exit 1; }
    done
    size='-n 64'
    [ $program != network ] || size='--network mlp:8-4-2'
    status=0
    "$run" $size --samples 1 >build-hip/run 2>&1 || status=$?
    tail -n 1 build-hip/run
    if [ -e /dev/kfd ]; then
        [ $status = 0 ]
    else
        [ $status = 3 ] && grep -q 'no HIP device' build-hip/run
    fi || { echo "hip_test.sh: $run ended with $status" >&2; exit 1; }
done
