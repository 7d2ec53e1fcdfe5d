#!/usr/bin/env -S python3 -B
"""make_speedup_results.py FOLDER: made-up samples of one, two and more workers whose laws of speedup are known."""
import maker
from maker import point, powers

PARALLEL_SHARE, PRODUCT_SHARE, SERIAL_S, CORES = 0.95, 0.56, 0.1, 4


def alone(compute, product=None):
    """Nothing but computing takes time, of which the product takes a known part, or an unknown one."""
    return {"distribute_s": 0.0, "compute_s": compute, "product_s": product, "collect_s": 0.0, "total_s": compute}


def amdahl(share, workers):
    """Returns the time of several workers relative to that of one."""
    return (1 - share) + share / workers


def computed(p, seconds):
    return alone(seconds, PRODUCT_SHARE * seconds if p["method"] == "staged" else None)


def law(p):
    """Amdahl's law for up to four workers, the cores of this machine; more workers gain nothing. Work that grows with
    the workers follows Gustafson's law. Direct has an efficiency of 7."""
    workers = p["ranks"] * p["threads"]
    time = amdahl(PARALLEL_SHARE, workers if "platform" in p else min(workers, CORES))
    if p["rows"] > 1024:
        time = workers / ((1 - PARALLEL_SHARE) + PARALLEL_SHARE * workers)
    if p["method"] == "direct" and workers > 1:
        time = 1 / 14
    return computed(p, SERIAL_S * time * (2 if p["method"] == "literal" else 1))


def law_of_method(p):
    return computed(p, SERIAL_S * amdahl(0.5 if p["method"] == "literal" else PARALLEL_SHARE, p["threads"]))


def law_of_product(share):
    """Amdahl's law for the product, where the workers share it alone."""
    def of_point(p):
        product = SERIAL_S * share / p["threads"]
        return alone(SERIAL_S * (1 - share) + product, product)
    return of_point


def law_with_start(p):
    """Starting threads takes 20 µs, which only the larger images repay."""
    work = 1e-9 * p["rows"] * p["cols"]
    return alone(2e-5 + work / p["threads"] if p["threads"] > 1 else work)


def product_law(p):
    return (law_of_product(PRODUCT_SHARE) if "parallel" in p else law)(p)


def own_law(p):
    return (law_of_product(0.4) if "parallel" in p else law_of_method)(p)


def threads_of(methods, most, /, **others):
    return [point("omp", method, threads=threads, **others) for threads in powers(1, most) for method in methods]


def of_each(methods, most):
    return [p for method in methods for p in threads_of([method], most)]


def growing(most):
    return [point("omp", method, threads=threads, rows=1024 * threads)
            for threads in powers(1, most) for method in ("staged", "literal")]


ONE = [point("serial", "staged")]
OWN = of_each(["staged"], 4)
SIMULATED = {"platform": "ethernet_10g.xml"}

# Ranks are those of a simulated cluster, and up to four of this machine. Of five methods three are shown. The workers
# share the product alone in `product` and in `own_laws`, where staged has measured shares besides, and simd two counts.
EXPERIMENTS = {
    "one": (law, ONE + threads_of(["staged", "literal"], 1)),
    "two": (law, ONE + threads_of(["staged", "literal"], 2)),
    "speedup": (law, ONE + threads_of(["staged", "literal"], 16)),
    "weak_scaling": (law, ONE + growing(4)),
    "simulated": (law, [point("mpi", "fused", ranks=ranks, **platform) for ranks in powers(1, 64, 4)
                        for platform in ([{}] * (ranks <= 4) + [SIMULATED])]),
    "simulated_alone": (product_law, [point("mpi", "staged", ranks=ranks, parallel="product", **SIMULATED)
                                      for ranks in powers(1, 4)]),
    "many": (law, ONE + of_each(["literal", "staged", "fused", "simd", "separable"], 2)),
    "above": (law, threads_of(["direct"], 2)),
    "sizes": (law_with_start, [point("omp", "direct", rows=n, cols=n, threads=threads)
                               for n in powers(32, 2048, 4) for threads in powers(1, 4, 4)]),
    "product": (product_law, ONE + [p for threads in powers(1, 4) for p in (
        point("omp", "literal", threads=threads), point("omp", "staged", threads=threads),
        point("omp", "staged", threads=threads, parallel="product"))]),
    "own_laws": (own_law, ONE + [p for own in OWN for p in (own, {**own, "parallel": "product"})] +
                 of_each(["literal", "fused"], 4) + of_each(["simd"], 2))}


def make(results):
    for experiment, (of_point, points) in EXPERIMENTS.items():
        results.add(experiment, of_point, points)


maker.main(make)
