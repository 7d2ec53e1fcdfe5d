"""Executes until the time is known precisely, by the stopping rule of the point programs
(harness/base/statistics.c)."""
import ctypes
import math
import resource
import statistics
import time

from peers import other_load
from peers.problem import errors, verdict

CLOCK_STEP_S = 2 * time.get_clock_info("perf_counter").resolution + 30e-9
LEAST_S = 200 * CLOCK_STEP_S
"""Shorter executions are timed together."""


def keep_freed_memory():
    """Otherwise the C library returns every large output to the system, and its pages are allocated again."""
    trim_threshold, most_mappings = -1, -4  # M_TRIM_THRESHOLD, M_MMAP_MAX of <malloc.h>
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(most_mappings, 0)
        library.mallopt(trim_threshold, 2**31 - 1)


def interval(seconds):
    """The median's 95 % nonparametric interval, or None if there are too few samples."""
    n, below, rank = len(seconds), 0.0, 0
    while below + math.comb(n, rank) / 2**n <= 0.025:
        below += math.comb(n, rank) / 2**n
        rank += 1
    ordered = sorted(seconds)
    return (ordered[rank - 1], ordered[n - rank]) if rank > 0 else None


def precise(seconds, wanted):
    """True if half of that interval is at most `wanted` times the median."""
    n = len(seconds)
    if n < 10 or n % 10 or (n // 10) & (n // 10 - 1):
        return False  # tested only at 10, 20, 40, 80 ...
    low, high = interval(seconds)
    return (high - low) / 2 <= wanted * statistics.median(seconds)


def switches():
    """Involuntary context switches of all threads so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


def clock(run, repeats):
    """The mean seconds of one of `repeats` executions, the result of the last one, and the involuntary context
    switches of all of them."""
    before = switches()
    start = time.perf_counter()
    for _ in range(repeats):
        result = run()
    seconds = (time.perf_counter() - start) / repeats
    return seconds, result, switches() - before


def why_stop(o, row, timed, began):
    """The record's stop_reason, or ""."""
    if row["verified"] == "wrong":
        return "wrong"
    if precise(timed, o.relative_ci):
        return "relative_ci"
    return "seconds" if timed and time.perf_counter() - began > o.max_seconds else ""


def measure(o, problem):
    """Returns one row per execution, with the columns that differ between executions. The first execution determines
    how many are timed together."""
    rows, timed, why, repeats = [], [], "", 1
    before = other_load.reading()
    began = time.perf_counter()
    for execution in range(o.warmup + o.samples):
        seconds, result, involuntary = clock(problem.run, repeats)
        warm, verified = execution < o.warmup, verdict(problem, result)
        rows.append({"warmup": int(warm), "verified": verified, **errors(problem, result, verified),
                     "sample": execution - (0 if warm else o.warmup), "repeats": repeats,
                     "involuntary_switches": involuntary,
                     "distribute_s": f"{problem.argument_s:.9f}",
                     "compute_s": f"{max(0.0, seconds - problem.argument_s):.9f}", "total_s": f"{seconds:.9f}",
                     **problem.columns_of(result),
                     "time_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())})
        del result
        if warm:
            seconds, _, _ = clock(problem.run, 1)  # the first execution prepares things
            repeats = max(1, math.ceil(LEAST_S / max(seconds, 1e-9)))
        timed += [] if warm else [seconds]
        why = why_stop(o, rows[-1], timed, began)
        if why:
            break
    rows[-1]["stop_reason"] = why or "samples"
    rows[-1].update(other_load.columns_between(before, other_load.reading()))
    return rows, timed
