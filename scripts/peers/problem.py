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
    judged: str = "none"  # the verdict where nothing is known of each result
    columns_of: Callable = lambda result: {}  # a result's own
    argument_s: float = 0.0  # of each execution: a call that computes nothing
    facts: list = field(default_factory=list)  # lines of the summary


def verdict(problem, result):
    """The words of the record. Written so that NaN fails."""
    if problem.known is None:
        return problem.judged
    found = problem.read(result)
    if found.shape != problem.known.shape:
        return "wrong"
    if (found == problem.known).all():
        return "exact"
    off = numpy.abs(found.astype(numpy.float64) - problem.known)
    return "bound" if (off <= problem.allowed).all() else "wrong"


def sum_error(terms, *factors):
    """Most that two sums of so many products, none larger, may differ in float32: each is off by at
    most terms * 2^-24 of the sum of magnitudes. Higham, Accuracy and Stability of Numerical
    Algorithms, section 3.1."""
    magnitude = terms
    for values in factors:
        magnitude *= float(numpy.abs(values).max(initial=0))
    return 2 * terms * 2.0 ** -24 * magnitude
