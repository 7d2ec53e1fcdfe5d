"""Convolution, compared with our method that stores no windows."""
from peers import ours, reference
from peers.elements import random_elements, random_operand
from peers.failure import USAGE, Failure
from peers.graph import INPUT, Graph
from peers.options import add_sizes, add_window, positive, settle_sizes
from peers.problem import Problem, sum_error, sums_are_exact

DESCRIPTION = "Times a library's convolution as the point programs time a method."
SHARED = ("rows", "cols", "batch", "channels", "filters", "groups", "kernel_size", "stride",
          "padding", "seed", "max_value")
WITHOUT = {"bias": "none", "activation": "none", "epilogue": "store", "residual": "none",
           "factor": "none", "gradient": "none"}
"""Epilogue and gradient: none here."""


def add_options(p):
    """The options of conv_serial that apply here."""
    add_sizes(p)
    add_window(p, 3)
    for name, usual in (("batch", 1), ("channels", 3), ("filters", 16), ("groups", 1)):
        p.add_argument("--" + name, type=positive, default=usual)
    p.add_argument("--weights", choices=["random"], default="random")
    for name, usual in WITHOUT.items():
        p.add_argument("--" + name, choices=[usual], default=usual)


def settle(o, p):
    """Derives options from others; our program refuses invalid ones."""
    settle_sizes(o, p)
    o.stride = o.stride or 1
    if o.channels % o.groups or o.filters % o.groups:
        raise Failure(USAGE, f"{o.groups} groups need channels and filters that they divide")
    if min(o.rows, o.cols) + 2 * o.padding < o.kernel_size:
        raise Failure(USAGE, "the window does not fit the padded image")


def make(o, library, scratch):
    """A graph of one node."""
    images = random_elements(o.seed, o.max_value, (o.batch, o.channels, o.rows, o.cols))
    shape = (o.filters, o.channels // o.groups, o.kernel_size, o.kernel_size)
    weights = random_operand(o.seed, shape)
    graph = Graph(images.shape)
    graph.add("conv", INPUT, weights=weights, kernel=o.kernel_size, stride=o.stride,
              padding=o.padding, groups=o.groups)
    run, read = library.prepare(o.method, graph, images, o.threads)
    rounded = o.verify != "none" and not sums_are_exact(weights[0].size, images, weights)
    return Problem({"planes": o.batch * o.channels, "rows": o.rows, "cols": o.cols,
                    "kernel": o.kernel_size, "stride": o.stride, "padding": o.padding,
                    "weights": "random", "batch": o.batch, "channels": o.channels,
                    "filters": o.filters, "groups": o.groups, **WITHOUT},
                   run, read, ours.result(o, "conv", SHARED, "implicit", scratch),
                   sum_error(weights[0].size, images, weights),
                   right=reference.compute(graph, images) if rounded else None)
