#!/usr/bin/env bash
# Builds the tests of the MPI space with MPICH in a separate folder and runs them; prints its progress, and finally how
# long each stage took. Needs Debian's mpich and libmpich-dev in addition to what ./test.sh needs.
#   scripts/mpich_test.sh
# MPICH's ranks wait by spinning. On a busy machine, or with more ranks than cores, every message then costs time
# slices. So the tests run one number of ranks above the number of cores, one method of each kind from two ranks on, and
# ranks yield at every poll instead of every thousandth. test_mpi runs every method with many ranks under Open MPI.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in mpicc.mpich mpiexec.mpich; do
    command -v "$tool" >/dev/null || { echo "mpich_test.sh: $tool is missing (Debian: mpich)" >&2; exit 77; }
done

stages=0 began=$SECONDS
stage() { # WHAT COMMAND...: runs it, and prints WHAT and how long it took
    local what=$1 from=$SECONDS
    shift
    stages=$((stages + 1))
    printf 'mpich_test.sh: %d of %d, %s ...\n' "$stages" "$total" "$what"
    "$@" || { echo "mpich_test.sh: $what failed after $((SECONDS - from)) s" >&2; exit 1; }
    printf 'mpich_test.sh: %d of %d, %s: %d s\n' "$stages" "$total" "$what" "$((SECONDS - from))"
}

configure() { # messages are tested: no optimisation and no instruction sets, which take long to compile
    cmake -S . -B build-mpich -DMAXPOOL_WITH_CUDA=OFF -DMAXPOOL_WITH_SIMGRID=OFF -DMAXPOOL_WITH_ISA=OFF \
        -DCMAKE_BUILD_TYPE=Debug -DMAXPOOL_WERROR=OFF -DMAXPOOL_MPI_TIMEOUT=600 \
        -DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
        -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)" >/dev/null
}
build() {
    cmake --build build-mpich -j "$(nproc)" --target test_bands test_binding test_mpi test_ranks maxpool_mpi
}
is_mpich() {
    readelf -d build-mpich/bin/maxpool_mpi | grep -q 'libmpich'
}
tests() { # PATTERN
    ctest --test-dir build-mpich --output-on-failure --no-tests=error -R "$1"
}
brief() { # RANKS
    MPIR_CVAR_POLLS_BEFORE_YIELD=1 tests "^test_(mpi|ranks)_$1\$"
}

several=() beyond=''
for ranks in 2 3 4 7 16; do
    if [ "$ranks" -le "$(nproc)" ]; then several+=("$ranks"); elif [ -z "$beyond" ]; then beyond=$ranks; fi
done
several+=($beyond)
total=$((5 + ${#several[@]}))
stage 'configuring' configure
stage 'building' build
stage 'linked with MPICH' is_mpich
stage 'bands and binding' tests '^test_bands$|^test_binding$'
stage 'every method on one rank' tests '^test_(mpi|ranks)_1$'
for ranks in "${several[@]}"; do
    stage "$ranks ranks" brief "$ranks"
done
echo "mpich_test.sh: passed in $((SECONDS - began)) s"
