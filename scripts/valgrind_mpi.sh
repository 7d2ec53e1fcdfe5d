#!/usr/bin/env bash
# Runs the MPI programs under valgrind with Open MPI's suppressions and ours: there must be no invalid access and no
# definite leak. Usage: scripts/valgrind_mpi.sh [BUILD_FOLDER]; needs valgrind and Open MPI.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-build}/bin
for tool in valgrind mpirun; do
    command -v "$tool" >/dev/null || { echo "valgrind_mpi.sh: $tool is missing" >&2; exit 77; }
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

check() { # RANKS PROGRAM OPTION...
    local ranks=$1 status=0
    shift
    mpirun -np "$ranks" --oversubscribe valgrind -q --error-exitcode=9 --keep-debuginfo=yes --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        --suppressions=/usr/share/openmpi/openmpi-valgrind.supp --suppressions=tests/mpi/mpi.supp \
        "$bin/$@" >"$folder/out" 2>"$folder/err" || status=$?
    if [ "$status" -ne 0 ]; then
        echo "valgrind_mpi.sh: $* on $ranks ranks ended with status $status:" >&2
        head -60 "$folder/err" >&2
        exit 1
    fi
    echo "clean on $ranks ranks: $*"
}

check 2 maxpool_mpi -R 61 -C 37 -k 3 -s 1 -p 1 --samples 2
check 3 maxpool_mpi -R 7 -C 9 --planes 5 -k 5 -s 1 -p 2 --filter random --samples 2
check 4 maxpool_mpi -R 3 -C 40 -k 2 --samples 2 # more ranks than rows
check 3 maxpool_mpi -i tests/data/brain_axial.png -o "$folder/map.npy" --per-rank "$folder/ranks.csv" \
    --record "$folder/samples.csv" --samples 2
check 2 maxpool_mpi -n 64 --method staged --threads 2 --samples 2
check 3 matmul_mpi -R 33 -C 47 --filter random --samples 2
