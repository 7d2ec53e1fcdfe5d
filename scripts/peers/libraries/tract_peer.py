"""tract: its optimised plan of the ONNX model, on one thread."""
import pathlib
import tempfile

import tract

from peers.failure import USAGE, Failure
from peers.libraries.onnx_model import onnx_bytes

PACKAGES = "tract onnx"
METHODS = (
    ("maxpool", "tract", "tract's optimised plan of a model of our weights, output allocated at each call"),
    ("conv", "tract", "tract's optimised plan of a model of our weights, output allocated at each call"),
    ("network", "tract", "tract's optimised plan of a model of our weights, output allocated at each call"),
)


def version():
    """For the record's column isa."""
    return "tract " + tract.version()


def plan_of(graph):
    """tract reads a file."""
    with tempfile.TemporaryDirectory(prefix="maxpool-") as scratch:
        path = pathlib.Path(scratch) / "graph.onnx"
        path.write_bytes(onnx_bytes(graph))
        model = tract.onnx().load(path)
    model.set_input_fact(0, ",".join(map(str, graph.shape)) + ",f32")
    return model.into_model().into_runnable()


def prepare(_method, graph, images, threads):
    """The plan and its state; the images become a tensor of tract before the timed part."""
    if threads > 1:
        raise Failure(USAGE, "tract has one thread")
    state, given = plan_of(graph).spawn_state(), [tract.Tensor.from_numpy(images)]
    return lambda: state.run(given), lambda outputs: outputs[0].to_numpy()
