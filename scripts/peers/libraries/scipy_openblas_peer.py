"""OpenBLAS of today: the build that SciPy's wheels use (package scipy-openblas32), with threads of its own."""
import ctypes
import glob
import os

import numpy
import scipy_openblas32

PACKAGES = "scipy_openblas32"
METHODS = (
    ("matmul", "scipy-openblas", "sgemm of the OpenBLAS that SciPy's wheels use"),
)
LIMITS = {"avx2": {"OPENBLAS_CORETYPE": "Haswell"}, "avx512": {"OPENBLAS_CORETYPE": "SkylakeX"}}
PROCESSORS = {"avx2": ("Haswell", "Zen"), "avx512": ("SkylakeX", "Cooperlake", "SapphireRapids")}
"""Whose code keeps to a limit (peers/openblas.c)."""
ROW_MAJOR, AS_IT_IS = 101, 111


def library():
    """The package's shared library; its functions have the prefix scipy_."""
    return ctypes.CDLL(glob.glob(os.path.join(scipy_openblas32.get_lib_dir(), "libscipy_openblas.so*"))[0])


OPENBLAS = library()


def asked(what):
    """The text of a function without arguments."""
    function = getattr(OPENBLAS, "scipy_openblas_get_" + what)
    function.restype = ctypes.c_char_p
    return function().decode()


def version():
    """For the record's column isa: name, version and the processor whose code it chose."""
    return f"{' '.join(asked('config').split()[:2])} {asked('corename')}"


def keeps_limit(o, _run):
    """True if it chose code within the limit."""
    return asked("corename") in PROCESSORS[o.isa]


def prepare_product(_method, a, b, threads):
    """C = A B into an output that is allocated once."""
    OPENBLAS.scipy_openblas_set_num_threads(threads)
    c = numpy.zeros((a.shape[0], b.shape[1]), dtype=numpy.float32)
    sides = [ctypes.c_int(n) for n in (a.shape[0], b.shape[1], a.shape[1])]
    steps = [ctypes.c_int(m.shape[1]) for m in (a, b, c)]
    places = [m.ctypes.data_as(ctypes.c_void_p) for m in (a, b, c)]
    one, zero = ctypes.c_float(1), ctypes.c_float(0)

    def run():
        OPENBLAS.scipy_cblas_sgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, *sides, one, places[0], steps[0],
                                   places[1], steps[1], zero, places[2], steps[2])
    return run, lambda _: c
