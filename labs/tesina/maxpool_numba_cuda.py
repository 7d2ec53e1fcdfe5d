"""Max pooling with each window's product on a GPU by Numba, as the tesina offloads it: the window and the filter go to
the device, a kernel multiplies them, the product is copied back, and the host takes the largest element. The three
kernels are the tesina's, in its order. The arrays are described in maxpool_python.py.
"""
import time

import numpy
from numba import cuda, float32

BLOCK_SIDE = 32  # threads per side of a block (data/published/tesina.csv)


@cuda.jit
def matmul1(window, matrix, product):
    """matmul1 (naive): product = window times matrix, all k x k; each thread computes one element."""
    row, col = cuda.grid(2)
    k = matrix.shape[0]
    if row < k and col < k:
        total = numpy.float32(0)
        for term in range(k):
            total += window[row, term] * matrix[term, col]
        product[row, col] = total


@cuda.jit
def matmul2(window, matrix, product):
    """matmul2 (loop), as it is printed: each thread computes all elements from its own indices on, in steps of 1, so that
    most elements are computed by several threads. `loop` of maxpool_cuda steps by the width of the grid instead."""
    first_row, first_col = cuda.grid(2)
    k = matrix.shape[0]
    for row in range(first_row, k):
        for col in range(first_col, k):
            total = numpy.float32(0)
            for term in range(k):
                total += window[row, term] * matrix[term, col]
            product[row, col] = total


@cuda.jit
def matmul3(window, matrix, product):
    """matmul3 (tiled): a block loads tiles of window and matrix into shared memory, waits, multiplies, and waits again.
    Elements beyond the edges are zeros."""
    window_tile = cuda.shared.array((BLOCK_SIDE, BLOCK_SIDE), float32)
    matrix_tile = cuda.shared.array((BLOCK_SIDE, BLOCK_SIDE), float32)
    row, col = cuda.grid(2)
    tile_row, tile_col = cuda.threadIdx.x, cuda.threadIdx.y
    k = matrix.shape[0]
    total = numpy.float32(0)
    for first in range(0, k, BLOCK_SIDE):
        window_tile[tile_row, tile_col] = 0
        matrix_tile[tile_row, tile_col] = 0
        if row < k and first + tile_col < k:
            window_tile[tile_row, tile_col] = window[row, first + tile_col]
        if first + tile_row < k and col < k:
            matrix_tile[tile_row, tile_col] = matrix[first + tile_row, col]
        cuda.syncthreads()
        for term in range(BLOCK_SIDE):
            total += window_tile[tile_row, term] * matrix_tile[term, tile_col]
        cuda.syncthreads()
    if row < k and col < k:
        product[row, col] = total


KERNELS = {"matmul1": matmul1, "matmul2": matmul2, "matmul3": matmul3}


def launch(kernel, window, matrix, product):
    """Launches enough blocks for a k x k product; returns when the device is done."""
    blocks = -(-len(matrix) // BLOCK_SIDE)
    kernel[(blocks, blocks), (BLOCK_SIDE, BLOCK_SIDE)](window, matrix, product)
    cuda.synchronize()


def pool(kernel, image, matrix, stride, feature_map):
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
        launch(kernel, device_window, device_matrix, device_product)
        multiplied = time.perf_counter()
        feature_map[place] = device_product.copy_to_host().max()
        seconds += (sent - begin, multiplied - sent, time.perf_counter() - multiplied)
    return seconds
