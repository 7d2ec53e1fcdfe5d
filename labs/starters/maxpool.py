"""Max pooling by a product: for every window W of the image, the k x k matrix W * F, and of its k * k elements the
largest. F is the filter, a k x k matrix.

    study lab FILE          checks this function, then measures it

The arrays are numpy arrays of float32:

    image   planes x rows x cols, read only
    filter  k x k, read only
    map     planes x out_rows x out_cols, all of which you write, where
            out_rows = (rows + 2 * padding - k) // stride + 1, and out_cols likewise

The window of output (r, c) begins at row r * stride - padding and column c * stride - padding of the image. Elements
outside the image count as 0. At most `threads` threads may run at once. This first version uses one."""
import numpy


def maxpool(image, filter, map, planes, rows, cols, k, stride, padding, threads):
    padded = numpy.pad(image, ((0, 0), (padding, padding), (padding, padding)))
    for p in range(map.shape[0]):
        for r in range(map.shape[1]):
            for c in range(map.shape[2]):
                top, left = r * stride, c * stride
                window = padded[p, top : top + k, left : left + k]
                map[p, r, c] = (window @ filter).max()
