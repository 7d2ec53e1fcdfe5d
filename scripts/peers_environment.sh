#!/usr/bin/env bash
# Makes a Python environment with the libraries that scripts/time_peers.py can time, from the package index that pip
# is set up with. Nothing of the suite needs it.
#
# Usage: scripts/peers_environment.sh FOLDER [PACKAGE...]
#        MAXPOOL_PYTHON=FOLDER/bin/python build/bin/network_onnxruntime --network resnet18
#        scripts/peers_environment.sh OTHER zentorch torch==2.14.0   # a library that needs another version of one
#        MAXPOOL_PYTHON=FOLDER:OTHER build/bin/network_zentorch --network resnet18
set -euo pipefail

usual=(numpy onnx onnxruntime openvino faiss-cpu scipy mkl tensorflow-cpu torch ncnn MNN ai-edge-litert
    onednn-cpu-gomp scipy-openblas32 tract)

if [ $# -eq 0 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0"
    echo "Packages, unless others are named: ${usual[*]}"
    exit 2
fi
folder=$1
shift
packages=("$@")
[ $# -gt 0 ] || packages=("${usual[@]}")
python3 -m venv "$folder"
lacking=()
for package in "${packages[@]}"; do # one by one: a missing build stops no other
    "$folder/bin/python" -m pip install --quiet "$package" || lacking+=("$package")
done
"$folder/bin/python" -m pip freeze >"$folder/packages.txt"
echo "MAXPOOL_PYTHON=$(cd "$folder" && pwd)/bin/python"
if [ ${#lacking[@]} -gt 0 ]; then
    echo "not installed: ${lacking[*]}" >&2
    exit 3
fi
