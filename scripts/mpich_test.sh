#!/usr/bin/env bash
# Builds the MPI programs with MPICH in a folder of their own and runs the tests of the MPI space.
# Needs Debian's mpich and libmpich-dev beside what ./test.sh needs.
#
# MPICH's ranks wait by spinning, so that more of them than cores pass time slices around at every
# message. Up to the number of cores the whole grid is run; beyond, of each kind of method one.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in mpicc.mpich mpiexec.mpich; do
    command -v "$tool" >/dev/null || { echo "mpich_test.sh: $tool is missing (Debian: mpich)" >&2; exit 77; }
done
cmake -S . -B build-mpich -DMAXPOOL_WITH_CUDA=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMAXPOOL_WERROR=OFF \
    -DMAXPOOL_MPI_TIMEOUT=3600 \
    -DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
    -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)" >/dev/null
cmake --build build-mpich -j "$(nproc)"
readelf -d build-mpich/bin/maxpool_mpi | grep -q 'libmpich' ||
    { echo "mpich_test.sh: maxpool_mpi is not linked with MPICH" >&2; exit 1; }

tests() { # PATTERN
    ctest --test-dir build-mpich --output-on-failure --no-tests=error -R "$1"
}
within='' beyond=''
for ranks in 1 2 3 4 7 16; do
    if [ "$ranks" -le "$(nproc)" ]; then within+="|$ranks"; else beyond+="|$ranks"; fi
done
tests "^test_bands$|^test_binding$|^test_mpi_(${within#|})\$"
# Yields at every poll instead of every thousandth.
[ -z "$beyond" ] || MAXPOOL_BRIEF=1 MPIR_CVAR_POLLS_BEFORE_YIELD=1 tests "^test_mpi_(${beyond#|})\$"
