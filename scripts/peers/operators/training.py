"""Training steps of a network with our parameters and batches, compared with our losses."""
import csv

import numpy

from peers import network_file, ours, safetensors
from peers.failure import WRONG, Failure
from peers.options import natural, positive
from peers.problem import Problem

STEPS = 4
"""Number of steps that are compared with ours."""
ALLOWED = 2e-3
"""Relative to a loss: the effect of rounding after some steps of Adam, whose first steps divide a gradient by its own
magnitude, however small it is."""


def add_options(p):
    """The options of network_serial --task train that apply here."""
    p.add_argument("--data", metavar="NAME|FILE.npy", default="random")
    p.add_argument("--labels", metavar="FILE.npy", help="the targets of that file")
    p.add_argument("--optimizer", choices=["adam", "sgd"], default="adam")
    p.add_argument("--learning-rate", type=float, default=0.001)
    p.add_argument("--dropout", choices=["on", "off"], default="on",
                   help="of the steps that are clocked")
    p.add_argument("--steps", type=positive, help="the same as --samples")
    p.add_argument("--shards", type=natural, default=8, help="of ours; the library has none")


def asked(o):
    """The options for our program, so that it takes the same steps."""
    options = ["--network", o.network, "--task", "train", "--data", o.data, "--batch", o.batch,
               "--order", "given", "--dropout", "off", "--optimizer", o.optimizer, "--shards",
               o.shards, "--learning-rate", o.learning_rate, "--seed", o.seed, "--threads",
               o.threads]
    options += ["--labels", o.labels] if o.labels else []
    options += ["--image-size", o.image_size] if o.image_size else []
    return options + (["--weights", o.weights] if o.weights else [])


def network_of(o, scratch):
    """The network that our program trains; one step of it writes the graph and the data."""
    ours.run("network", [*asked(o), "--steps", 1, "--save-data", scratch / "data", "--graph",
                         scratch / "graph.json"], "none")
    return network_file.read(scratch / "graph.json")


def batches_of(o, shape, outputs, scratch):
    """The batches that our program trains with, in the given order. Only whole batches: our program also takes the
    remaining samples, but such a step would have another cost."""
    images = numpy.load(scratch / "data.images.npy").reshape(-1, *shape[1:])
    targets = numpy.load(scratch / "data.targets.npy")
    if outputs > 1:
        targets = targets.reshape(-1).astype(numpy.int64)
    return [(images[at:at + o.batch], targets[at:at + o.batch])
            for at in range(0, len(images) - o.batch + 1, o.batch)]


def our_losses(o, steps, scratch):
    """Our losses of `steps` steps without dropout, with samples in the given order."""
    ours.run("network", [*asked(o), "--steps", steps, "--record", scratch / "ours.csv"])
    with open(scratch / "ours.csv", encoding="utf-8") as file:
        return [float(row["loss"]) for row in csv.DictReader(file)]


def our_parameters(o, scratch):
    """The parameters that our program begins with."""
    if not o.weights:
        options = ["--network", o.network, "--seed", o.seed, "--save", scratch / "weights"]
        options += ["--image-size", o.image_size] if o.image_size else []
        ours.run("network", options)
    return safetensors.read(o.weights or scratch / "weights")


def compare(o, known, found):
    """Prints both losses of each step; raises a failure if they differ by too much. Written so that NaN fails."""
    if o.format == "text":
        print(f"{'step':>4}  {'ours':>12}  {o.library:>12}  {'apart':>9}")
        for step, (here, there) in enumerate(zip(known, found), 1):
            print(f"{step:4}  {here:12.7g}  {there:12.7g}  {abs(here - there) / abs(here):9.1e}")
    for step, (here, there) in enumerate(zip(known, found), 1):
        if not abs(here - there) <= ALLOWED * abs(here):
            raise Failure(WRONG, f"step {step}: its loss is {there:.7g}, ours {here:.7g}")


def steps_of(make, batches, drops):
    """A function that makes one step after the other; make(drops) resets the parameters."""
    step, at = make(drops), -1

    def run():
        nonlocal at
        at += 1
        return step(at % len(batches))
    return run


def make(o, library, scratch):
    """The problem, starting from our parameters."""
    network = network_of(o, scratch)
    graph = network_file.build(network, o.batch, our_parameters(o, scratch), training=True)
    shape = graph.shape
    batches = batches_of(o, shape, network["layers"][-1]["shape"][0], scratch)
    o.samples = o.steps or o.samples
    begin = library.prepare_training(o.method, graph, batches,
                                     (o.optimizer, o.learning_rate, o.seed), o.threads)
    if o.verify != "none":
        steps = min(STEPS, len(batches))
        run = steps_of(begin, batches, False)
        compare(o, our_losses(o, steps, scratch), [float(run()) for _ in range(steps)])
    lying = (1, *shape) if len(shape) == 2 else (shape[0] * shape[1], *shape[2:])
    return Problem({"planes": lying[0], "rows": lying[1], "cols": lying[2], "task": "train",
                    "network": o.network, "weights": o.weights or "seeded",
                    "batch": o.batch, "data": o.data, "optimizer": o.optimizer,
                    "learning_rate": f"{o.learning_rate:.9g}"},
                   steps_of(begin, batches, o.dropout == "on"), None,
                   verified="none" if o.verify == "none" else "bound",
                   columns_of=lambda loss: {"loss": f"{float(loss):.9g}"})
