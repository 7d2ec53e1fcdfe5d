"""Max pooling, held against numpy's maxima."""
import numpy

from peers.cells import random_cells
from peers.failure import USAGE, Failure
from peers.graph import INPUT, Graph
from peers.options import add_sizes, add_window, positive, settle_sizes
from peers.problem import Problem

DESCRIPTION = "Times a library's max pooling as the point programs time a method."


def add_options(p):
    """Those of maxpool_serial that have a meaning here."""
    add_sizes(p)
    add_window(p, 2)
    p.add_argument("--planes", type=positive, default=1, help="channels x batch")
    p.add_argument("--pad-mode", choices=["zero", "ignore"], default="zero")
    p.add_argument("--filter", choices=["identity"], default="identity")


def settle(o, p):
    """What follows from other options, and what no library does."""
    settle_sizes(o, p)
    o.stride = o.stride or o.kernel_size
    if o.padding > 0 and o.pad_mode == "zero":
        raise Failure(USAGE, "libraries leave padding out: give --pad-mode ignore")
    if 2 * o.padding > o.kernel_size:
        raise Failure(USAGE, "libraries pad by at most half of the kernel size")
    if min(o.rows, o.cols) + 2 * o.padding < o.kernel_size:
        raise Failure(USAGE, "the window does not fit the padded image")


def known_maxima(image, o):
    """The map by numpy, window cell by window cell; planes x out_rows x out_cols."""
    k, s, p = o.kernel_size, o.stride, o.padding
    padded = numpy.pad(image, ((0, 0), (p, p), (p, p)), constant_values=-numpy.inf)
    rows = (padded.shape[1] - k) // s + 1
    cols = (padded.shape[2] - k) // s + 1
    known = numpy.full((image.shape[0], rows, cols), -numpy.inf, dtype=numpy.float32)
    for i in range(k):
        for j in range(k):
            cells = padded[:, i : i + s * (rows - 1) + 1 : s, j : j + s * (cols - 1) + 1 : s]
            numpy.maximum(known, cells, out=known)
    return known


def make(o, library, _scratch):
    """All planes are channels of one image."""
    image = random_cells(o.seed, o.max_value, (o.planes, o.rows, o.cols))
    graph = Graph((1, *image.shape))
    graph.add("maxpool", INPUT, kernel=o.kernel_size, stride=o.stride, padding=o.padding)
    run, read = library.prepare(o.method, graph, image[None], o.threads)
    return Problem({"planes": o.planes, "rows": o.rows, "cols": o.cols, "kernel": o.kernel_size,
                    "stride": o.stride, "padding": o.padding, "pad_mode": o.pad_mode,
                    "filter": o.filter},
                   run, lambda y: read(y)[0],
                   None if o.verify == "none" else known_maxima(image, o))
