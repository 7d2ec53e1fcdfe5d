#!/usr/bin/env bash
# The CUDA programs with --device cpu, in any build that has the emulation: results are verified, no second is printed or
# recorded, and what needs a GPU says so.
# Usage: test_device_cpu.sh BIN
set -euo pipefail
# shellcheck source=tests/cuda/expect.sh
. "$(dirname "$0")/expect.sh"
cd "$1"

for method in naive loop tiled roof; do
    expect 0 "$method: exact" ./maxpool_cuda --device cpu -n 33 -k 3 -s 2 -p 1 --method $method --filter random
    no_seconds
done
for shape in "-n 64" "-n 66" "-n 67" "-n 66 -p 2" "-n 42 -k 3" "-n 44 -k 4 -p 2" "-R 7 -C 34 -k 2 --planes 3"; do
    # shellcheck disable=SC2086 # the options are words
    expect 0 "roof: exact" ./maxpool_cuda --device cpu $shape --method roof --filter random
done
expect 0 "loop: exact" ./maxpool_cuda --device=cpu -n 64 --method naive,loop,tiled --record "$folder/samples.csv"
expect 0 "exact" ./maxpool_cuda -n 12 --device cpu --offload window --filter-memory constant
no_seconds
expect 0 "exact" ./matmul_cuda --device cpu -n 40 --method naive,loop,tiled,registers
no_seconds
expect 0 "naive: exact" ./conv_cuda --device cpu -n 9 --channels 2 --filters 3 -p 1 --method naive,tiled
no_seconds
expect 0 "tiled" ./distances_cuda --device cpu -n 9 --method naive,tiled
no_seconds
expect 0 "own" ./network_cuda --device cpu --network mlp:20 --batch 2
no_seconds
expect 0 "exact" ./conv_cuda --device cpu -n 9 --channels 2 --filters 3 -p 1 --bias random --filter-memory constant
# The first run of every part, which loads its kernels, has no work: nothing was sent yet.
expect 0 "Parameters" ./network_cuda --device cpu --network mlp:20 --batch 2 --task train --data random --steps 1 --warmup 0
no_seconds
# Parameters have the same bits with graphs and without.
expect 0 "CUDA graphs: 1, of [0-9]* kernels" ./network_cuda --device cpu --network mlp:20 --batch 2 --submit graph \
    --record "$folder/graph.csv"
no_seconds
for submit in single graph; do
    expect 0 "Parameters" ./network_cuda --device cpu --network mlp:20 --batch 8 --task train --data random --steps 4 \
        --warmup 0 --submit $submit --record "$folder/steps_$submit.csv"
    no_seconds
    python3 - "$folder/steps_$submit.csv" $submit <<'PYTHON' || { echo "FAILED: submit is not recorded"; failed=1; }
import csv
import sys
assert {row["submit"] for row in csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"))} == {sys.argv[2]}
PYTHON
    grep "Parameters" "$folder/said" >"$folder/$submit"
    [ $submit = single ] || grep -q "CUDA graphs: 1, of [0-9]* kernels; a training step is one graph" "$folder/said" ||
        { echo "FAILED: no graphs of training steps"; failed=1; }
done
# Graphs are captured before the first step that is timed.
expect 0 "CUDA graphs: 1, of \([0-9]*\) kernels; a training step is one graph instead of \1 launches" ./network_cuda \
    --device cpu --network mlp:20 --batch 8 --task train \
    --data random --steps 1 --warmup 0 --submit graph
cmp "$folder/single" "$folder/graph" || { echo "FAILED: other parameters as graphs"; failed=1; }
expect 0 "block" ./maxpool_cuda --device cpu -n 8 --show-indices
expect 0 "tiled, line by line" ./maxpool_cuda --device cpu -n 4 --explain --method naive,tiled
grep -q "cuda/kernels/tiled.cu:[0-9]*  *shared store" "$folder/said" || { echo "FAILED: no line of a kernel"; failed=1; }
grep -q "^Output (0, 0): window" "$folder/said" || { echo "FAILED: no window"; failed=1; }
no_seconds
expect 0 "^naive" ./maxpool_cuda --device cpu --list-methods
expect 2 "seconds" ./network_cuda --device cpu --network mlp:20 --layers
expect 2 "kernel-facts" ./maxpool_cuda --device cpu -n 8 --kernel-facts
expect 3 "GPU" ./maxpool_cuda --device cpu -n 8 --method cudnn
expect 3 "GPU" ./network_cuda --device cpu --network mlp:20 --engine cudnn

# Every row: the device, no second in any column, and a verdict.
python3 - "$folder/samples.csv" "$folder/graph.csv" <<'PYTHON' || failed=1
import csv
import sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))
assert len(rows) == 3, rows
for row in rows:
    assert row["device"] == row["platform"] == "CPU emulation" and row["verified"] == "exact", row
    seconds = {name: value for name, value in row.items() if name.endswith("_s") and value}
    assert not seconds, seconds
    assert row["submit"] == "", row
assert {row["submit"] for row in csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8"))} == {"graph"}
PYTHON
exit "$failed"
