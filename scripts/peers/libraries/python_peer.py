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
    """As the record's isa has it."""
    return "Python " + platform.python_version()


def prepare_windows(_method, image, matrix, stride, threads):
    """One thread is all that Python's loops have."""
    if threads > 1:
        raise Failure(USAGE, "--threads: Python's loops have one thread")
    return host_peer(maxpool_python.pool, image, matrix, stride)
