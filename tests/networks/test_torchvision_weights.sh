#!/usr/bin/env bash
# The file that scripts/torchvision_weights.py writes for a PyTorch network must give the same outputs here: tested for
# a small network, and for module trees with torchvision's names, in place of torchvision.
# Usage: test_torchvision_weights.sh NETWORK_SERIAL. Status 77: no PyTorch here.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${1:?usage: test_torchvision_weights.sh NETWORK_SERIAL}
python=''
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import torch, numpy' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "test_torchvision_weights.sh: SKIPPED: no PyTorch (Debian: python3-torch)"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
"$python" - "$folder" <<'EOF'
import collections
import sys

import numpy
import torch

sys.path.insert(0, "scripts")
sys.dont_write_bytecode = True
import torchvision_weights

torch.manual_seed(3)
layers = [("hidden1", torch.nn.Linear(50, 50)), ("norm", torch.nn.BatchNorm1d(50)), ("relu1", torch.nn.ReLU()),
          ("hidden2", torch.nn.Linear(50, 25)), ("relu2", torch.nn.ReLU()), ("output", torch.nn.Linear(25, 1))]
whole = torch.nn.Sequential(collections.OrderedDict(layers))
# tensors that the network here does not have are ignored
torchvision_weights.write(f"{sys.argv[1]}/w.safetensors", torchvision_weights.safetensors(whole.state_dict()))
network = torch.nn.Sequential(collections.OrderedDict(pair for pair in layers if pair[0] != "norm"))
x = torch.rand(6, 50)
numpy.save(f"{sys.argv[1]}/x.npy", x.numpy())
numpy.save(f"{sys.argv[1]}/expected.npy", network(x).detach().numpy())
EOF
"$program" --network mlp:50-25 --weights "$folder/w.safetensors" -i "$folder/x.npy" -o "$folder/y.npy" --samples 1 >"$folder/reported"
"$python" - "$folder" <<'EOF'
import sys

import numpy

expected, found = (numpy.load(f"{sys.argv[1]}/{name}.npy").ravel() for name in ("expected", "y"))
assert expected.shape == found.shape and numpy.ptp(expected) > 1e-3
assert abs(expected - found).max() < 1e-6, (expected, found)
EOF

# The script as users call it, with old and new versions of torchvision; a trained network, and an untrained one.
"$python" - "$folder" <<'EOF'
import sys
import types

import numpy
import torch

sys.path[:0] = ["scripts", "tests"]
sys.dont_write_bytecode = True
import torchvision_like
import torchvision_weights


folder = sys.argv[1]


def save(network, new, *options, into=folder):
    torch.manual_seed(5)
    models = torchvision_like.Models(new)
    sys.modules["torchvision"] = types.SimpleNamespace(models=models)
    sys.argv = ["torchvision_weights.py", network, f"{into}/{network}.safetensors", *options]
    return torchvision_weights.main(), models.asked


assert save("mobilenet_v2", True, "--random") == (0, [None])
assert save("mobilenet_v2", False, "--random") == (0, [False])
assert save("mobilenet_v2", False) == (0, [True])
assert save("resnet18", True) == (0, ["DEFAULT"])
assert save("mobilenet_v2", True) == (0, ["DEFAULT"])
assert save("mobilenet_v2", True, into=f"{folder}/missing") == (5, ["DEFAULT"])
x = torch.randn(2, 3, 65, 65)
numpy.save(f"{folder}/x.npy", x.numpy())
for network in torchvision_weights.NETWORKS:
    torch.manual_seed(5)
    made = getattr(torchvision_like.Models(True), network)()
    with torch.no_grad():
        numpy.save(f"{folder}/{network}.npy", made.double()(x.double()).numpy())
EOF
for network in resnet18 mobilenet_v2; do
    "$program" --network "$network" --weights "$folder/$network.safetensors" -i "$folder/x.npy" -o "$folder/y.npy" \
        --samples 1 --warmup 0 --verify none >"$folder/reported"
    "$python" - "$folder" "$network" <<'EOF'
import sys

import numpy

expected, found = (numpy.load(f"{sys.argv[1]}/{name}.npy").reshape(2, 1000) for name in (sys.argv[2], "y"))
assert numpy.ptp(expected) > 1e-3 and abs(expected[0] - expected[1]).max() > 1e-2 * abs(expected).max()
assert abs(expected - found).max() < 2e-5 * abs(expected).max(), abs(expected - found).max() / abs(expected).max()
EOF
done
