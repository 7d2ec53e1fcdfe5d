"""The tesina's second program: the same loops, compiled by Numba."""
import numba

from peers.failure import USAGE, Failure
from peers.windows import first_call, host_peer
from labs.tesina import maxpool_numba

PACKAGES = "numba"
METHODS = (
    ("maxpool", "numba", "the tesina's loops, all of them compiled by Numba", 2, 1e9),
    ("maxpool", "numba-window", "the loop over windows in Python, each window compiled by Numba", 2, 2.5e6),
)


def version():
    """For the record's column isa."""
    return "Numba " + numba.__version__


def pool_of(method, threads):
    """The function of labs/tesina for this method."""
    if threads > numba.config.NUMBA_NUM_THREADS:
        raise Failure(USAGE, f"--threads: Numba has at most {numba.config.NUMBA_NUM_THREADS} here, not {threads} "
                      "(NUMBA_NUM_THREADS)")
    if method == "numba":
        numba.set_num_threads(threads)
        return maxpool_numba.compiled_pool(threads > 1)
    if threads > 1:
        raise Failure(USAGE, "--threads: numba-window has one thread, that of Python's loop")
    return maxpool_numba.pool_windows


def prepare_windows(method, image, matrix, stride, threads):
    """Compiled by its first call."""
    pool = pool_of(method, threads)
    compile_s = first_call(pool, image, matrix, stride)
    return host_peer(pool, image, matrix, stride, compile_s)
