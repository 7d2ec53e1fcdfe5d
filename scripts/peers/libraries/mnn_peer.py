"""MNN: its converter's model of our weights, precision high: f32, which its normal precision is not bound to. It
chooses Winograd tiles itself; their error is recorded."""
import pathlib
import tempfile

from peers.failure import USAGE, Failure
from peers.libraries.onnx_model import onnx_bytes
from peers.quiet import quiet

with quiet():
    import _tools
    import MNN
    import numpy

PACKAGES = "MNN onnx"
METHODS = (
    ("maxpool", "mnn", "MNN's module over a model of our weights, precision high"),
    ("conv", "mnn", "MNN's module over a model of our weights, precision high"),
    ("network", "mnn", "MNN's module over a model of our weights, precision high"),
)
TRANSFORMED = 8
"""Errors may be so many times as large as those of sums, by its own choice of Winograd tiles."""


def version():
    """As the record's isa has it."""
    return "MNN " + MNN.version()


def convert(graph, folder):
    """By mnnconvert, as a function: its program would send a log away."""
    (folder / "model.onnx").write_bytes(onnx_bytes(graph))
    with quiet():
        _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", str(folder / "model.onnx"), "--MNNModel",
                           str(folder / "model.mnn"), "--bizCode", "maxpool"])
    if not (folder / "model.mnn").exists():
        raise Failure(USAGE, "MNN's converter refuses the model")
    return str(folder / "model.mnn")


def prepare(_method, graph, images, threads):
    """One module; the input is a variable that stays, the output one of each call."""
    with tempfile.TemporaryDirectory(prefix="maxpool-") as folder, quiet():
        manager = MNN.nn.create_runtime_manager(({"backend": "CPU", "precision": "high", "numThread": threads},))
        net = MNN.nn.load_module_from_file(convert(graph, pathlib.Path(folder)), ["x"], [graph.output],
                                           runtime_manager=manager)
        x = MNN.expr.const(images, list(images.shape), MNN.expr.NCHW)

    def read(y):
        y = MNN.expr.convert(y, MNN.expr.NCHW) if len(y.shape) == 4 else y
        return numpy.array(y.read(), numpy.float32)
    return lambda: net.forward([x])[0], read
