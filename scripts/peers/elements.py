"""The random images and operands of the point programs, computed on arrays."""
import numpy

OPERAND_STREAM = 0x46494C544552
"""Separates an operand's random stream from the image's (harness/space/operand.c)."""


def mix(z):
    """The bijection digest_mix of harness/base/digest.h, on arrays of 64-bit words."""
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return z ^ (z >> numpy.uint64(31))


def random_elements(seed, max_value, shape):
    """Integers 0 .. max_value, each a function of seed and index, as a float32 array of that shape."""
    golden = numpy.uint64(0x9E3779B97F4A7C15)
    elements = int(numpy.prod(shape, dtype=numpy.int64))
    values = numpy.empty(elements, dtype=numpy.float32)
    with numpy.errstate(over="ignore"):
        start = mix(numpy.array([seed], dtype=numpy.uint64) + golden)
        for first in range(0, elements, 1 << 20):
            last = min(elements, first + (1 << 20))
            index = numpy.arange(first, last, dtype=numpy.uint64)
            word = mix(start + index * golden) >> numpy.uint64(32)
            values[first:last] = (word * numpy.uint64(max_value + 1)) >> numpy.uint64(32)
    return values.reshape(shape)


def random_operand(seed, shape):
    """Integers -9 .. 9 from the operand's own stream."""
    return random_elements(seed ^ OPERAND_STREAM, 18, shape) - numpy.float32(9)
