"""Reads the graph of a network that its program writes with --graph, and builds from it and the
parameters that --save writes the graph that libraries take. docs/details/networks_files.md has the schema.

The file is checked before anything is built from it: each kind has its attributes, each layer reads
layers before it, and the shapes that follow from these equal those that the program reports."""
import json
from collections import Counter
from dataclasses import dataclass

import numpy

from peers.failure import USAGE, Failure
from peers.graph import INPUT, Graph

FORMAT, VERSION = "maxpool network", 1
IMAGES = "input"
"""Stands for the images among a layer's inputs."""


@dataclass(frozen=True)
class Kind:
    """The attributes and parameters of layers of a kind, how many inputs they read, and the shape of their output."""

    attributes: tuple
    parameters: tuple  # of which the last `optional` ones may be absent
    shape: object  # function of (attributes, input shape); returns the output shape
    inputs: int = 1
    optional: int = 0


def window(a, side):
    """Number of outputs along one axis."""
    return (side + 2 * a["padding"] - a["kernel"]) // a["stride"] + 1


def same(_attributes, shape):
    """The unchanged shape."""
    return shape


WINDOW = ("kernel", "stride", "padding")
KINDS = {
    "conv": Kind(("filters", "groups", *WINDOW), ("weight", "bias"),
                 lambda a, s: (a["filters"], window(a, s[1]), window(a, s[2])), optional=1),
    "linear": Kind(("outputs",), ("weight", "bias"), lambda a, s: (a["outputs"], 1, 1)),
    "batchnorm": Kind(("epsilon",), ("weight", "bias", "running_mean", "running_var"), same),
    "maxpool": Kind(WINDOW, (), lambda a, s: (s[0], window(a, s[1]), window(a, s[2]))),
    "average_pool": Kind((), (), lambda a, s: (s[0], 1, 1)),
    "relu": Kind(("least",), (), same),
    "relu6": Kind(("least", "most"), (), same),
    "add": Kind((), (), same, inputs=2),
    "dropout": Kind(("rate",), (), same),
    "flatten": Kind((), (), lambda a, s: (s[0] * s[1] * s[2], 1, 1)),
}
FIXED = {"relu": {"least": 0}, "relu6": {"least": 0, "most": 6}}
"""Limits that the kinds' names imply: libraries have functions of these names."""


def weight_shape(layer, shape):
    """The shape of the first parameter of a layer with that input shape."""
    a = layer["attributes"]
    if layer["kind"] == "conv":
        return [a["filters"], shape[0] // a["groups"], a["kernel"], a["kernel"]]
    return [a["outputs"], shape[0]] if layer["kind"] == "linear" else [shape[0]]


def wrong(layer):
    """What the layer's kind does not allow in the layer, or None."""
    kind = KINDS.get(layer["kind"])
    if not kind:
        return f"its kind is '{layer['kind']}'"
    given = layer["attributes"]
    if set(given) != set(kind.attributes):
        return f"its attributes are {sorted(given)}"
    if any(given[name] != value for name, value in FIXED.get(layer["kind"], {}).items()):
        return f"its limits are {given}"
    if not 0 <= given.get("rate", 0) < 1:
        return f"its rate is {given['rate']}"
    least = set(kind.parameters[:len(kind.parameters) - kind.optional])
    if not least <= set(layer["parameters"]) <= set(kind.parameters):
        return f"its parameters are {sorted(layer['parameters'])}"
    return None if len(layer["inputs"]) == kind.inputs else f"it reads {layer['inputs']}"


def follows(layer, shapes):
    """What contradicts the layers before, or None."""
    unknown = [name for name in layer["inputs"] if name not in shapes]
    if unknown or layer["name"] in shapes:
        return f"there is no {unknown[0]} before it" if unknown else "its name comes twice"
    read = [shapes[name] for name in layer["inputs"]]
    if read[0] != read[-1]:
        return f"its inputs have shapes {read[0]} and {read[-1]}"
    made = KINDS[layer["kind"]].shape(layer["attributes"], read[0])
    if list(made) != layer["shape"]:
        return f"its output is given as {layer['shape']} and follows as {list(made)}"
    held = layer["parameters"].get("weight")
    if held and held["shape"] != weight_shape(layer, read[0]):
        return f"its weight is {held['shape']} where {weight_shape(layer, read[0])} follows"
    return None


def check(path, network):
    """Raises a failure that names the first invalid layer."""
    if (network.get("format"), network.get("version")) != (FORMAT, VERSION):
        raise Failure(USAGE, f"{path}: no graph of a network in version {VERSION}")
    shapes = {IMAGES: tuple(network["input"])}
    for layer in network["layers"]:
        why = wrong(layer) or follows(layer, shapes)
        if why:
            raise Failure(USAGE, f"{path}: layer {layer['name']}: {why}")
        shapes[layer["name"]] = tuple(layer["shape"])
    if network["layers"][-1]["name"] != network["output"]:
        raise Failure(USAGE, f"{path}: {network['output']} is not the last layer")


def read(path):
    """Reads and checks the file."""
    with open(path, encoding="utf-8") as file:
        network = json.load(file)
    try:
        check(path, network)
    except (KeyError, TypeError, IndexError, ZeroDivisionError) as error:
        raise Failure(USAGE, f"{path}: not the graph of a network ({error!r})") from error
    return network


def input_shape(network, batch):
    """Batch x channels x rows x columns, or batch x values if only linear layers read the images."""
    channels, rows, cols = network["input"]
    readers = {layer["kind"] for layer in network["layers"] if IMAGES in layer["inputs"]}
    return (batch, channels) if readers == {"linear"} else (batch, channels, rows, cols)


class Builder:
    """Builds the graph of nodes that libraries take. Batch norms are folded into the convolutions before them, in
    double precision and rounded once, like ours, so that no library has to find them."""

    def __init__(self, network, batch, tensors, training, rounded):
        self.rounded = rounded
        self.graph = Graph(input_shape(network, batch))
        self.tensors = tensors
        self.training = training
        self.readers = Counter(name for layer in network["layers"] for name in layer["inputs"])
        self.made = {IMAGES: INPUT}  # layer to the node that computes its output

    def tensor(self, layer, role):
        """One parameter, with the shape in the graph, or None if the layer has none."""
        given = layer["parameters"].get(role)
        if given is None:
            return None
        held = self.tensors.get(given["tensor"])
        if held is None or list(held.shape) != given["shape"]:
            raise Failure(USAGE, f"tensor {given['tensor']} of the graph is not among the "
                          f"parameters as {given['shape']}")
        return held

    def fold(self, layer):
        """Folds a batch norm into the convolution before it; returns that node's name."""
        before = layer["inputs"][0]
        node = next((n for n in self.graph.nodes if n.name == self.made[before]), None)
        if not node or node.kind != "conv" or self.readers[before] > 1:
            raise Failure(USAGE, f"layer {layer['name']} follows no convolution of its own")
        weight, bias, mean, variance = (self.tensor(layer, role).astype(numpy.float64)
                                        for role in KINDS["batchnorm"].parameters)
        scale = weight / numpy.sqrt(variance + layer["attributes"]["epsilon"])
        scaled = node.weights.astype(numpy.float64) * scale[:, None, None, None]
        shift = bias + ((0 if node.bias is None else node.bias) - mean) * scale
        kind = numpy.float32 if self.rounded else numpy.float64
        node.weights, node.bias = scaled.astype(kind), shift.astype(kind)
        return node.name

    def add(self, layer):
        """Appends the layer's node; a batch norm, and a dropout in inference, use the node that they read instead."""
        kind, given = layer["kind"], layer["attributes"]
        reads = [self.made[name] for name in layer["inputs"]]
        if kind == "batchnorm":
            self.made[layer["name"]] = self.fold(layer)
        elif kind == "dropout" and not self.training:
            self.made[layer["name"]] = reads[0]
        else:
            what = {name: given[name] for name in (*WINDOW, "groups", "rate") if name in given}
            if layer["parameters"]:
                what["weights"] = numpy.ascontiguousarray(self.tensor(layer, "weight"))
                what["bias"] = self.tensor(layer, "bias")
            self.made[layer["name"]] = self.graph.add(kind, reads, layer["name"], **what)


def build(network, batch, tensors, training=False, rounded=True):
    """The network for a batch, as a graph of nodes. Dropouts are kept only for training. Unless `rounded`, folded
    parameters stay in double precision."""
    builder = Builder(network, batch, tensors, training, rounded)
    for layer in network["layers"]:
        builder.add(layer)
    return builder.graph
