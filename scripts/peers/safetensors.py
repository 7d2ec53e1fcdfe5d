"""Reads the files that network programs write with --save."""
import json

import numpy


def read(path):
    """Maps names to float32 arrays, which are mapped from the file."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, _ = entry["data_offsets"]
        tensors[name] = numpy.memmap(path, "<f4", "r", 8 + length + begin, tuple(entry["shape"]))
    return tensors
