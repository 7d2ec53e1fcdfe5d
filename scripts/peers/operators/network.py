"""Whole networks, of our parameters and images, compared with our outputs."""
import numpy

from peers import network_file, ours, reference, safetensors
from peers.elements import random_elements
from peers.operators import training
from peers.options import positive
from peers.problem import Problem

DESCRIPTION = "Times a library's inference or training of a network as network_serial times ours."
ALLOWED = 2e-5
"""Of the largest output: some twenty layers in float32, each rounding in an order of its own."""


def allowed(library, known):
    """Most that an output may be off. Libraries that transform tiles as large as 6 x 6 unasked show by how much that
    enlarges errors (MNN 3.6.1: 2.4e-5 of the largest output of a small ResNet-18); a wrong layer is off by far more."""
    return ALLOWED * getattr(library, "TRANSFORMED", 1) * float(numpy.abs(known).max())


def add_options(p):
    """Those of network_serial that have a meaning here."""
    p.add_argument("--network", required=True, help="its name; --list-networks of network_serial")
    p.add_argument("--image-size", type=positive)
    p.add_argument("--batch", type=positive, default=1)
    p.add_argument("--weights", metavar="FILE.safetensors", help="default: seeded")
    p.add_argument("--task", choices=["infer", "train"], default="infer")
    training.add_options(p)


def settle(_o, _p):
    """Our program refuses what it cannot be asked."""


def ask_ours(o, scratch, wanted):
    """Writes the network's graph; our parameters, where no file has them; and our outputs."""
    options = ["--network", o.network, "--batch", o.batch, "--seed", o.seed, "--max-value",
               o.max_value, "--graph", scratch / "graph.json"]
    options += ["--image-size", o.image_size] if o.image_size else []
    options += ["--weights", o.weights] if o.weights else ["--save", scratch / "weights"]
    ours.run("network", [*options, "-o", scratch / "outputs.npy"], "sampled" if wanted else "none")
    return numpy.load(scratch / "outputs.npy") if wanted else None


def right_outputs(network, tensors, images):
    """Of the first image if nothing were rounded; None where that would take long."""
    if reference.multiply_adds(network) > reference.MOST_MULTIPLY_ADDS:
        return None
    return reference.compute(network_file.build(network, 1, tensors, rounded=False), images[:1])


def make(o, library, scratch):
    """The graph of all its layers."""
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
