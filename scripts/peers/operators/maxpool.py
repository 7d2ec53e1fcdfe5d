"""Max pooling. Libraries only take the maximum and are compared with numpy's maxima; programs that multiply every
window by a filter (labs/tesina) are compared with ours."""
import numpy

from peers import libraries, ours, windows
from peers.elements import random_elements, random_operand
from peers.failure import USAGE, Failure
from peers.graph import INPUT, Graph
from peers.options import add_sizes, add_window, positive, settle_sizes
from peers.problem import Problem, sum_error

DESCRIPTION = "Times a library's max pooling as the point programs time a method."
SHARED = ("planes", "rows", "cols", "kernel_size", "stride", "padding", "filter", "seed", "max_value")


def add_options(p):
    """The options of maxpool_serial that apply here."""
    add_sizes(p)
    add_window(p, 2)
    p.add_argument("--planes", type=positive, default=1, help="channels x batch")
    p.add_argument("--pad-mode", choices=["zero", "ignore"], default="zero")
    p.add_argument("--filter", choices=["identity", "random"], default="identity",
                   help="random: of programs that multiply windows")


def settle_library(o):
    """Refuses what no library computes."""
    if o.filter != "identity":
        raise Failure(USAGE, f"--filter {o.filter}: libraries take the maximum alone, which is pooling by the identity")
    if o.padding > 0 and o.pad_mode == "zero":
        raise Failure(USAGE, "libraries leave padding out: give --pad-mode ignore")
    if 2 * o.padding > o.kernel_size:
        raise Failure(USAGE, "libraries pad by at most half of the kernel size")


def settle(o, p):
    """Derives options from others, and refuses impossible ones."""
    settle_sizes(o, p)
    o.stride = o.stride or o.kernel_size
    if not libraries.takes_windows(o.library):
        settle_library(o)
    elif o.pad_mode == "ignore":
        raise Failure(USAGE, "--pad-mode ignore: the tesina's programs pad with zeros that take part")
    if min(o.rows, o.cols) + 2 * o.padding < o.kernel_size:
        raise Failure(USAGE, "the window does not fit the padded image")


def known_maxima(image, o):
    """The map by numpy, one element of all windows at a time; planes x out_rows x out_cols."""
    k, s, p = o.kernel_size, o.stride, o.padding
    padded = numpy.pad(image, ((0, 0), (p, p), (p, p)), constant_values=-numpy.inf)
    rows = (padded.shape[1] - k) // s + 1
    cols = (padded.shape[2] - k) // s + 1
    known = numpy.full((image.shape[0], rows, cols), -numpy.inf, dtype=numpy.float32)
    for i in range(k):
        for j in range(k):
            elements = padded[:, i : i + s * (rows - 1) + 1 : s, j : j + s * (cols - 1) + 1 : s]
            numpy.maximum(known, elements, out=known)
    return known


def columns(o):
    """The point's columns of the record."""
    return {"planes": o.planes, "rows": o.rows, "cols": o.cols, "kernel": o.kernel_size,
            "stride": o.stride, "padding": o.padding, "pad_mode": o.pad_mode, "filter": o.filter}


def make_library(o, library, image):
    """All planes become channels of one image."""
    graph = Graph((1, *image.shape))
    graph.add("maxpool", INPUT, kernel=o.kernel_size, stride=o.stride, padding=o.padding)
    run, read = library.prepare(o.method, graph, image[None], o.threads)
    return Problem(columns(o), run, lambda y: read(y)[0],
                   None if o.verify == "none" else known_maxima(image, o))


def parts(start_up_s, peer):
    """The parts of the time until the first answer, besides the windows."""
    words = [f"start-up {start_up_s:.2f} s (interpreter, imports, arrays)"]
    words += [f"compiled in {peer.compile_s:.3f} s"] if peer.compile_s > 0 else []
    words += [f"a call without windows {peer.argument_s * 1e6:.3g} us"] if peer.argument_s > 0 else []
    return [", ".join(words)]


def make_windows(o, library, image, scratch):
    """A program that multiplies each window by the filter. Its set-up time begins with the process and excludes
    Numba's compilation, which counts as the first launch."""
    if hasattr(library, "check_device"):
        library.check_device(o.record)
    k = o.kernel_size
    matrix = numpy.eye(k, dtype=numpy.float32) if o.filter == "identity" else random_operand(o.seed, (k, k))
    image = windows.padded(image, o.padding)
    start_up_s = windows.process_age()
    peer = library.prepare_windows(o.method, image, matrix, o.stride, o.threads)
    known = ours.result(o, "maxpool", SHARED, "fused", scratch)
    times = {"setup_s": f"{start_up_s:.9f}", "first_launch_s": f"{peer.compile_s:.9f}"}
    return Problem({**columns(o), **times}, peer.run, lambda y: peer.read(y).reshape(o.planes, -1),
                   None if known is None else known.reshape(o.planes, -1), sum_error(k, image, matrix),
                   columns_of=peer.phases, argument_s=peer.argument_s, facts=parts(start_up_s, peer))


def make(o, library, scratch):
    """The random image, pooled by a library or by a program of labs/tesina."""
    image = random_elements(o.seed, o.max_value, (o.planes, o.rows, o.cols))
    if libraries.takes_windows(o.library):
        return make_windows(o, library, image, scratch)
    return make_library(o, library, image)
