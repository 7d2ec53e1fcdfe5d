"""What an operator's module makes of the options, and the verdict over a result."""
from dataclasses import dataclass, field
from typing import Callable

import numpy


@dataclass
class Problem:
    """One point: its columns of the record, the library's call, and what is to come out."""

    columns: dict
    run: Callable  # what the clock is around
    read: Callable  # brings what it returned into our layout
    known: object = None  # None: nothing is verified
    allowed: object = 0.0  # most that a value may be off where float32 rounds; or of each
    verified: str = "none"  # the verdict where nothing is known of each result
    columns_of: Callable = lambda result: {}  # a result's own
    right: object = None  # in double precision, where what is known is rounded; of a batch perhaps its first images
    whole: bool = False  # a whole network: errors of its layers are not known
    argument_s: float = 0.0  # of each execution: a call that computes nothing
    facts: list = field(default_factory=list)  # lines of the summary


def verdict(problem, result):
    """The words of the record. Written so that NaN fails."""
    if problem.known is None:
        return problem.verified
    found = problem.read(result)
    if found.shape != problem.known.shape:
        return "wrong"
    rounded = problem.whole or problem.right is not None  # what is known too
    if not rounded and (found == problem.known).all():
        return "exact"
    off = numpy.abs(found.astype(numpy.float64) - problem.known)
    return "bound" if (off <= problem.allowed).all() else "wrong"


def ulp(values):
    """The distance of neighbouring float32 numbers at their root mean square."""
    typical = numpy.sqrt(numpy.mean(numpy.square(values, dtype=numpy.float64)))
    return float(numpy.spacing(numpy.float32(min(typical, 1e38))))


def of_bound(off, allowed):
    """Each error over what is allowed of it; none of nothing is none."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return numpy.where(off == 0, 0.0, off / allowed)


def errors(problem, result, verified):
    """How far a result is from what is right, as the record has it (kernels/error_tally.h)."""
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
    """Of the magnitudes of so many products, none of them larger."""
    for values in factors:
        terms *= float(numpy.abs(values).max(initial=0))
    return terms


def sums_are_exact(terms, *factors):
    """Whether float32 holds all sums of so many products of whole numbers."""
    return largest_sum(terms, *factors) < 2 ** 24


def sum_error(terms, *factors):
    """Most that two sums of so many products, none larger, may differ in float32: each is off by at
    most terms * 2^-24 of the sum of magnitudes. Higham, Accuracy and Stability of Numerical
    Algorithms, section 3.1."""
    return 2 * terms * 2.0 ** -24 * largest_sum(terms, *factors)
