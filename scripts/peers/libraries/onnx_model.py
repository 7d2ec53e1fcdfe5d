"""A graph as an ONNX model, which ONNX Runtime and OpenVINO read."""
import numpy
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 17, 8
KINDS = {"relu": "Relu", "add": "Add", "flatten": "Flatten",
         "average_pool": "GlobalAveragePool"}


class Model:
    """Nodes and the tensors that they hold, in ONNX's form."""

    def __init__(self):
        self.nodes, self.tensors = [], []

    def hold(self, values, name):
        """Adds a tensor to the model; returns its name."""
        self.tensors.append(numpy_helper.from_array(values, name))
        return name

    def parameters(self, node):
        """The names of a node's weights and, if it has one, its bias."""
        names = [self.hold(node.weights, node.name + ".w")]
        if node.bias is not None:
            names.append(self.hold(node.bias, node.name + ".b"))
        return names

    def add(self, node):
        """Appends one node of a graph."""
        reads = [name or "x" for name in node.reads]
        window = {"kernel_shape": [node.kernel] * 2, "strides": [node.stride] * 2,
                  "pads": [node.padding] * 4}
        what, attributes = KINDS.get(node.kind), {}
        if node.kind == "conv":
            what, attributes = "Conv", {**window, "group": node.groups}
            reads += self.parameters(node)
        elif node.kind == "linear":
            what, attributes = "Gemm", {"transB": 1}
            reads += self.parameters(node)
        elif node.kind == "maxpool":
            what, attributes = "MaxPool", window
        elif node.kind == "relu6":
            what = "Clip"
            reads += [self.hold(numpy.float32(0), node.name + ".0"),
                      self.hold(numpy.float32(6), node.name + ".6")]
        self.nodes.append(helper.make_node(what, reads, [node.name], node.name, **attributes))


def onnx_bytes(graph):
    """The model, serialised."""
    model = Model()
    for node in graph.nodes:
        model.add(node)
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, graph.shape)
    y = helper.make_tensor_value_info(graph.output, TensorProto.FLOAT, None)
    made = helper.make_model(
        helper.make_graph(model.nodes, "graph", [x], [y], model.tensors),
        opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    return made.SerializeToString()
