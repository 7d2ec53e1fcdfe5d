"""Whole networks with our parameters and images, compared with our outputs."""
import numpy

from peers import network_file, ours, reference, safetensors
from peers.elements import random_elements
from peers.operators import training
from peers.options import positive
from peers.problem import Problem

DESCRIPTION = "Times a library's inference or training of a network as network_serial times ours."
ALLOWED = 2e-5
"""Relative to the largest output: some twenty layers in float32, each summed in another order."""


def allowed(library, known):
    """The largest allowed error of an output. Libraries that choose tiles of up to 6 x 6 themselves declare by what
    factor that increases errors (MNN 3.6.1: 2.4e-5 of the largest output of a small ResNet-18); the error of a wrong
    layer is far larger."""
    return ALLOWED * getattr(library, "TRANSFORMED", 1) * float(numpy.abs(known).max())


def add_options(p):
    """The options of network_serial that apply here."""
    p.add_argument("--network", required=True, help="its name; --list-networks of network_serial")
    p.add_argument("--image-size", type=positive)
    p.add_argument("--batch", type=positive, default=1)
    p.add_argument("--weights", metavar="FILE.safetensors", help="default: seeded")
    p.add_argument("--task", choices=["infer", "train"], default="infer")
    training.add_options(p)


def settle(_o, _p):
    """Nothing to derive: our program refuses invalid options."""


def ask_ours(o, scratch, wanted):
    """Writes the network's graph, our parameters unless a file has them, and our outputs."""
    options = ["--network", o.network, "--batch", o.batch, "--seed", o.seed, "--max-value",
               o.max_value, "--graph", scratch / "graph.json"]
    options += ["--image-size", o.image_size] if o.image_size else []
    options += ["--weights", o.weights] if o.weights else ["--save", scratch / "weights"]
    ours.run("network", [*options, "-o", scratch / "outputs.npy"], "sampled" if wanted else "none")
    return numpy.load(scratch / "outputs.npy") if wanted else None


def right_outputs(network, tensors, images):
    """The outputs of the first image without rounding; None if that would take long."""
    if reference.multiply_adds(network) > reference.MOST_MULTIPLY_ADDS:
        return None
    return reference.compute(network_file.build(network, 1, tensors, rounded=False), images[:1])


def make(o, library, scratch):
    """The graph of all layers."""
    if o.task == "train":
        return training.make(o, library, scratch)
    known = ask_ours(o, scratch, o.verify != "none")
    network = network_file.read(scratch / "graph.json")
    tensors = safetensors.read(o.weights or scratch / "weights")
    graph = network_file.build(network, o.batch, tensors)
    shape = graph.shape
    images = random_elements(o.seed, o.max_value, shape)
    run, read = library.prepare(o.method, graph, images, o.threads)
    lying = (1, *shape) if len(shape) == 2 else (shape[0] * shape[1], *shape[2:])
    return Problem({"planes": lying[0], "rows": lying[1], "cols": lying[2], "task": "infer",
                    "network": o.network, "weights": o.weights or "seeded",
                    "batch": o.batch},
                   run, read, known,
                   0.0 if known is None else allowed(library, known),
                   right=None if known is None else right_outputs(network, tensors, images), whole=True)
