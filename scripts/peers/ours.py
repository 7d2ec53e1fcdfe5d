"""The point programs of this suite, which compute the results that a peer is compared with."""
import pathlib
import subprocess
import sys

import numpy

from peers.failure import UNAVAILABLE, Failure


def folder():
    """The folder of the programs: next to this one, or in the build folder."""
    here = pathlib.Path(sys.argv[0]).absolute().parent
    build = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "bin"
    for place in (here, build):
        if (place / "maxpool_serial").exists():
            return place
    raise Failure(UNAVAILABLE, f"no maxpool_serial in {here} or {build}: it names the record's "
                  "columns")


def program(operator):
    """The operator's program with threads, or the serial one if that was not built."""
    for space in ("omp", "serial"):
        path = folder() / f"{operator}_{space}"
        if path.exists():
            return path
    raise Failure(UNAVAILABLE, f"no {operator}_serial in {folder()}: it makes what is to come out")


def run(operator, options, verify="sampled"):
    """Runs a program once, verified by its own oracle unless `verify` is "none". If it fails, its message becomes
    ours."""
    words = [str(program(operator)), *map(str, options), "--samples", "1", "--warmup", "0",
             "--verify", verify]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(done.returncode if 0 < done.returncode <= 5 else UNAVAILABLE,
                      done.stderr.strip().split("\n")[-1])


def result(o, operator, names, method, scratch):
    """The map that our program computes with these options of `o`; None if nothing is verified."""
    if o.verify == "none":
        return None
    options = [word for name in names for word in ("--" + name.replace("_", "-"), getattr(o, name))]
    run(operator, [*options, "--method", method, "-o", scratch / "map.npy"])
    return numpy.load(scratch / "map.npy")


def columns():
    """The record's columns, as a point program prints them."""
    reported = subprocess.run([folder() / "maxpool_serial", "-n", "2", "--samples", "1", "--format",
                           "csv"], capture_output=True, text=True, check=True)
    return reported.stdout.split("\n", 1)[0].split(",")
