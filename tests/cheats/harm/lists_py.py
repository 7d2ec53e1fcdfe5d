# expect: correct
# run: -n 32 -t 1 --check
# Python's list of system calls: it may list folders of the system, and do nothing that changes anything.
import os

import numpy


def refused(function, *arguments):
    try:
        function(*arguments)
    except OSError:
        return True
    return False


def maxpool(image, second, result, *integers):
    size, stride, padding = integers[3:6]
    image = numpy.pad(image, ((0, 0), (padding,) * 2, (padding,) * 2))
    for plane, row, col in numpy.ndindex(result.shape):
        top, left = row * stride, col * stride
        result[plane, row, col] = numpy.max(image[plane, top:top + size, left:left + size] @ second)
    listed = os.listdir("/usr") and os.path.isdir("/usr/lib")
    changed = [refused(os.mkdir, "made_by_kernel"), refused(os.open, "made_by_kernel", os.O_CREAT | os.O_WRONLY),
               refused(os.chmod, "/usr", 0o777), refused(os.symlink, "a", "b"), refused(os.pipe), refused(os.memfd_create, "m")]
    if not listed or not all(changed):
        raise ValueError(f"{listed} {changed}")
