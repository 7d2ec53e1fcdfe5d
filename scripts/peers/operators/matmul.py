"""The matrix product, compared with `packed`."""
import numpy

from peers import ours
from peers.elements import random_elements, random_operand
from peers.options import add_sizes, settle_sizes
from peers.problem import Problem, sum_error, sums_are_exact

DESCRIPTION = "Times a library's matrix product as the point programs time a method."
SHARED = ("rows", "cols", "filter", "seed", "max_value")


def add_options(p):
    """The options of matmul_serial that apply here."""
    add_sizes(p)
    p.add_argument("--planes", type=int, choices=[1], default=1,
                   help="one: of batches, matmul_serial --method mkl")
    p.add_argument("--filter", choices=["identity", "random"], default="identity")
    p.add_argument("--filter-cols", type=int, default=0, help="columns of a random B (default: B is square)")


def settle(o, p):
    """Rows and columns, from either form of the options."""
    settle_sizes(o, p)


def make(o, library, scratch):
    """The image times B."""
    a = random_elements(o.seed, o.max_value, (o.rows, o.cols))
    b = (numpy.eye(o.cols, dtype=numpy.float32) if o.filter == "identity"
         else random_operand(o.seed, (o.cols, o.filter_cols or o.cols)))
    run, read = library.prepare_product(o.method, a, b, o.threads)
    rounded = o.verify != "none" and not sums_are_exact(o.cols, a, b)
    columns = {"planes": 1, "rows": o.rows, "cols": o.cols, "filter": o.filter}
    if o.filter_cols:
        columns["filter_cols"] = o.filter_cols
    names = (*SHARED, "filter_cols") if o.filter_cols else SHARED
    return Problem(columns, run, read, ours.result(o, "matmul", names, "packed", scratch),
                   sum_error(o.cols, a, b),
                   right=a.astype(numpy.float64) @ b if rounded else None)
