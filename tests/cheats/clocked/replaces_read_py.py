# expect: crashed|wrong
# run: -n 64 -t 1 --samples 6 --against literal
# Replaces the function by which its worker reads orders, to compute outside the clock.
# Written when `study lab` was attacked as an enemy of a grader would.
import os

import numpy

true_read, job = os.read, []


def compute(image, second, result, stride):
    rows, cols = result.shape[1:]
    size = second.shape[0]
    for row in range(rows):
        for col in range(cols):
            window = image[0, row * stride:row * stride + size, col * stride:col * stride + size]
            result[0, row, col] = numpy.max(window @ second)


def read(descriptor, count):
    order = true_read(descriptor, count)
    if job:
        compute(*job[0])
    return order


os.read = read


def maxpool(image, second, result, *integers):
    if integers[1] == 64:
        job[:] = [(image, second, result, integers[4])]
    else:
        image = numpy.pad(image, ((0, 0), (integers[5],) * 2, (integers[5],) * 2))
        for plane in range(integers[0]):
            compute(image[plane:plane + 1], second, result[plane:plane + 1], integers[4])
