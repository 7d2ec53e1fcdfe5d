"""TensorFlow: a function compiled to a graph, images and filters with channels last, which its
convolutions on processors ask for."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy
import tensorflow

from peers.failure import USAGE, Failure

IDEA = "TensorFlow's graph of our weights, channels last, output allocated at each call"
METHODS = {operator: {"tensorflow": IDEA} for operator in ("maxpool", "conv", "network")}


def version():
    """As the record's isa has it."""
    return "TensorFlow " + tensorflow.__version__


def filters_of(node):
    """K x C/G x k x k as TensorFlow has it; depthwise ones last but one."""
    depthwise = node.groups > 1
    order = (2, 3, 0, 1) if depthwise else (2, 3, 1, 0)
    return tensorflow.constant(numpy.ascontiguousarray(node.weights.transpose(order)))


def padding_of(node):
    """As its fastest code takes it, where it can be said so, and zeros to add before: its depthwise
    convolution ends the process where it is told of other padding."""
    if node.padding == 0:
        return "VALID", None
    if node.stride == 1 and node.kernel == 2 * node.padding + 1:
        return "SAME", None
    pads = [[0, 0], [node.padding] * 2, [node.padding] * 2, [0, 0]]
    return ("VALID", pads) if node.groups > 1 else (pads, None)


def convolution(node):
    """One convolution as a function of a tensor."""
    filters, strides = filters_of(node), [1, node.stride, node.stride, 1]
    pads, before = padding_of(node)
    if node.groups > 1 and (node.weights.shape[1] > 1 or node.weights.shape[0] != node.groups):
        raise Failure(USAGE, "TensorFlow's groups are of one channel and one filter each here")
    call = tensorflow.nn.depthwise_conv2d if node.groups > 1 else tensorflow.nn.conv2d
    bias = None if node.bias is None else tensorflow.constant(node.bias)

    def run(x):
        y = call(x if before is None else tensorflow.pad(x, before), filters, strides, pads)
        return y if bias is None else tensorflow.nn.bias_add(y, bias)
    return run


def dense(node, channels):
    """A fully connected layer; weights in the order of images whose channels come last."""
    weights = node.weights
    if channels:
        rest = weights.reshape(weights.shape[0], channels, -1)
        weights = rest.transpose(0, 2, 1).reshape(weights.shape[0], -1)
    held = tensorflow.constant(numpy.ascontiguousarray(weights.T))
    bias = tensorflow.constant(node.bias)
    return lambda x: tensorflow.nn.bias_add(tensorflow.matmul(x, held), bias)


def pooling(node):
    """Windows that padding never wins in."""
    pads = [[0, 0], [node.padding] * 2, [node.padding] * 2, [0, 0]]
    sides = ([1, node.kernel, node.kernel, 1], [1, node.stride, node.stride, 1])
    return lambda x: tensorflow.nn.max_pool2d(x, *sides, pads if node.padding else "VALID")


PLAIN = {"relu": tensorflow.nn.relu, "relu6": tensorflow.nn.relu6, "add": tensorflow.add,
         "average": lambda x: tensorflow.reduce_mean(x, [1, 2], keepdims=True),
         "flatten": lambda x: tensorflow.reshape(x, [x.shape[0], -1])}


def functions(graph):
    """Each node's name, what it reads and its function; constants are made here, once."""
    made, channels, wide = [], graph.shape[1] if len(graph.shape) == 4 else 0, 0
    for node in graph.nodes:
        if node.kind == "conv":
            channels, call = node.weights.shape[0], convolution(node)
        elif node.kind == "linear":
            call, wide = dense(node, wide), 0
        else:
            call = pooling(node) if node.kind == "maxpool" else PLAIN[node.kind]
        wide = channels if node.kind == "flatten" else wide
        made.append((node.name, node.reads, call))
    return made


def prepare(_method, graph, images, threads):
    """A concrete function over images whose channels were brought last before the clock."""
    tensorflow.config.threading.set_intra_op_parallelism_threads(threads)
    tensorflow.config.threading.set_inter_op_parallelism_threads(1)
    nodes = functions(graph)
    flat = images.ndim == 2

    def forward(x):
        held = {"": x}
        for name, reads, call in nodes:
            held[name] = call(*[held[read] for read in reads])
        return held[graph.output]
    x = tensorflow.constant(images if flat else images.transpose(0, 2, 3, 1))
    made = tensorflow.function(forward).get_concrete_function(
        tensorflow.TensorSpec(x.shape, x.dtype))

    def read(y):
        values = y.numpy()
        return values.transpose(0, 3, 1, 2) if values.ndim == 4 else values
    return (lambda: made(x)), read
