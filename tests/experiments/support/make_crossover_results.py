#!/usr/bin/env -S python3 -B
"""make_crossover_results.py FOLDER: made-up samples of fully connected networks with one thread, two threads and a GPU.
They overtake each other at known numbers of parameters, and the parts of a step have known shares."""
import maker
from maker import gpu, network_point

WIDE = ("mlp:50", "mlp:100", "mlp:200", "mlp:400", "mlp:800", "mlp:1600")
DEEP = ("mlp:50-25", "mlp:100-50", "mlp:200-100", "mlp:400-200")
INPUTS, OUTPUTS = 50, 1
DEVICE = 0  # instead of a number of threads


def one_thread(network):
    """Seconds of one thread for 1000 vectors, as a function of the parameters. Wide networks take more time per
    parameter the more parameters they have."""
    widths = [INPUTS, *map(int, network.split(":")[1].split("-")), OUTPUTS]
    parameters = sum((before + 1) * after for before, after in zip(widths, widths[1:]))
    over = parameters / 60000
    return 1e-8 * parameters * (1 if len(widths) > 3 else 1 + over * over)


# ---- from the seconds of one thread to those of two -----------------------------------------------------------------


def with_overhead(one):
    return 60e-6 + one / 1.9


def always_faster(one):
    return one / 1.9


def always_slower(one):
    return 1.2 * one


def alike(one):
    return one


def slower_at_first(one):
    return 1.2 * one if one < 120e-6 else one


def faster_at_first(one):
    return one / 1.9 if one < 300e-6 else 1.2 * one


def faster_between(one):
    return 1.2 * one if one < 120e-6 or one > 400e-6 else one / 1.9


def alike_at_the_ends(one):
    return one if one < 60e-6 or one > 600e-6 else 1.2 * one if one < 250e-6 else one / 1.9


def law_of(two_threads):
    """The update takes a twentieth of a step of 1000 vectors; its seconds do not depend on the batch."""
    def law(p):
        one, trains = one_thread(p["network"]), p["task"] == "train"
        whole = 190e-6 + one / 20 if p["space"] == "cuda" else two_threads(one) if p["threads"] == 2 else one
        work = whole * p["batch"] / 1000
        moved = 0.2 if p["method"] == "literal" else 0  # to backward
        parts = {"forward_s": (0.3 - moved) * work, "backward_s": (0.65 + moved) * work, "loss_s": 0.05 * work,
                 "update_s": 0.05 * whole} if trains else {"forward_s": work}
        total = work + (0.05 * whole if trains else 0)
        return {**parts, "distribute_s": 0.0, "collect_s": 0.0, "compute_s": total, "total_s": total}
    return law


# ---- points ---------------------------------------------------------------------------------------------------------


def point_of(network, trains, batch, threads, method="auto", **others):
    changed = {"task": "train", "data": "random", "optimizer": "adam", "shards": 8} if trains else {"task": "infer"}
    if threads == DEVICE:
        return network_point("cuda", network, batch, 50, "own", **gpu(**changed, **others))
    return network_point("omp", network, batch, 50, method, threads=threads, **changed, **others)


def networks(trains, device):
    """Every network with one thread and with two; if `device`, also with two threads and on a GPU in batches of 100."""
    return [point_of(network, trains, batch, threads) for network in WIDE + DEEP for batch, threads in (
        ((1000, DEVICE), (1000, 1), (1000, 2), (100, DEVICE), (100, 2)) if device else ((1000, 1), (1000, 2)))]


def in_batches(*rows):
    """Training steps in batches of 100 and of 1000; a row has network and threads, and what else is not usual."""
    return [point_of(network, True, batch, threads, **others[0] if others else {})
            for batch in (100, 1000) for network, threads, *others in rows]


def of_methods(*methods):
    return in_batches(*((DEEP[1], 2, {"method": method}) for method in methods))


BATCHES = [point_of(network, True, batch, threads) for i, wide in enumerate(WIDE) for threads in (DEVICE, 1, 2)
           for network, batch in [(wide, 200)] + [(wide, 1000)] * (i < 2) + [(deep, 200) for deep in DEEP[i:i + 1]]]

# fewer_threads: two networks in two batches with one thread, a third one with two threads, and a deeper one in one
# batch. more_threads: a network in two batches with two threads; other points have more threads, but share cores, have
# a limited instruction set or small pages, or are in one batch only. batches: every network in batches of 200, two of
# them also in batches of 1000. lone_device: one network on a GPU, all on the processor. many: 70 networks. methods: a
# network by two methods with different shares; the files differ only in the order of the methods, and the second
# method of methods_partly is in one batch only. equal_sizes: two networks of 4223 parameters each.
EXPERIMENTS = {
    "crossing": (with_overhead, networks(True, True)),
    "crossing_inference": (with_overhead, networks(False, True)),
    "faster": (always_faster, networks(True, False)),
    "slower": (always_slower, networks(False, False)),
    "alike": (alike, networks(True, False)),
    "slower_at_first": (slower_at_first, networks(True, False)),
    # the experiments of the suite's own definitions whose findings a report contains
    "solar_mlp_training": (with_overhead, networks(True, True)),
    "solar_mlp_inference": (with_overhead, networks(False, True)),
    "solar_threads": (with_overhead, networks(True, False) + networks(False, False)),
    # a network of solar_mlp_training, measured with another commit: its launches do not join the other's
    "other_commit": (with_overhead, in_batches(("mlp:100-50", 2, {"commit": "ba9876543210"}))),
    "fewer_threads": (with_overhead, in_batches(("mlp:50-25", 1), ("mlp:100-50", 1), ("mlp:200-100", 2)) + [
        point_of("mlp:50-25-13", True, 1000, 2)]),
    "more_threads": (with_overhead, in_batches(
        ("mlp:50-25", 4, {"binding": "shared"}), ("mlp:100-50", 3, {"isa_limit": "avx2"}),
        ("mlp:400-200", 5, {"pages_asked": "ordinary"}), ("mlp:200-100", 2)) + [
            point_of("mlp:50-25-13", True, 1000, 6)]),
    "faster_at_first": (faster_at_first, networks(True, False)),
    "faster_between": (faster_between, networks(True, False)),
    "alike_at_the_ends": (alike_at_the_ends, networks(True, False)),
    "batches": (with_overhead, BATCHES),
    "lone_device": (with_overhead, [point_of(WIDE[0], True, 1000, DEVICE)] + [
        point_of(network, True, 1000, 2) for network in WIDE]),
    "few_rounds": (always_faster, networks(True, False)),
    "many": (always_faster, [point_of(f"mlp:{10 * i}", False, 1000, threads)
                             for i in range(1, 71) for threads in (1, 2)]),
    "methods": (always_faster, of_methods("im2col", "literal")),
    "methods_turned": (always_faster, of_methods("literal", "im2col")),
    "methods_partly": (always_faster, [point for point in of_methods("im2col", "literal")
                                       if (point["method"], point["batch"]) != ("literal", 100)]),
    "equal_sizes": (always_faster, [point_of(network, True, batch, threads) for batch in (100, 1000)
                                    for threads in (1, 2) for network in ("mlp:44-43", "mlp:45-41")])}
LAUNCHES = {"few_rounds": 2}  # with two rounds no difference can be tested
IMAGES = {"other_commit": "solar_mlp_training"}


def make(results):
    for experiment, (two_threads, points) in EXPERIMENTS.items():
        results.add(experiment, law_of(two_threads), points, LAUNCHES.get(experiment), IMAGES.get(experiment))


maker.main(make)
