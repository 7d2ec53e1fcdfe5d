#!/usr/bin/env python3
"""Times PyTorch's max_pool2d as the point programs time a method, so that a study can hold one
against the other: same options, same image, same columns, every result verified.

    build/bin/maxpool_pytorch -n 4096 -k 3 -s 1 --threads 1 --record pytorch.csv
    build/bin/study import pytorch.csv

In a definition `programs = maxpool_pytorch` lets study launch it among the others of a round.
Needs a Python that has torch and numpy (Debian: python3-torch); without them it ends with status 3.

What is timed is torch.nn.functional.max_pool2d on a float32 tensor of 1 x planes x rows x cols, in
inference mode, output allocated by PyTorch as it always is; freed memory stays with the process.
Padding never wins there, so with padding it needs --pad-mode ignore.
"""
import argparse
import csv
import ctypes
import fcntl
import io
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

try:
    import numpy
    import torch
except ImportError as error:
    LACKING = str(error)
else:
    LACKING = None

WRONG, USAGE, UNAVAILABLE, RESOURCE, OUTPUT = 1, 2, 3, 4, 5
METHOD = "pytorch"
"""Its name, in the record and in the table of peers."""


class Failure(Exception):
    """Ends the program: exit status and one line for standard error."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def parse(arguments):
    """The options of the point programs that have a meaning here."""
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], allow_abbrev=False)
    p.add_argument("-n", "--size", type=int, help="rows and columns of the image")
    p.add_argument("-R", "--rows", type=int)
    p.add_argument("-C", "--cols", type=int)
    p.add_argument("--planes", type=int, default=1, help="channels x batch")
    p.add_argument("-k", "--kernel-size", type=int, default=2)
    p.add_argument("-s", "--stride", type=int, help="default: the kernel size")
    p.add_argument("-p", "--padding", type=int, default=0)
    p.add_argument("--pad-mode", choices=["zero", "ignore"], default="zero")
    p.add_argument("--filter", choices=["identity"], default="identity")
    p.add_argument("--seed", type=int, default=35)
    p.add_argument("--max-value", type=int, default=9)
    p.add_argument("--method", choices=[METHOD], default=METHOD)
    p.add_argument("--list-methods", nargs="?", const="", choices=["", "all"])
    p.add_argument("-t", "--threads", type=int, default=1)
    p.add_argument("--warmup", type=int, default=1)
    p.add_argument("--samples", type=int, default=100)
    p.add_argument("--relative-ci", type=float, default=0.02)
    p.add_argument("--max-seconds", type=float, default=10.0)
    p.add_argument("--verify", choices=["full", "sampled", "none"], default="full",
                   help="sampled is taken as full")
    p.add_argument("--record", metavar="FILE.csv", help="appended to; default: standard output")
    p.add_argument("--experiment", default="")
    p.add_argument("--round", type=int, default=0)
    o = p.parse_args(arguments)
    if o.size is None and o.rows is None and o.cols is None:
        o.size = 1024
    o.rows = o.rows if o.rows is not None else o.size
    o.cols = o.cols if o.cols is not None else o.size
    o.stride = o.stride if o.stride is not None else o.kernel_size
    return o


def check(o):
    """Refuses what PyTorch does not do, before any time is spent."""
    if o.rows is None or o.cols is None:
        raise Failure(USAGE, "--rows and --cols go together")
    if min(o.planes, o.rows, o.cols, o.kernel_size, o.stride, o.threads, o.samples) < 1:
        raise Failure(USAGE, "sizes, kernel size, stride, threads and samples must be at least 1")
    if o.padding < 0 or o.warmup < 0 or not 0 <= o.max_value <= 1 << 24:
        raise Failure(USAGE, "padding and warm-ups must be at least 0, max-value at most 2^24")
    if o.padding > 0 and o.pad_mode == "zero":
        raise Failure(USAGE, "PyTorch leaves padding out: give --pad-mode ignore")
    if 2 * o.padding > o.kernel_size:
        raise Failure(USAGE, "PyTorch pads by at most half of the kernel size")
    if min(o.rows, o.cols) + 2 * o.padding < o.kernel_size:
        raise Failure(USAGE, "the window does not fit the padded image")


def mix(z):
    """The bijection of harness/image/source_random.c, on arrays of 64-bit words."""
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return z ^ (z >> numpy.uint64(31))


def random_image(o):
    """The random image of the point programs: planes x rows x cols, float32."""
    golden = numpy.uint64(0x9E3779B97F4A7C15)
    cells = o.planes * o.rows * o.cols
    image = numpy.empty(cells, dtype=numpy.float32)
    with numpy.errstate(over="ignore"):
        start = mix(numpy.array([o.seed], dtype=numpy.uint64) + golden)
        for first in range(0, cells, 1 << 20):
            last = min(cells, first + (1 << 20))
            index = numpy.arange(first, last, dtype=numpy.uint64)
            word = mix(start + index * golden) >> numpy.uint64(32)
            image[first:last] = (word * numpy.uint64(o.max_value + 1)) >> numpy.uint64(32)
    return image.reshape(o.planes, o.rows, o.cols)


def known_maxima(image, o):
    """The map by numpy, window cell by window cell; planes x out_rows x out_cols."""
    k, s, p = o.kernel_size, o.stride, o.padding
    padded = numpy.pad(image, ((0, 0), (p, p), (p, p)), constant_values=-numpy.inf)
    rows = (padded.shape[1] - k) // s + 1
    cols = (padded.shape[2] - k) // s + 1
    known = numpy.full((image.shape[0], rows, cols), -numpy.inf, dtype=numpy.float32)
    for i in range(k):
        for j in range(k):
            cells = padded[:, i : i + s * (rows - 1) + 1 : s, j : j + s * (cols - 1) + 1 : s]
            numpy.maximum(known, cells, out=known)
    return known


def keep_freed_memory():
    """Without this the C library gives every large output back, and its pages are made anew."""
    trim_threshold, most_mappings = -1, -4  # M_TRIM_THRESHOLD, M_MMAP_MAX of <malloc.h>
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(most_mappings, 0)
        library.mallopt(trim_threshold, 2**31 - 1)


def precise(seconds, wanted):
    """Is half of the median's 95 % nonparametric interval within `wanted` of it?"""
    n = len(seconds)
    if n < 10 or n % 10 or (n // 10) & (n // 10 - 1):
        return False  # looked at only at 10, 20, 40, 80 ...
    below, rank = 0.0, 0
    while below + math.comb(n, rank) / 2**n <= 0.025:
        below += math.comb(n, rank) / 2**n
        rank += 1
    ordered = sorted(seconds)
    return rank > 0 and (ordered[n - rank] - ordered[rank - 1]) / 2 <= (
        wanted * statistics.median(ordered))


def pool(tensor, o):
    """One execution and its seconds; tensor is 1 x planes x rows x cols."""
    start = time.perf_counter()
    result = torch.nn.functional.max_pool2d(tensor, o.kernel_size, o.stride, o.padding)
    return time.perf_counter() - start, result


def verdict(result, known):
    """Values are compared, so NaN fails."""
    if known is None:
        return "none"
    found = result[0].numpy()
    return "exact" if found.shape == known.shape and (found == known).all() else "wrong"


def measure(o):
    """Rows of what the record has per sample, and the seconds of setting up."""
    begun = time.perf_counter()
    torch.set_num_threads(o.threads)
    keep_freed_memory()
    image = random_image(o)
    tensor = torch.from_numpy(image).unsqueeze(0)
    setup_s = time.perf_counter() - begun
    known = None if o.verify == "none" else known_maxima(image, o)
    rows, timed, why = [], [], ""
    began = time.perf_counter()
    with torch.inference_mode():
        for execution in range(o.warmup + o.samples):
            seconds, result = pool(tensor, o)
            rows.append({"warmup": int(execution < o.warmup), "verified": verdict(result, known),
                         "sample": execution - (o.warmup if execution >= o.warmup else 0),
                         "compute_s": f"{seconds:.9f}", "total_s": f"{seconds:.9f}",
                         "time_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())})
            del result
            timed += [seconds] if execution >= o.warmup else []
            why = ("wrong" if rows[-1]["verified"] == "wrong" else
                   "relative_ci" if precise(timed, o.relative_ci) else
                   "seconds" if timed and time.perf_counter() - began > o.max_seconds else "")
            if why:
                break
    rows[-1]["stop_reason"] = why or "samples"
    return rows, setup_s


def shared_columns(o, setup_s):
    """What all rows of this launch share."""
    host = platform.node()
    return {"experiment": o.experiment, "program": "maxpool_pytorch", "operator": "maxpool",
            "space": METHOD, "method": METHOD, "planes": o.planes, "rows": o.rows,
            "cols": o.cols, "kernel": o.kernel_size, "stride": o.stride, "padding": o.padding,
            "pad_mode": o.pad_mode, "filter": o.filter, "seed": o.seed,
            "max_value": o.max_value, "input": "random", "threads": o.threads, "nodes": 1,
            "isa": "PyTorch " + torch.__version__, "bind": "none", "launch": "plain",
            "run_id": f"{host}-{os.getpid()}-{time.time_ns():x}", "round": o.round,
            "setup_s": f"{setup_s:.9f}", "distribute_s": 0, "collect_s": 0, "host": host}


def columns():
    """The record's columns as a point program beside this one, or in the build folder, prints
    them."""
    here = pathlib.Path(sys.argv[0]).absolute().parent
    build = pathlib.Path(__file__).resolve().parent.parent / "build" / "bin"
    for folder in (here, build):
        program = folder / "maxpool_serial"
        if program.exists():
            told = subprocess.run([program, "-n", "2", "--samples", "1", "--format", "csv"],
                                  capture_output=True, text=True, check=True)
            return told.stdout.split("\n", 1)[0].split(",")
    raise Failure(UNAVAILABLE, "no maxpool_serial in " + str(here) + " or " + str(build) +
                  ": it names the record's columns")


def lines(names, rows):
    """The rows as text, columns by name."""
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writerows(rows)
    return text.getvalue()


def append(path, names, rows):
    """Whole rows, under the lock that the point programs take, on disk before it returns."""
    with open(path, "a+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        header = file.readline().decode()
        if header and header.rstrip("\n").split(",") != names:
            raise Failure(USAGE, f"{path}: holds rows of another kind; choose another file")
        text = ("" if header else ",".join(names) + "\n") + lines(names, rows)
        file.write(text.encode())
        os.fsync(file.fileno())


def run(arguments):
    """Measures, records, and returns the exit status."""
    o = parse(arguments)
    if LACKING:
        raise Failure(UNAVAILABLE, f"{sys.executable} has no PyTorch: {LACKING} "
                      "(Debian: python3-torch)")
    if o.list_methods is not None:
        print(f"{METHOD:<16}  [peer] PyTorch's max_pool2d, output allocated at each call")
        return 0
    check(o)
    names = columns()
    rows, setup_s = measure(o)
    shared = shared_columns(o, setup_s)
    rows = [{**shared, **row} for row in rows]
    if o.record:
        append(o.record, names, rows)
    else:
        sys.stdout.write(",".join(names) + "\n" + lines(names, rows))
    if rows[-1]["verified"] == "wrong":
        raise Failure(WRONG, "a value differs from numpy's maximum")
    return 0


def main():
    """Turns failures into one line and an exit status."""
    try:
        return run(sys.argv[1:])
    except Failure as failure:
        message, status = str(failure), failure.status
    except MemoryError:
        message, status = "not enough memory", RESOURCE
    except OSError as error:
        message, status = str(error), OUTPUT
    print(f"maxpool_pytorch: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
