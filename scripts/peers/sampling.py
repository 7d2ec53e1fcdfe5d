"""Executions until the time is known, as the point programs stop (harness/base/statistics.c)."""
import ctypes
import math
import resource
import statistics
import time

from peers.problem import errors, verdict

CLOCK_STEP_S = 2 * time.get_clock_info("perf_counter").resolution + 30e-9
LEAST_S = 200 * CLOCK_STEP_S
"""Executions that are shorter are clocked together."""


def keep_freed_memory():
    """Without this the C library gives every large output back, and its pages are made anew."""
    trim_threshold, most_mappings = -1, -4  # M_TRIM_THRESHOLD, M_MMAP_MAX of <malloc.h>
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(most_mappings, 0)
        library.mallopt(trim_threshold, 2**31 - 1)


def interval(seconds):
    """The median's 95 % nonparametric interval, or None where there are too few."""
    n, below, rank = len(seconds), 0.0, 0
    while below + math.comb(n, rank) / 2**n <= 0.025:
        below += math.comb(n, rank) / 2**n
        rank += 1
    ordered = sorted(seconds)
    return (ordered[rank - 1], ordered[n - rank]) if rank > 0 else None


def precise(seconds, wanted):
    """Is half of that interval within `wanted` of the median?"""
    n = len(seconds)
    if n < 10 or n % 10 or (n // 10) & (n // 10 - 1):
        return False  # looked at only at 10, 20, 40, 80 ...
    low, high = interval(seconds)
    return (high - low) / 2 <= wanted * statistics.median(seconds)


def switches():
    """Involuntary context switches of all threads so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


def clock(run, repeats):
    """Seconds of one execution, the mean of so many, what the last returned, and the involuntary
    context switches of all of them."""
    before = switches()
    start = time.perf_counter()
    for _ in range(repeats):
        result = run()
    seconds = (time.perf_counter() - start) / repeats
    return seconds, result, switches() - before


def why_stop(o, row, timed, began):
    """The record's stop_reason, or nothing."""
    if row["verified"] == "wrong":
        return "wrong"
    if precise(timed, o.relative_ci):
        return "relative_ci"
    return "seconds" if timed and time.perf_counter() - began > o.max_seconds else ""


def measure(o, problem):
    """A row per execution, of what differs from one to the other. The first shows how many are
    clocked together."""
    rows, timed, why, repeats = [], [], "", 1
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
            seconds, _, _ = clock(problem.run, 1)  # the first prepares things
            repeats = max(1, math.ceil(LEAST_S / max(seconds, 1e-9)))
        timed += [] if warm else [seconds]
        why = why_stop(o, rows[-1], timed, began)
        if why:
            break
    rows[-1]["stop_reason"] = why or "samples"
    return rows, timed
