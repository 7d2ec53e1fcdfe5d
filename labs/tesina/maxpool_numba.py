"""The loops of maxpool_python.py, compiled by Numba. The source of the functions is the same; only what executes
it differs. The arrays are described there.

`pool_windows` compiles the work inside a window and leaves the loop over windows to Python, so that every window costs
one call with three arguments. `compiled_pool` compiles all of it: one call per map.
"""
import numba
import numpy

from labs.tesina import maxpool_python

multiply = numba.njit(maxpool_python.multiply)
largest = numba.njit(maxpool_python.largest)


@numba.njit
def pool_window(window, matrix, product):
    """The output of one window."""
    multiply(window, matrix, product)
    return largest(product)


def pool_windows(image, matrix, stride, feature_map):
    """Takes the windows in the order of the outputs, one call each."""
    k = len(matrix)
    product = numpy.empty((k, k), numpy.float32)
    for place in numpy.ndindex(feature_map.shape):
        plane, top, left = place[0], place[1] * stride, place[2] * stride
        window = image[plane, top : top + k, left : left + k]
        feature_map[place] = pool_window(window, matrix, product)


def compiled_pool(parallel):
    """Returns the compiled loop over windows; if `parallel`, Numba divides the rows of all planes among its threads."""
    @numba.njit(parallel=parallel)
    def pool(image, matrix, stride, feature_map):
        k = len(matrix)
        planes, rows, cols = feature_map.shape
        for line in numba.prange(planes * rows):
            product = numpy.empty((k, k), numpy.float32)
            plane, row = line // rows, line % rows
            for col in range(cols):
                top, left = row * stride, col * stride
                window = image[plane, top : top + k, left : left + k]
                feature_map[plane, row, col] = pool_window(window, matrix, product)

    return pool
