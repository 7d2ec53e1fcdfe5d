"""Distances between all points, compared with our method that uses differences."""
import numpy

from peers import ours
from peers.elements import random_elements, random_operand
from peers.options import positive
from peers.problem import Problem, sum_error

DESCRIPTION = "Times a library's pairwise distances as the point programs time a method."
SHARED = ("rows", "cols", "against", "seed", "max_value")


def add_options(p):
    """The options of distances_serial that apply here."""
    p.add_argument("-n", "--size", type=positive, help="points")
    p.add_argument("-R", "--rows", type=positive, help="the same")
    p.add_argument("-C", "--cols", type=positive, help="coordinates of each")
    p.add_argument("--dimensions", type=positive, help="the same")
    p.add_argument("--against", choices=["itself", "random"], default="itself")


def settle(o, p):
    """Points and coordinates, from either form of the options."""
    o.rows = o.rows or o.size or 1024
    o.cols = o.cols or o.dimensions or o.rows
    if o.size and o.size != o.rows:
        p.error("--size and --rows ask for the same")


def right_distances(x, y):
    """Distances in double precision, in which the squares of integers are exact."""
    left, other = x.astype(numpy.float64), y.astype(numpy.float64)
    squares = (left ** 2).sum(1)[:, None] + (other ** 2).sum(1) - 2 * (left @ other.T)
    return numpy.sqrt(squares)


def make(o, library, scratch):
    """Libraries that multiply the points have errors of these products' sums, and near 0 the root of such an error
    appears in a distance."""
    x = random_elements(o.seed, o.max_value, (o.rows, o.cols))
    y = x if o.against == "itself" else random_operand(o.seed, x.shape)
    run, read = library.prepare_distances(o.method, x, y, o.threads)
    known = ours.result(o, "distances", SHARED, "blocked", scratch)
    off = 2 * (sum_error(o.cols, x, x) + sum_error(o.cols, y, y))
    allowed = off if known is None else off / numpy.sqrt(
        numpy.maximum(known.astype(numpy.float64) ** 2, off))
    return Problem({"planes": 1, "rows": o.rows, "cols": o.cols, "against": o.against}, run, read,
                   known, allowed, right=None if known is None else right_distances(x, y))
