"""Max pooling as the tesina computes it: every window times the filter, then the largest product. Plain Python loops
over numpy arrays, one element at a time.

image: planes x rows x cols, padded already; matrix: k x k; feature_map: planes x out_rows x out_cols, written.
"""
import numpy


def multiply(window, matrix, product):
    """product = window times matrix, all k x k, as three loops."""
    k = len(matrix)
    for row in range(k):
        for col in range(k):
            total = numpy.float32(0)
            for term in range(k):
                total += window[row, term] * matrix[term, col]
            product[row, col] = total


def largest(product):
    """The largest element of a k x k matrix."""
    best = product[0, 0]
    for row in product:
        for value in row:
            if value > best:
                best = value
    return best


def pool(image, matrix, stride, feature_map):
    """Takes the windows in the order of the outputs."""
    k = len(matrix)
    product = numpy.empty((k, k), numpy.float32)
    planes, rows, cols = feature_map.shape
    for plane in range(planes):
        for row in range(rows):
            for col in range(cols):
                top, left = row * stride, col * stride
                window = image[plane, top : top + k, left : left + k]
                multiply(window, matrix, product)
                feature_map[plane, row, col] = largest(product)
