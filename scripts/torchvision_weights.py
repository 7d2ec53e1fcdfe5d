#!/usr/bin/env python3
"""Saves the parameters of a torchvision network as a safetensors file, which the network programs
read with --weights.

    scripts/torchvision_weights.py resnet18 resnet18.safetensors
    build/bin/network_omp --network resnet18 --weights resnet18.safetensors -i photographs/ --top 5

Needs PyTorch and torchvision, which downloads the parameters where it has not got them yet; --random
takes a network that was not trained.
"""
import argparse
import json
import os
import struct
import sys

NETWORKS = ("resnet18", "mobilenet_v2")


def safetensors(state):
    """The bytes of a file with all float32 tensors of a state_dict, in its order; counters of batch norms, which
    inference does not need, are left out."""
    import torch

    header, values, end = {}, [], 0
    for name, tensor in state.items():
        if tensor.dtype != torch.float32:
            continue
        data = tensor.detach().cpu().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [end, end + len(data)]}
        end += len(data)
        values.append(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(values)


def write(path, data):
    """Writes the whole file or none."""
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.remove(beside)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("file", help="the .safetensors file to write")
    parser.add_argument("--random", action="store_true", help="a network that was not trained")
    options = parser.parse_args()
    try:
        import torchvision
    except ImportError as error:
        print(f"torchvision_weights.py: needs PyTorch and torchvision: {error}", file=sys.stderr)
        return 3
    make = getattr(torchvision.models, options.network)
    try:
        # the argument's name changed with version 0.13
        network = make(weights=None if options.random else "DEFAULT")
    except TypeError:
        network = make(pretrained=not options.random)
    try:
        write(options.file, safetensors(network.state_dict()))
    except OSError as error:
        print(f"torchvision_weights.py: {options.file}: cannot write it: {error.strerror}", file=sys.stderr)
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main())
