#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#   ./test.sh          all tests in the debug build
#   ./test.sh --gate   and static analysis, sanitizers, the bare build and the user's path: before a merge
#   ./test.sh --long   and the long fuzzing and endurance runs, and both commands on a bare Debian (hours)
set -euo pipefail
cd "$(dirname "$0")"

help() {
    sed -n '2,5s/^# //p' "$0"
}

gate=0
long=0
case ${1:-} in
'') ;;
--gate) gate=1 ;;
--long) gate=1 long=1 ;;
-h | --help)
    help
    exit 0
    ;;
*)
    echo "test.sh: no option '$1'" >&2
    help >&2
    exit 2
    ;;
esac

step() {
    printf '\n==== %s (%d s so far)\n' "$1" "$SECONDS"
}

jobs=$(nproc)
tests=$((jobs + 3)) # in parallel: many of them wait for processes, disks and messages
step "packages"
scripts/install.sh test || [ $? -eq 3 ] # where nothing can be installed: on with what is there

# Ninja starts fewer processes than make; a folder that make has built stays with make.
! command -v ninja >/dev/null || export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"

step "white space"
scripts/format.sh --check

step "debug build, warnings of gcc 12 are errors; all tests"
quiet=-DCMAKE_RULE_MESSAGES=OFF # one process less for each file
cmake --preset debug "$quiet"
cmake --build --preset debug -j "$jobs"
ctest --preset debug -j "$tests" --no-tests=error

if [ "$gate" = 0 ]; then
    printf '\nAll tests passed in %d s.\n' "$SECONDS"
    exit 0
fi

step "static analysis"
scripts/tidy.sh build-debug

# Tests of code that reads untrusted bytes, computes at edges of arrays or manages memory itself. All other tests run
# only in the debug build and with --long: scripts, help texts, plans, drawings and statistics are the same in any
# build, and OpenMP has a sanitizer below. The vector methods are built for one instruction set: the sets share their
# source.
sanitized=(
    test_backward test_bands test_binding test_bounds test_conv test_distances test_geometry test_gradient_operators
    test_gradients test_methods test_operators test_packed test_separable_plain
    test_descriptors test_guards test_image test_image_bad test_image_colour test_image_mutants test_interleaving
    test_interleaving_cli test_memory test_record test_serial test_statistics test_utf8 test_verification test_whole_file
    test_library test_augment test_data test_faces test_gradient_oracles test_losses test_network_cli test_network_images test_networks
    test_network_bands test_optimizers test_safetensors test_training
    test_analysis test_made_results test_archives test_command_line test_messages test_outside test_packed_samples test_published test_remaining
    test_roof test_trust test_workshop
    cuda_space cuda_operators cuda_network cuda_faults_of_memory)
step "address and undefined-behaviour sanitizers; the tests that run our C"
cmake --preset asan "$quiet" -DMAXPOOL_WITH_ISA=OFF >/dev/null
cmake --build --preset asan -j "$jobs" --target "${sanitized[@]}"
ctest --preset asan -j "$tests" -R "^(cuda_fault_.*|$(IFS='|' && echo "${sanitized[*]}"))$"

step "thread sanitizer; the tests of the OpenMP space"
cmake --preset tsan "$quiet" -DMAXPOOL_WITH_ISA=OFF >/dev/null
cmake --build --preset tsan -j "$jobs" --target test_omp race_omp
ctest --preset tsan -j 1 -R "^(test|race)_omp"

step "a compiler and CMake alone, outside a git checkout"
scripts/bare_build.sh

step "the user's path: run.sh, without what only the tests install"
scripts/user_path.sh

if [ "$long" = 1 ]; then
    step "static analysis: paths, each instruction set, and the tests"
    scripts/tidy.sh build-debug all
    step "long tests, each instruction set under the sanitizers"
    cmake --preset asan -DMAXPOOL_WITH_ISA=ON >/dev/null
    cmake --build --preset asan -j "$jobs"
    MAXPOOL_LONG=1 ctest --preset asan -j "$jobs"
    step "faults planted in what verifies"
    tests/mutation/run.py
    step "other compilers"
    scripts/install.sh long || [ $? -eq 3 ]
    tests/project/compilers_test.sh
    step "the CUDA programs, compiled for GPUs of AMD"
    tests/project/hip_test.sh || [ $? -eq 77 ]
    step "recipes, and the programs that they make"
    tests/project/test_recipes.py . --long
    step "MPI under valgrind, with MPICH, and under a real Slurm"
    scripts/valgrind_mpi.sh build-debug
    scripts/mpich_test.sh
    scripts/slurm_test.sh build-debug
    for suite in bookworm trixie; do
        step "the commands of the README on a bare Debian $suite, as root and as a user with sudo"
        scripts/fresh_test.sh -s $suite || [ $? -eq 77 ]
        scripts/fresh_test.sh -s $suite -u ./run.sh || [ $? -eq 77 ]
    done
    step "the Debian package, installed on a bare Debian"
    scripts/package_test.sh || [ $? -eq 77 ]
    step "NEON, under emulation"
    scripts/neon_check.sh
    step "drills"
    tests/drills/drill.py --bin build-debug/bin --seconds 600
    step "kernels that cheat, compiled by clang; 2,000 random sequences of system calls"
    for kind in "" clocked digits; do
        CC=clang tests/cheats/test_cheats.py build-debug/bin $kind
    done
    step "what the sandbox of study lab costs an honest kernel (no time decides)"
    for threads in 1 2; do
        build-debug/bin/lab_cost labs/steps/maxpool_lanes.c 60 $threads 1024 2048
    done
    tests/cheats/fuzz/test_fuzz.py build-debug/bin --long
    step "fuzzing"
    scripts/fuzz.sh
fi
printf '\nAll tests passed in %d s.\n' "$SECONDS"
