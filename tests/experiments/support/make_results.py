#!/usr/bin/env -S python3 -B
"""make_results.py FOLDER: a result set of made-up samples with known truth, for the tests of analysis, charts and
report. Times follow Amdahl's law with f = 0.95, n^2 k^3 growth, and 1 % noise."""
import maker
from maker import point, powers

PARALLEL_SHARE, PRODUCT_SHARE, SECONDS_PER_TERM = 0.95, 0.61, 1e-9
SLOWER = {"literal": 4, "staged": 4, "direct": 0.5, "onednn": 3, "onednn-nhwc": 2, "libxsmm": 6, "pytorch": 40,
          "python": 4000, "numba": 20}  # than fused
SERIAL = ("literal", "staged", "fused")


def law(p):
    high, wide = ((p[side] + 2 * p["padding"] - p["kernel"]) // p["stride"] + 1 for side in ("rows", "cols"))
    work = high * wide * p["kernel"] ** 3 * SECONDS_PER_TERM * SLOWER.get(p["method"], 1)
    compute = 2e-6 + work * ((1 - PARALLEL_SHARE) + PARALLEL_SHARE / (p["ranks"] * p["threads"]))
    moves = p["space"] == "mpi"
    distribute, collect = (0.1 * compute, 0.05 * compute) if moves else (0.0, 0.0)
    return {"distribute_s": distribute, "compute_s": compute, "collect_s": collect,
            "product_s": PRODUCT_SHARE * compute if p["method"] == "staged" else None,
            "total_s": compute + distribute + collect + 1e-7}


def scaling(grow):
    return [point("serial", method) for method in SERIAL] + [
        point("mpi", "fused", distribution="generate", launch="mpirun", ranks=ranks, rows=1024 * (ranks if grow else 1))
        for ranks in powers(1, 16)]


GROWTH = [point("serial", method, rows=n, cols=n) for n in powers(2, 4096) for method in SERIAL]
SHAPES = [point("serial", method, kernel=k, stride=stride)
          for k in powers(2, 16) for stride in (1, k) for method in ("literal", "fused")]
STRIDES = [point("serial", "literal", kernel=4, **others)
           for i in powers(2, 16) for others in ({"stride": i}, {"stride": 3, "padding": i // 2})]

# A wrong result is the last of the threads. Bindings are those of 1, 2, 4 and 8 ranks: bound, unbound, sharing cores,
# and unbound although binding was requested, by a method of its own: no curve with the others. Peers compute a plane
# and a shape that the definition names. Pages are huge in half of fused's launches and in all of direct's; literal's
# were not recorded. Backward convolutions have strides 1 and 2. Technologies are the tesina's loops in Python, compiled
# by Numba, and the same algorithm in C. Experiments are appended: the random numbers of those before stay the same.
EXPERIMENTS = {
    "threads": [point("serial", method) for method in SERIAL] + [
        point("omp", method, threads=threads) for threads in powers(1, 8) for method in ("literal", "fused")] + [
        point("omp", "fused", threads=6, verified="wrong")],
    "strong_scaling": scaling(False),
    "weak_scaling": scaling(True),
    "binding": [point("mpi", "fused", ranks=ranks, binding=binding)
                for ranks, binding in ((1, "inherited"), (2, "none"), (4, "shared"), (8, "none"))] + [
                    point("mpi", "direct", ranks=8, binding="none", bind="core")],
    "serial_growth": GROWTH,
    "window_count": GROWTH,
    "speedup": GROWTH,
    "peers": [point("pytorch" if method == "pytorch" else "serial", method, **others)
              for method in ("fused", "direct", "onednn", "onednn-nhwc", "libxsmm", "pytorch")
              for others in ({}, {"planes": 4096, "rows": 13, "cols": 13, "kernel": 3, "pad_mode": "ignore"})],
    "hyperparameters": SHAPES + STRIDES,
    "ladder": SHAPES,
    "pages": [point("serial", method, pages=pages) for method, pages in (
        ("fused", "huge"), ("fused", "ordinary"), ("direct", "huge"), ("literal", ""))],
    "conv_gradients": [
        point("serial", method, program="conv_serial", operator="conv", gradient=of, pad_mode="", filter="",
              weights="random", d_output="random", rows=56, cols=56, planes=64, channels=64, filters=64, batch=1,
              groups=1, padding=1, kernel=3, stride=stride)
        for of, method, stride in (("image", "literal", 1), ("image", "implicit", 1), ("image", "literal", 2),
                                   ("image", "implicit", 2), ("weights", "literal", 1), ("weights", "tiles", 1))],
    "technologies": [point(space, method, rows=128, cols=128) for space, method in (
        ("python", "python"), ("numba", "numba"), ("serial", "literal"), ("serial", "simd"))]}


def make(results):
    for experiment, points in EXPERIMENTS.items():
        results.add(experiment, law, points)


maker.main(make)
