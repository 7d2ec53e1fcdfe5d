#!/usr/bin/env python3
"""Known answers of networks: PyTorch and torchvision compute them from parameters that this suite seeds.

Usage: make_cases.py BIN_FOLDER    writes NAME.x.npy and NAME.y.npy beside this script."""
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import torch
import torchvision
from torch import nn


def tensors_of(path):
    data = Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    out = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = numpy.frombuffer(data[8 + length + begin : 8 + length + end], "<f4")
        out[name] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    return out


def give_norms(tensors):
    """Batch norms of other scales, shifts, means and variances than 1, 0, 0 and 1, as tests/networks/test_networks.c has them."""
    for name in list(tensors):
        if not name.endswith(".running_mean"):
            continue
        layer = name[: -len("running_mean")]
        c = torch.arange(tensors[name].numel())
        tensors[layer + "weight"] = 0.7 + 0.05 * (c * 7 % 10).float()
        tensors[layer + "bias"] = 0.1 * (c * 3 % 10).float() - 0.5
        tensors[layer + "running_mean"] = 0.1 * (c * 5 % 10).float() - 0.5
        tensors[layer + "running_var"] = 0.5 + 0.1 * (c * 11 % 10).float()


class Named(nn.Module):
    """Modules by the names that the parameters have, and the order in which they run."""

    def __init__(self, modules, run):
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)
        self.run = run

    def forward(self, x):
        return self.run(self, x)


def solar_cnn():
    def run(m, x):
        x = torch.relu(m.conv2(torch.relu(m.conv1(x))))
        x = nn.functional.max_pool2d(x, 2).flatten(1)
        return m.dense2(torch.relu(m.dense1(x)))

    return Named({"conv1": nn.Conv2d(1, 32, 3), "conv2": nn.Conv2d(32, 64, 3),
                  "dense1": nn.Linear(33856, 128), "dense2": nn.Linear(128, 1)}, run)


def alexnet_mri():
    relu, pool = nn.ReLU, lambda: nn.MaxPool2d(2)
    features = nn.Sequential(
        nn.Conv2d(1, 64, 3, 2, 1), pool(), relu(), nn.Conv2d(64, 192, 3, 1, 1), pool(), relu(),
        nn.Conv2d(192, 384, 3, 1, 1), relu(), nn.Conv2d(384, 256, 3, 1, 1), relu(),
        nn.Conv2d(256, 256, 3, 1, 1), pool(), relu())
    classifier = nn.Sequential(nn.Dropout(), nn.Linear(1024, 4096), relu(), nn.Dropout(),
                               nn.Linear(4096, 4096), relu(), nn.Linear(4096, 3))
    return Named({"features": features, "classifier": classifier},
                 lambda m, x: m.classifier(m.features(x).flatten(1)))


def mlp():
    return Named({"hidden1": nn.Linear(50, 25), "hidden2": nn.Linear(25, 13), "output": nn.Linear(13, 1)},
                 lambda m, x: m.output(torch.relu(m.hidden2(torch.relu(m.hidden1(x))))))


CASES = {
    "resnet18": ("resnet18", torchvision.models.resnet18, (2, 3, 33, 33)),
    "mobilenet_v2": ("mobilenet_v2", torchvision.models.mobilenet_v2, (2, 3, 33, 33)),
    "solar_cnn": ("solar_cnn", solar_cnn, (2, 1, 50, 50)),
    "alexnet_mri": ("alexnet_mri", alexnet_mri, (2, 1, 32, 32)),
    "mlp_25-13": ("mlp:25-13", mlp, (5, 50)),
}


def main(binaries):
    here = Path(__file__).parent
    for file, (name, make, shape) in CASES.items():
        with tempfile.NamedTemporaryFile(suffix=".safetensors") as saved:
            subprocess.run([f"{binaries}/network_serial", "--network", name, "--save", saved.name, "--samples", "1",
                            "--verify", "none", "--seed", "35"], check=True, stdout=subprocess.DEVNULL)
            tensors = tensors_of(saved.name)
        give_norms(tensors)
        network = make().eval()
        missing, unexpected = network.load_state_dict(tensors, strict=False)
        assert not unexpected and all(m.endswith("num_batches_tracked") for m in missing), (missing, unexpected)
        x = numpy.random.RandomState(1).normal(size=shape).astype("<f4")
        with torch.no_grad():
            y = network.double()(torch.from_numpy(x).double()).numpy()
        numpy.save(here / f"{file}.x.npy", x)
        numpy.save(here / f"{file}.y.npy", y)
        print(file, x.shape, y.shape, abs(y).max())


if __name__ == "__main__":
    main(sys.argv[1])
