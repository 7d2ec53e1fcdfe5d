"""MNN: a model that its converter makes from our weights, with precision high, which means f32; its normal precision
does not guarantee f32. It chooses Winograd tiles itself; their error is recorded."""
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
"""Factor by which errors may exceed those of plain sums, because the library chooses Winograd tiles itself."""


def version():
    """For the record's column isa."""
    return "MNN " + MNN.version()


def convert(graph, folder):
    """Calls mnnconvert as a function: the converter program would send a log away."""
    (folder / "model.onnx").write_bytes(onnx_bytes(graph))
    with quiet():
        _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", str(folder / "model.onnx"), "--MNNModel",
                           str(folder / "model.mnn"), "--bizCode", "maxpool"])
    if not (folder / "model.mnn").exists():
        raise Failure(USAGE, "MNN's converter refuses the model")
    return str(folder / "model.mnn")


def prepare(_method, graph, images, threads):
    """One module; the input is a permanent variable, the output is new for each call."""
    with tempfile.TemporaryDirectory(prefix="maxpool-") as folder, quiet():
        manager = MNN.nn.create_runtime_manager(({"backend": "CPU", "precision": "high", "numThread": threads},))
        net = MNN.nn.load_module_from_file(convert(graph, pathlib.Path(folder)), ["x"], [graph.output],
                                           runtime_manager=manager)
        x = MNN.expr.const(images, list(images.shape), MNN.expr.NCHW)

    def read(y):
        y = MNN.expr.convert(y, MNN.expr.NCHW) if len(y.shape) == 4 else y
        return numpy.array(y.read(), numpy.float32)
    return lambda: net.forward([x])[0], read
