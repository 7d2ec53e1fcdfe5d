"""The problem that an operator's module makes from the options, and the verdict on a result."""
from dataclasses import dataclass, field
from typing import Callable

import numpy


@dataclass
class Problem:
    """One point: its columns of the record, the library's call, and the expected result."""

    columns: dict
    run: Callable  # the timed call
    read: Callable  # converts its result to our layout
    known: object = None  # None: nothing is verified
    allowed: object = 0.0  # largest error of a value if float32 rounds; a number or an array
    verified: str = "none"  # the verdict if `known` is None
    columns_of: Callable = lambda result: {}  # columns that a result carries
    right: object = None  # in double precision, if `known` is rounded; may hold only the first images
    whole: bool = False  # a whole network: the errors of its layers are unknown
    argument_s: float = 0.0  # per execution: the cost of a call that computes nothing
    facts: list = field(default_factory=list)  # lines of the summary


def verdict(problem, result):
    """The verdict in the record's words. Written so that NaN fails."""
    if problem.known is None:
        return problem.verified
    found = problem.read(result)
    if found.shape != problem.known.shape:
        return "wrong"
    rounded = problem.whole or problem.right is not None  # then `known` is rounded too
    if not rounded and (found == problem.known).all():
        return "exact"
    off = numpy.abs(found.astype(numpy.float64) - problem.known)
    return "bound" if (off <= problem.allowed).all() else "wrong"


def ulp(values):
    """The distance between neighbouring float32 numbers at the root mean square of the values."""
    typical = numpy.sqrt(numpy.mean(numpy.square(values, dtype=numpy.float64)))
    return float(numpy.spacing(numpy.float32(min(typical, 1e38))))


def of_bound(off, allowed):
    """Each error divided by its allowed error; 0 for an error of 0."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return numpy.where(off == 0, 0.0, off / allowed)


def errors(problem, result, verified):
    """The errors of a result, in the record's columns (kernels/error_tally.h)."""
    if verified in ("none", "wrong") or problem.known is None:
        return {}
    if problem.whole and problem.right is None:
        return {}
    right = problem.known if problem.right is None else problem.right
    off = numpy.abs(problem.read(result)[:len(right)].astype(numpy.float64) - right)
    unit, squares = ulp(right), float(numpy.mean(off ** 2))
    if problem.whole:
        return {"error_network_ulps": f"{squares ** 0.5 / unit:.9g}"}
    relative = of_bound(off, problem.allowed)
    return {"error_bound_max": f"{relative.max():.9g}",
            "error_bound_rms": f"{numpy.mean(relative ** 2) ** 0.5:.9g}",
            "error_ulps_max": f"{off.max() / unit:.9g}", "error_ulps_rms": f"{squares ** 0.5 / unit:.9g}"}


def largest_sum(terms, *factors):
    """An upper bound of the sum of `terms` products' magnitudes."""
    for values in factors:
        terms *= float(numpy.abs(values).max(initial=0))
    return terms


def sums_are_exact(terms, *factors):
    """True if float32 holds all sums of `terms` products of integers exactly."""
    return largest_sum(terms, *factors) < 2 ** 24


def sum_error(terms, *factors):
    """The largest difference in float32 between two sums of `terms` products: each sum has an error of at most terms *
    2^-24 times the sum of magnitudes. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1."""
    return 2 * terms * 2.0 ** -24 * largest_sum(terms, *factors)
