"""A peer that computes one window at a time (labs/tesina): any filter, padding with zeros, and its seconds by
phase."""
import pathlib
import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import Callable

import numpy

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))  # labs is next to scripts

CALLS = 200
"""Number of calls with an empty map, whose median is the cost of a call that computes nothing."""


@dataclass
class WindowPeer:
    """A compiled program on the given arrays."""

    run: Callable  # fills the map; returns it, with its seconds if `phases` reads them
    read: Callable = lambda result: result
    compile_s: float = 0.0  # once per process, before the first execution
    argument_s: float = 0.0  # per call: the work of Python and Numba before the first window
    phases: Callable = lambda result: {}  # columns of the record that a result carries
    facts: list = field(default_factory=list)


def process_age():
    """Seconds since this process began: the interpreter's start and all imports, to a hundredth."""
    try:
        ticks = int(pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        up = float(pathlib.Path("/proc/uptime").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 0.0
    return max(0.0, up - ticks / 100)


def padded(image, padding):
    """planes x rows x cols with zeros around each plane."""
    p = padding
    return numpy.ascontiguousarray(numpy.pad(image, ((0, 0), (p, p), (p, p))))


def map_shape(image, kernel, stride):
    """planes x out_rows x out_cols for an image that is already padded."""
    planes, rows, cols = image.shape
    return planes, (rows - kernel) // stride + 1, (cols - kernel) // stride + 1


def first_call(pool, image, matrix, stride):
    """Seconds of a call for one output, during which Numba compiles."""
    begin = time.perf_counter()
    pool(image, matrix, stride, numpy.empty((1, 1, 1), numpy.float32))
    return time.perf_counter() - begin


def call_cost(pool, image, matrix, stride):
    """The median seconds of a call whose map has no output."""
    nothing = numpy.empty((image.shape[0], 0, 0), numpy.float32)
    seconds = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        pool(image, matrix, stride, nothing)
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def host_peer(pool, image, matrix, stride, compile_s=0.0):
    """`pool` of labs/tesina on arrays in the memory of this process."""
    feature_map = numpy.empty(map_shape(image, len(matrix), stride), numpy.float32)

    def run():
        pool(image, matrix, stride, feature_map)
        return feature_map

    return WindowPeer(run, compile_s=compile_s, argument_s=call_cost(pool, image, matrix, stride))
