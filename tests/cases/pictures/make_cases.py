#!/usr/bin/env python3
"""Makes the known answers of this folder: resized planes by Pillow, and whole pictures by PyTorch.

    python3 make_cases.py        (Debian: python3-pil python3-numpy python3-torch)
"""
import numpy
import torch
from PIL import Image

MEAN = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)

# (rows, columns) in and out: smaller, larger, one axis each way, hardly smaller, one element
SIZES = [((23, 31), (7, 12)), ((5, 4), (11, 13)), ((40, 6), (9, 17)), ((16, 15), (15, 14)), ((9, 8), (1, 1))]


def planes(random):
    for (rows, cols), (to_rows, to_cols) in SIZES:
        elements = (random.rand(rows, cols) * 255).astype("<f4")
        resized = Image.fromarray(elements, "F").resize((to_cols, to_rows), Image.BILINEAR)
        name = f"plane_{rows}x{cols}_{to_rows}x{to_cols}"
        numpy.save(f"{name}.in.npy", elements)
        numpy.save(f"{name}.out.npy", numpy.asarray(resized).astype("<f4"))


def pictures(random):
    colour = random.randint(0, 256, (21, 34, 3)).astype("u1")
    gray = random.randint(0, 65536, (19, 13)).astype("u2")
    Image.fromarray(colour).save("colour.png")
    Image.fromarray(gray).save("gray16.png")
    for name, elements, white in (("colour", colour.transpose(2, 0, 1), 255), ("gray16", gray[None], 65535)):
        x = torch.tensor(elements.astype("f4"))[None] / white
        x = torch.nn.functional.interpolate(x, (16, 18), mode="bilinear", antialias=True)
        numpy.save(f"{name}.out.npy", ((x - MEAN) / DEVIATION).numpy().astype("<f4"))


numbers = numpy.random.RandomState(16)
planes(numbers)
pictures(numbers)
