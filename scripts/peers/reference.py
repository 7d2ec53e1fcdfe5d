"""Computes every kind of node (peers/graph.py) with numpy, plainly and in double precision: the result without
float32's rounding."""
import math

import numpy

MOST_MULTIPLY_ADDS = 4e9
"""Per image; larger networks would take too long (networks/reference.h)."""


def windows(x, node):
    """The windows of a padded image: images x channels x rows x cols x k x k."""
    p, k, s = node.padding, node.kernel, node.stride
    worst = -numpy.inf if node.kind == "maxpool" else 0
    x = numpy.pad(x, ((0, 0), (0, 0), (p, p), (p, p)), constant_values=worst)
    return numpy.lib.stride_tricks.sliding_window_view(x, (k, k), (2, 3))[:, :, ::s, ::s]


def convolution(x, node):
    """Group by group."""
    filters, outputs = node.weights.shape[0] // node.groups, []
    each = x.shape[1] // node.groups
    for g in range(node.groups):
        part = windows(x[:, g * each : (g + 1) * each], node)
        bank = node.weights[g * filters : (g + 1) * filters]
        outputs.append(numpy.einsum("nchwij,kcij->nkhw", part, bank, optimize=True))
    y = numpy.concatenate(outputs, 1)
    return y if node.bias is None else y + node.bias[:, None, None]


COMPUTE = {
    "conv": lambda node, x: convolution(x, node),
    "linear": lambda node, x: x @ node.weights.T + node.bias,
    "maxpool": lambda node, x: windows(x, node).max((4, 5)),
    "relu": lambda node, x: numpy.maximum(x, 0),
    "relu6": lambda node, x: numpy.clip(x, 0, 6),
    "add": lambda node, x, y: x + y,
    "average_pool": lambda node, x: x.mean((2, 3), keepdims=True),
    "flatten": lambda node, x: x.reshape(len(x), -1)}


def multiply_adds(network):
    """Multiply-adds of one image, from the graph of a network in the file's form."""
    return sum(math.prod(layer["parameters"]["weight"]["shape"]) * math.prod(layer["shape"][1:])
               for layer in network["layers"] if layer["kind"] in ("conv", "linear"))


def compute(graph, images):
    """The last node's output, in double precision."""
    held = {"": images.astype(numpy.float64)}
    for node in graph.nodes:
        held[node.name] = COMPUTE[node.kind](node, *[held[name] for name in node.reads])
    return held[graph.output]
