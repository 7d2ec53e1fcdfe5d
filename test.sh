#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#   ./test.sh          all tests in the debug build
#   ./test.sh --gate   and static analysis, sanitizers, the bare build and the user's path: before a merge
#   ./test.sh --long   and the long fuzzing and endurance runs, and both commands on a bare Debian (hours)
set -euo pipefail
cd "$(dirname "$0")"

gate=0
long=0
case ${1:-} in
'') ;;
--gate) gate=1 ;;
--long) gate=1 long=1 ;;
*)
    sed -n '2,5s/^# //p' "$0" >&2
    exit 2
    ;;
esac

step() {
    printf '\n==== %s (%d s so far)\n' "$1" "$SECONDS"
}

jobs=$(nproc)
tests=$((jobs + 1)) # at once: some of them wait
step "packages"
scripts/install.sh test

step "white space"
scripts/format.sh --check

step "debug build, warnings are errors; all tests"
cmake --preset debug
cmake --build --preset debug -j "$jobs"
ctest --preset debug -j "$tests"

if [ "$gate" = 0 ]; then
    printf '\nAll tests passed in %d s.\n' "$SECONDS"
    exit 0
fi

step "static analysis"
scripts/tidy.sh build-debug

step "address and undefined-behaviour sanitizers; the tests that run our C"
cmake --preset asan >/dev/null
cmake --build --preset asan -j "$jobs"
# Left to the debug run and to --long: most numbers of ranks, what other libraries compute, the grids of the GPU's kernels
# (the shim has guards of its own); scripts, help texts, plans and drawings are the same in any build.
ctest --preset asan -j "$tests" -E '^(cuda_grid_.*|cuda_training_grid|test_(mpi_(1|3|4|7|16)|charts|completion|definition|glossary|gpu_analysis|gpu_check|includes|install|mpi_cli|mutants_apply|oversubscribed|peers|pictures|ptxas|report_numbers.*|robust|time_peers|torchvision_weights|tutorial|vector_sets|walk))$'

step "thread sanitizer; the tests of the OpenMP space"
cmake --preset tsan >/dev/null
cmake --build --preset tsan -j "$jobs" --target test_omp race_omp
ctest --preset tsan -j 1 -R _omp

step "a compiler and CMake alone, outside a git checkout"
scripts/bare_build.sh

step "the user's path: run.sh, without what only the tests install"
scripts/user_path.sh

if [ "$long" = 1 ]; then
    step "long tests"
    MAXPOOL_LONG=1 ctest --preset asan -j "$jobs"
    step "faults planted in what judges"
    tests/mutation/run.py
    step "MPI under valgrind, with MPICH, and under a real Slurm"
    scripts/install.sh long
    scripts/valgrind_mpi.sh build-debug
    scripts/mpich_test.sh
    scripts/slurm_test.sh build-debug
    step "the commands of the README on a bare Debian"
    scripts/fresh_test.sh || [ $? -eq 77 ]
    step "NEON, under emulation"
    scripts/neon_check.sh
    step "drills"
    tests/drills/drill.py --bin build-debug/bin --seconds 600
    step "fuzzing"
    scripts/fuzz.sh
fi
printf '\nAll tests passed in %d s.\n' "$SECONDS"
