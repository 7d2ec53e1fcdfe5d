"""The tesina's first program: Python loops."""
import platform

from peers.failure import USAGE, Failure
from peers.windows import host_peer
from labs.tesina import maxpool_python

PACKAGES = ""
METHODS = (
    ("maxpool", "python", "the tesina's loops in plain Python, one element at a time", 0.3, 2.5e6),
)


def version():
    """For the record's column isa."""
    return "Python " + platform.python_version()


def prepare_windows(_method, image, matrix, stride, threads):
    """Python's loops use one thread only."""
    if threads > 1:
        raise Failure(USAGE, "--threads: Python's loops have one thread")
    return host_peer(maxpool_python.pool, image, matrix, stride)
