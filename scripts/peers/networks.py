"""The networks of networks/models/ as graphs. Batch norms are folded into the convolutions before
them, in double precision and rounded once, as ours are: no library has to find them."""
import numpy

from peers.failure import USAGE, Failure
from peers.graph import INPUT, Graph

EPSILON = 1e-5


class Builder:
    """A graph under construction and the tensors that its layers are made of."""

    def __init__(self, shape, tensors, training=False):
        self.graph = Graph(shape)
        self.tensors = tensors
        self.training = training

    def conv(self, reads, name, stride=1, padding=0, groups=1, norm=None):
        """A convolution by its tensors' names, with a batch norm folded in."""
        weights = self.tensors[name + ".weight"]
        bias = self.tensors.get(name + ".bias")
        if norm:
            weights, bias = self.folded(weights, norm)
        return self.graph.add("conv", reads, name, weights=numpy.ascontiguousarray(weights),
                              bias=bias, kernel=weights.shape[2], stride=stride,
                              padding=padding, groups=groups)

    def folded(self, weights, norm):
        """Weights and bias that do what the batch norm does afterwards."""
        part = {suffix: self.tensors[f"{norm}.{suffix}"].astype(numpy.float64)
                for suffix in ("weight", "bias", "running_mean", "running_var")}
        scale = part["weight"] / numpy.sqrt(part["running_var"] + EPSILON)
        shift = part["bias"] - part["running_mean"] * scale
        scaled = weights.astype(numpy.float64) * scale[:, None, None, None]
        return scaled.astype(numpy.float32), shift.astype(numpy.float32)

    def linear(self, reads, name):
        """A fully connected layer."""
        return self.graph.add("linear", reads, name, weights=self.tensors[name + ".weight"],
                              bias=self.tensors[name + ".bias"])

    def pool(self, reads, kernel, stride, padding=0):
        """A max pooling."""
        return self.graph.add("maxpool", reads, kernel=kernel, stride=stride, padding=padding)

    def dropout(self, reads, rate):
        """What only a training has."""
        return self.graph.add("dropout", reads, rate=rate) if self.training else reads

    def relu(self, reads):
        """What is negative becomes 0."""
        return self.graph.add("relu", reads)


def resnet18(b, _sizes):
    """networks/models/resnet18.c."""
    last = b.relu(b.conv(INPUT, "conv1", 2, 3, norm="bn1"))
    last = b.pool(last, 3, 2, 1)
    for stage in range(1, 5):
        for block in range(2):
            at = f"layer{stage}.{block}."
            changes = stage > 1 and block == 0
            stride = 2 if changes else 1
            beside = last
            if changes:
                beside = b.conv(last, at + "downsample.0", 2, 0, norm=at + "downsample.1")
            last = b.relu(b.conv(last, at + "conv1", stride, 1, norm=at + "bn1"))
            last = b.conv(last, at + "conv2", 1, 1, norm=at + "bn2")
            last = b.relu(b.graph.add("add", (last, beside)))
    b.linear(b.graph.add("flatten", b.graph.add("average", last)), "fc")


def conv_norm(b, reads, at, first, stride=1, groups=1, padding=0, rectified=True):
    """The three modules at.first, at.first+1 and, where rectified, ReLU6."""
    last = b.conv(reads, f"{at}{first}", stride, padding, groups, norm=f"{at}{first + 1}")
    return b.graph.add("relu6", last) if rectified else last


def inverted_residual(b, reads, number, stride):
    """One block of MobileNetV2, shaped by its tensors."""
    at, part, last = f"features.{number}.conv.", 0, reads
    if f"{at}1.0.weight" in b.tensors:
        last = conv_norm(b, last, at + "0.", 0)
        part = 1
    inner = b.tensors[f"{at}{part}.0.weight"].shape[0]
    last = conv_norm(b, last, f"{at}{part}.", 0, stride, inner, 1)
    last = conv_norm(b, last, at, part + 1, rectified=False)
    first = b.tensors[f"{at}0.0.weight"]
    channels = first.shape[1] if part else inner
    same = stride == 1 and channels == b.tensors[f"{at}{part + 1}.weight"].shape[0]
    return b.graph.add("add", (last, reads)) if same else last


def mobilenet_v2(b, _sizes):
    """networks/models/mobilenet_v2.c."""
    last, number = conv_norm(b, INPUT, "features.0.", 0, 2, 1, 1), 1
    for blocks, stride in ((1, 1), (2, 2), (3, 2), (4, 2), (3, 1), (3, 2), (1, 1)):
        for block in range(blocks):
            last = inverted_residual(b, last, number, stride if block == 0 else 1)
            number += 1
    last = conv_norm(b, last, "features.18.", 0)
    b.linear(b.graph.add("flatten", b.graph.add("average", last)), "classifier.1")


def mlp(b, sizes):
    """networks/models/mlp.c."""
    last = INPUT
    for hidden in range(1, len(sizes.split("-")) + 1):
        last = b.relu(b.linear(last, f"hidden{hidden}"))
    b.linear(last, "output")


def solar_cnn(b, _sizes):
    """networks/models/solar_cnn.c."""
    last = b.relu(b.conv(b.relu(b.conv(INPUT, "conv1")), "conv2"))
    last = b.graph.add("flatten", b.dropout(b.pool(last, 2, 2), 0.25))
    b.linear(b.dropout(b.relu(b.linear(last, "dense1")), 0.5), "dense2")


def alexnet_mri(b, _sizes):
    """networks/models/alexnet_mri.c."""
    last = b.relu(b.pool(b.conv(INPUT, "features.0", 2, 1), 2, 2))
    last = b.relu(b.pool(b.conv(last, "features.3", 1, 1), 2, 2))
    last = b.relu(b.conv(last, "features.6", 1, 1))
    last = b.relu(b.conv(last, "features.8", 1, 1))
    last = b.relu(b.pool(b.conv(last, "features.10", 1, 1), 2, 2))
    last = b.dropout(b.graph.add("flatten", last), 0.5)
    last = b.dropout(b.relu(b.linear(last, "classifier.1")), 0.5)
    b.linear(b.relu(b.linear(last, "classifier.4")), "classifier.6")


MODELS = {"resnet18": (resnet18, (3, 224)), "mobilenet_v2": (mobilenet_v2, (3, 224)),
          "mlp": (mlp, (50,)), "solar_cnn": (solar_cnn, (1, 50)),
          "alexnet_mri": (alexnet_mri, (1, 32))}
"""Each network's builder, and the channels and side of its images, or the length of its vectors."""


def input_shape(name, image_size, batch):
    """Batch x channels x rows x columns, or batch x values."""
    if name.split(":")[0] not in MODELS:
        raise Failure(USAGE, f"--network: there is no '{name}'; known are {', '.join(MODELS)}")
    usual = MODELS[name.split(":")[0]][1]
    if len(usual) == 1:
        return (batch, usual[0])
    side = image_size or usual[1]
    return (batch, usual[0], side, side)


def network_graph(name, shape, tensors, training=False):
    """The network over a batch of that shape."""
    model, _, sizes = name.partition(":")
    builder = Builder(shape, tensors, training)
    MODELS[model][0](builder, sizes)
    return builder.graph
