"""LiteRT: XNNPACK's kernels on a model that TensorFlow's converter makes from our weights, in float32: no quantization
is requested, and XNNPACK applies none by itself."""
import ai_edge_litert
import tensorflow
from ai_edge_litert.interpreter import Interpreter

from peers.libraries import tensorflow_peer
from peers.quiet import quiet

PACKAGES = "ai_edge_litert tensorflow"
METHODS = (
    ("maxpool", "litert", "LiteRT's interpreter with XNNPACK over a model of our weights, channels last"),
    ("conv", "litert", "LiteRT's interpreter with XNNPACK over a model of our weights, channels last"),
    ("network", "litert", "LiteRT's interpreter with XNNPACK over a model of our weights, channels last"),
)
LEAST = -3.4028235e38
"""The least float32; it is never the maximum."""


def version():
    """For the record's column isa."""
    return "LiteRT " + ai_edge_litert.__version__


def pooling(node):
    """Max pooling in which padding never wins: LiteRT's own pooling gets none."""
    pads = [[0, 0], [node.padding] * 2, [node.padding] * 2, [0, 0]]
    sides = [1, node.kernel, node.kernel, 1], [1, node.stride, node.stride, 1]
    return lambda x: tensorflow.nn.max_pool2d(
        tensorflow.pad(x, pads, constant_values=LEAST) if node.padding else x, *sides, "VALID")


def functions(graph):
    """TensorFlow's functions, except pooling."""
    made = tensorflow_peer.functions(graph)
    return [(name, reads, pooling(node) if node.kind == "maxpool" else call)
            for node, (name, reads, call) in zip(graph.nodes, made)]


def model_of(graph, x):
    """The bytes of the converted model."""
    forward = tensorflow_peer.chain(graph, functions(graph))
    made = tensorflow.function(forward).get_concrete_function(tensorflow.TensorSpec(x.shape, x.dtype))
    with quiet():
        return tensorflow.lite.TFLiteConverter.from_concrete_functions([made], forward).convert()


def prepare(_method, graph, images, threads):
    """One interpreter; its input is set before the timed part, its output copied after it."""
    x = tensorflow_peer.channels_last(images)
    made = Interpreter(model_content=model_of(graph, x), num_threads=threads)
    made.allocate_tensors()
    made.set_tensor(made.get_input_details()[0]["index"], x.numpy())
    output = made.get_output_details()[0]["index"]

    def read(_):
        values = made.get_tensor(output)
        return values.transpose(0, 3, 1, 2) if values.ndim == 4 else values
    return made.invoke, read
