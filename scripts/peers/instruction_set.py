"""--isa: limits a library to an instruction set, and shows that it keeps to it. A library that can be limited has
LIMITS, the environment variables of each limit, which are set before it is loaded, and keeps_limit(options, run), which
finds out what code it chose for the timed call. One that has neither takes no limit."""
import os
import pathlib
import platform

from peers import libraries
from peers.failure import UNAVAILABLE, USAGE, Failure

NEEDS = {"baseline": (), "avx2": ("avx2", "fma", "bmi2"),
         "avx512": ("avx2", "fma", "bmi2", "avx512f", "avx512vl", "avx512bw", "avx512dq")}
"""The processor's features of each set (kernels/isa.c)."""
WHY = {"avx2": "this processor has no AVX2 with FMA and BMI2", "avx512": "this processor has no AVX-512 (F, VL, BW, DQ)"}
CPUINFO = pathlib.Path("/proc/cpuinfo")


def features():
    """What the first processor has, as the system names it."""
    if platform.machine() not in ("x86_64", "AMD64") or not CPUINFO.exists():
        return set()
    lines = (line.partition(":") for line in CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines())
    return next((set(words.split()) for name, _, words in lines if name.strip() == "flags"), set())


def missing(isa):
    """Why this processor cannot execute the set, or None."""
    return None if features().issuperset(NEEDS[isa]) else WHY[isa]


def limit(o):
    """Before the library is loaded: refuses a limit that it does not take, and requests it."""
    if not o.isa:
        return
    limits = libraries.constant(o.library, "LIMITS", None)
    if limits is None:
        raise Failure(USAGE, f"--isa: the library of {o.library} chooses its code by itself")
    lacking = missing(o.isa)
    if lacking:
        raise Failure(UNAVAILABLE, f"--isa {o.isa}: {lacking}")
    if o.isa not in limits:
        raise not_kept(o)
    for name, value in limits[o.isa].items():
        os.environ.setdefault(name, value)


def not_kept(o):
    """The failure of a library that does not keep to the limit."""
    return Failure(UNAVAILABLE, f"--isa {o.isa}: the library of {o.method or o.library} does not keep to it")


def check(o, library, run):
    """After the library has prepared its call: refuses it unless it keeps to the limit."""
    if o.isa and not library.keeps_limit(o, run):
        raise not_kept(o)
