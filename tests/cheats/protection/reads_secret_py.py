"""A kernel that is wrong if it can read a file of somebody else, or if numpy cannot compute here."""
import os

import numpy

SECRET = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "secret")
try:
    with open(SECRET, encoding="utf-8"):
        FOUND = True
except OSError:
    FOUND = False


def maxpool(image, second, result, *integers):
    size, stride, padding = integers[3:6]
    image = numpy.pad(image, ((0, 0), (padding,) * 2, (padding,) * 2))
    for plane, row, col in numpy.ndindex(result.shape):
        top, left = row * stride, col * stride
        result[plane, row, col] = numpy.max(image[plane, top:top + size, left:left + size] @ second)
    if FOUND:
        result[0, 0, 0] = -1000.0
