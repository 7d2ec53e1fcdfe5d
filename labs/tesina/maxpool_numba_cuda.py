"""Max pooling with each window's product on a GPU by Numba, as the tesina offloads it: the window and the filter go to
the device, a kernel multiplies them with one thread per element of the product, the product is copied back, and the
host takes the largest element. The arrays are described in maxpool_python.py.
"""
import time

import numpy
from numba import cuda

BLOCK_SIDE = 32  # threads per side of a block (data/published/tesina.csv)


@cuda.jit
def multiply(window, matrix, product):
    """product = window times matrix, all k x k; each thread computes one element."""
    row, col = cuda.grid(2)
    k = matrix.shape[0]
    if row < k and col < k:
        total = numpy.float32(0)
        for term in range(k):
            total += window[row, term] * matrix[term, col]
        product[row, col] = total


def launch(window, matrix, product):
    """Launches enough blocks for a k x k product; returns when the device is done."""
    blocks = -(-len(matrix) // BLOCK_SIDE)
    multiply[(blocks, blocks), (BLOCK_SIDE, BLOCK_SIDE)](window, matrix, product)
    cuda.synchronize()


def pool(image, matrix, stride, feature_map):
    """Takes the windows in the order of the outputs. Returns the seconds to the device, for products, and back."""
    k = len(matrix)
    device_product = cuda.device_array((k, k), numpy.float32)
    seconds = numpy.zeros(3)
    for place in numpy.ndindex(feature_map.shape):
        plane, top, left = place[0], place[1] * stride, place[2] * stride
        begin = time.perf_counter()
        device_window = cuda.to_device(numpy.ascontiguousarray(image[plane, top : top + k, left : left + k]))
        device_matrix = cuda.to_device(matrix)
        sent = time.perf_counter()
        launch(device_window, device_matrix, device_product)
        multiplied = time.perf_counter()
        feature_map[place] = device_product.copy_to_host().max()
        seconds += (sent - begin, multiplied - sent, time.perf_counter() - multiplied)
    return seconds
