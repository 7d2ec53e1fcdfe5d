#!/usr/bin/env bash
# A rank a GPU, on emulated GPUs: each rank takes its own, every value is the oracle's, and the summary and the record tell
# it. Usage: test_gpu_ranks.sh BIN MPIEXEC...   (MPIEXEC takes the number of ranks next; "" where there is no MPI)
set -euo pipefail
# shellcheck source=tests/cuda/expect.sh
. "$(dirname "$0")/expect.sh"
cd "$1"
shift
launcher=$*
export MALLOC_PERTURB_=165 # freed memory is overwritten: a program that still reads it fails

# One copy needs no MPI, whatever was built.
expect 0 "exact" ./maxpool_cuda --device cpu -n 9
unsaid "rank"
if [ -z "$launcher" ]; then
    OMPI_COMM_WORLD_SIZE=2 expect 3 "built without MPI" ./maxpool_cuda --device cpu -n 9
    exit "$failed"
fi

# on RANKS GPUS: sets `start`.
on() {
    # shellcheck disable=SC2206 # the launcher is words
    start=(env CUDA_EMULATION_DEVICES="$2" CUDA_EMULATION_SEED=7 $launcher "$1")
}

on 2 2
expect 0 "loop: exact" "${start[@]}" ./maxpool_cuda --device cpu -n 33 -k 3 -s 2 -p 1 --filter random \
    --method naive,loop,tiled,roof --record "$folder/samples.csv"
said "rank 0: GPU 0 of .*\(0000:00:00.0\)"
said "rank 1: GPU 1 of .*\(0000:01:00.0\)"
said "the GPU of each rank by (OMPI_COMM_WORLD_LOCAL_RANK|MPI_LOCALRANKID|MPI)"
unsaid "share GPUs"
no_seconds
expect 2 "device 7: this machine has 2" "${start[@]}" ./maxpool_cuda --device cpu --device 7 -n 9
expect 0 "2 ranks share GPUs, 1 in all" "${start[@]}" ./maxpool_cuda --device cpu --device 1 -n 9
said "rank 0: GPU 1 "
said "rank 1: GPU 1 "
expect 2 "offload" "${start[@]}" ./maxpool_cuda --device cpu --offload window -n 9
expect 2 "per-rank" "${start[@]}" ./maxpool_cuda --device cpu -n 9 --per-rank "$folder/ranks.csv"
expect 2 "show-indices" "${start[@]}" ./maxpool_cuda --device cpu -n 9 --show-indices

# More ranks than GPUs, and more ranks than lines.
on 3 2
expect 0 "3 ranks share GPUs, 2 in all" "${start[@]}" ./maxpool_cuda --device cpu -n 4
said "rank 2: GPU 0 "
said "exact"

on 2 2
expect 0 "registers: exact" "${start[@]}" ./matmul_cuda --device cpu -n 40 --method naive,loop,tiled,registers
no_seconds

# A product whose terms are cut into pieces: the bits of one GPU, though the GPUs of the ranks have 1 and 132
# multiprocessors.
product="--rows 21 --cols 600 --filter random --filter-cols 40 --max-value 16777215 --method registers --warmup 0"
# shellcheck disable=SC2016
own_gpu=(sh -c 'CUDA_EMULATION_PROCESSORS=$((1 + 131 * ${OMPI_COMM_WORLD_RANK:-0})) exec "$@"' own_gpu)
# shellcheck disable=SC2086 # options are words
expect 0 "bound" ./matmul_cuda --device cpu $product -o "$folder/one.npy"
for way in "--distribute generate" "--distribute scatter --streams 2"; do
    # shellcheck disable=SC2086
    expect 0 "registers: bound" "${start[@]}" "${own_gpu[@]}" ./matmul_cuda --device cpu $product $way -o "$folder/two.npy"
    cmp "$folder/one.npy" "$folder/two.npy" || failed=1
done
expect 0 "naive: exact" "${start[@]}" ./conv_cuda --device cpu -n 9 --batch 3 --channels 2 --filters 3 -p 1 --bias random \
    --method naive,tiled --distribute scatter
no_seconds
expect 0 "tiled" "${start[@]}" ./distances_cuda --device cpu -n 9 --method naive,tiled
no_seconds

# A network: its images go to the ranks, and its outputs have the bits of one GPU.
network="--network solar_cnn --image-size 12 --batch 5 --warmup 0"
# shellcheck disable=SC2086 # options are words
expect 0 "bound" ./network_cuda --device cpu $network -o "$folder/one.npy"
# shellcheck disable=SC2086
expect 0 "own: bound" "${start[@]}" ./network_cuda --device cpu $network --distribute scatter -o "$folder/two.npy" \
    --record "$folder/network.csv"
said "3 of them in rank 0"
said "rank 0: GPU 0 of .*\(0000:00:00.0\)"
said "rank 1: GPU 1 of .*\(0000:01:00.0\)"
no_seconds
cmp "$folder/one.npy" "$folder/two.npy" || failed=1
expect 2 "device 7: this machine has 2" "${start[@]}" ./network_cuda --device cpu --device 7 --network mlp:9

# A training: the parameters that one GPU comes to, whichever ranks hold them.
training="--network mlp:9 --task train --data random --batch 5 --shards 3 --steps 2 --warmup 0"
# shellcheck disable=SC2086
expect 0 "after 2 steps" ./network_cuda --device cpu $training --save "$folder/one"
for way in "mirrored --overlap on" "central --overlap off"; do
    # shellcheck disable=SC2086
    expect 0 "after 2 steps" "${start[@]}" ./network_cuda --device cpu $training --strategy $way --save "$folder/two" \
        --record "$folder/training.csv"
    case $way in *on) said "gradients are exchanged while" ;; *) said "gradients are exchanged after" ;; esac
    no_seconds
    cmp "$folder/one" "$folder/two" || failed=1
done
# shellcheck disable=SC2086
expect 2 "overlap goes with --task train" "${start[@]}" ./network_cuda --device cpu --network mlp:9 --overlap off
# shellcheck disable=SC2086
expect 2 "the last of 2 ranks would have no image" "${start[@]}" ./network_cuda --device cpu $training --shards 1

# Every row: the ranks, the device, no second in any column, and a verdict.
python3 - "$folder/samples.csv" "$folder/network.csv" "$folder/training.csv" <<'PYTHON' || failed=1
import csv
import sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))
assert len(rows) == 4, rows
for row in rows:
    assert row["device"] == row["platform"] == "CPU emulation" and row["verified"] == "exact", row
    assert row["ranks"] == "2" and row["launch"] == "mpirun" and row["distribution"] == "generate", row
    seconds = {name: value for name, value in row.items() if name.endswith("_s") and value}
    assert not seconds, seconds
[row] = csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8"))
expected = {"space": "cuda", "ranks": "2", "nodes": "1", "threads": "", "distribution": "scatter",
            "device": "CPU emulation", "verified": "bound"}
assert {name: row[name] for name in expected} == expected, row
steps = list(csv.DictReader(open(sys.argv[3], newline="", encoding="utf-8")))
assert [row["strategy"] for row in steps] == ["mirrored"] * 2 + ["central"] * 2, steps
assert [row["overlap"] for row in steps] == ["on"] * 2 + ["off"] * 2, steps
for row in steps:
    assert row["space"] == "cuda" and row["ranks"] == "2" and row["shards"] == "3" and row["verified"] == "bound", row
PYTHON
exit "$failed"
