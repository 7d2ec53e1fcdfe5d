"""The tesina's third program: each window's product on a GPU by Numba, with each of its three kernels."""
import functools

import numba
import numpy
from numba import cuda

from peers.failure import UNAVAILABLE, USAGE, Failure
from peers.windows import WindowPeer, first_call, map_shape
from labs.tesina import maxpool_numba_cuda

PACKAGES = "numba"
METHODS = (
    ("maxpool", "matmul1", "matmul1 (naive) of the tesina by Numba: a thread for each element of a window's product"),
    ("maxpool", "matmul2", "matmul2 (loop) of the tesina by Numba: loops in steps of 1 from each thread's indices"),
    ("maxpool", "matmul3", "matmul3 (tiled) of the tesina by Numba: tiles of window and filter in shared memory"),
)


def version():
    """For the record's column isa; the simulator is named there, since it is no GPU."""
    return "Numba " + numba.__version__ + (" CUDA simulator" if numba.config.ENABLE_CUDASIM else " CUDA")


def check_device(recorded):
    """Requires a GPU. Numba's simulator computes on the CPU: it may be tried, but not recorded."""
    if numba.config.ENABLE_CUDASIM:
        if recorded:
            raise Failure(USAGE, "--record: NUMBA_ENABLE_CUDASIM is set, and a simulator's seconds are no GPU's")
    elif not cuda.is_available():
        raise Failure(UNAVAILABLE, "Numba finds no CUDA device")


def prepare_windows(method, image, matrix, stride, threads):
    """Compiled by its first call. The seconds of copies to the device, of products and of copies back are summed over
    the windows."""
    if threads > 1:
        raise Failure(USAGE, "--threads: one thread offloads the windows")
    feature_map = numpy.empty(map_shape(image, len(matrix), stride), numpy.float32)
    pool = functools.partial(maxpool_numba_cuda.pool, maxpool_numba_cuda.KERNELS[method])
    compile_s = first_call(pool, image, matrix, stride)

    def run():
        return feature_map, pool(image, matrix, stride, feature_map)

    names = ("distribute_s", "compute_s", "collect_s")
    return WindowPeer(run, read=lambda result: result[0], compile_s=compile_s,
                      phases=lambda result: {name: f"{s:.9f}" for name, s in zip(names, result[1])})
