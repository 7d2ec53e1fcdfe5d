"""oneMKL's sgemm, from the first library found: MAXPOOL_MKL, this Python's own (package mkl), the system's."""
import ctypes
import ctypes.util
import glob
import os
import sys

import numpy

PACKAGES = ""
METHODS = (
    ("matmul", "mkl", "oneMKL's sgemm"),
)
ROW_MAJOR, AS_IT_IS = 101, 111


def library():
    """libmkl_rt, and the OpenMP library with it."""
    own = sorted(glob.glob(os.path.join(sys.prefix, "lib", "libmkl_rt.so*")))
    path = os.environ.get("MAXPOOL_MKL") or (own[-1] if own else ctypes.util.find_library("mkl_rt"))
    if not path:
        raise ImportError("no libmkl_rt (package mkl, or MAXPOOL_MKL names it)")
    for runtime in glob.glob(os.path.join(os.path.dirname(path), "libiomp5.so*")):
        ctypes.CDLL(runtime, ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(path, ctypes.RTLD_GLOBAL)


MKL = library()


def version():
    """For the record's column isa."""
    text = ctypes.create_string_buffer(198)
    MKL.MKL_Get_Version_String(text, len(text))
    words = text.value.decode().split("Version")
    return "oneMKL " + words[-1].strip().split("-")[0]


def prepare_product(_method, a, b, threads):
    """C = A B into an output that is allocated once."""
    MKL.MKL_Set_Num_Threads(threads)
    c = numpy.zeros((a.shape[0], b.shape[1]), dtype=numpy.float32)
    sides = [ctypes.c_int(n) for n in (a.shape[0], b.shape[1], a.shape[1])]
    steps = [ctypes.c_int(m.shape[1]) for m in (a, b, c)]
    places = [m.ctypes.data_as(ctypes.c_void_p) for m in (a, b, c)]
    one, zero = ctypes.c_float(1), ctypes.c_float(0)

    def run():
        MKL.cblas_sgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, *sides, one, places[0], steps[0],
                        places[1], steps[1], zero, places[2], steps[2])
    return run, lambda _: c
