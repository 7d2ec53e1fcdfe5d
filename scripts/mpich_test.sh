#!/usr/bin/env bash
# Builds the MPI programs with MPICH in a folder of their own and runs their tests.
# Needs Debian's mpich and libmpich-dev beside what ./test.sh needs.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in mpicc.mpich mpiexec.mpich; do
    command -v "$tool" >/dev/null || { echo "mpich_test.sh: $tool is missing (Debian: mpich)" >&2; exit 77; }
done
cmake -S . -B build-mpich -DMAXPOOL_WITH_CUDA=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMAXPOOL_WERROR=OFF \
    -DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
    -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)" >/dev/null
cmake --build build-mpich -j "$(nproc)"
readelf -d build-mpich/bin/maxpool_mpi | grep -q 'libmpich' ||
    { echo "mpich_test.sh: maxpool_mpi is not linked with MPICH" >&2; exit 1; }
# MPICH's ranks wait by spinning: more of them than cores would take hours.
ranks=$(seq -s '|' 1 "$(nproc)")
ctest --test-dir build-mpich --output-on-failure -R "^test_bands$|^test_mpi_($ranks)\$"
