#!/usr/bin/env -S python3 -B
"""make_training_results.py FOLDER: made-up samples and training curves with known truth, for the tests of analysis,
charts and report."""
import math

import maker
from maker import network_point, powers

# One rank takes these seconds per image times (batch + 8) for a step. Several divide this time by their number, and add
# the exchange: 0.05 of one rank's time, or 0.3 if central. Two threads are 1.9 times as fast as one.
SECONDS = {"solar_cnn": 2e-3, "mlp:50": 4e-8, "mlp:800-400": 40e-6, "alexnet_mri": 4e-3, "alexnet_tesina": 4e-3}


def law(p):
    one, ranks, speed = SECONDS[p["network"]] * (8 + p["batch"]), p["ranks"], p["threads"] ** 0.926
    exchange = one * (0.3 if p.get("strategy") == "central" else 0.05) if ranks > 1 else 0.0
    compute = one / ranks / speed + exchange
    return {"exchange_s": exchange, "compute_s": compute, "forward_s": 0.3 * one / ranks / speed,
            "backward_s": 0.6 * one / ranks / speed, "loss_s": 0.0, "update_s": 0.1 * one / ranks / speed,
            "distribute_s": 0.0, "collect_s": 0.0, "total_s": compute}


def step(space, network, images, side, /, **others):
    return network_point(space, network, images, side, **{
        "task": "train", "data": "random", "optimizer": "adam", "shards": 8, **others})


def brain_step(network, images, /, **others):
    return step("omp", network, images, 32, data="brain_planes", input="brain_planes", threads=2, **others)


# Inference and training of the same network and batches are different points.
EXPERIMENTS = {
    "cnn_batch": [p for threads in (1, 2) for images in powers(2, 512, 4) for p in (
        network_point("omp", "solar_cnn", images, 50, task="infer", threads=threads),
        step("omp", "solar_cnn", images, 50, threads=threads))],
    "mlp_training": [step("omp", network, images, 50, threads=2)
                     for images in (100, 1000) for network in ("mlp:50", "mlp:800-400")],
    "cnn_strategies": [step("mpi", "solar_cnn", 256, 50, strategy=strategy, ranks=ranks)
                       for ranks in powers(1, 4) for strategy in ("mirrored", "central")]}

# ---- training curves ------------------------------------------------------------------------------------------------

EPOCHS, LAUNCHES, RATES = 50, 6, 60
# 118 images of three classes with 38, 40 and 40: 2 of class 1 are taken for class 2, and 1 of class 0 for class 1.
MATRIX = ((37, 1, 0), (0, 38, 2), (0, 0, 40))
OUTPUTS = 10  # of the network: more than its data have classes, like the tesina's


def curve(launch, epoch):
    """An epoch takes 0.5 s, and 1 % more with each further launch."""
    learned = 1 - math.exp(-0.12 * epoch)
    return {"what": "epoch", "epoch": epoch, "seconds": 0.5 * (1 + 0.01 * launch), "loss": 1.1 * (1 - 0.99 * learned),
            "validation_loss": 1.2 * (1 - 0.98 * learned), "validation_accuracy": 1 / 3 + 0.63 * learned}, learned


def epochs(launch):
    """All launches have the same losses."""
    for epoch in range(1, EPOCHS + 1):
        row, learned = curve(launch, epoch)
        yield {**row, "step": 3 * epoch, "accuracy": 1 / 3 + 0.66 * learned, "parameters_hash": f"{epoch:016}",
               "test_accuracy": 115 / 118 if epoch == EPOCHS else 1 / 3 + 0.6 * learned}


def matrix(epoch):
    for right in range(OUTPUTS):
        for said in range(OUTPUTS):
            count = 0 if max(right, said) > 2 else MATRIX[right][said] if epoch == EPOCHS else 7  # before it learned
            yield {"what": "confusion", "epoch": epoch, "right": right, "said": said, "count": count}


def rates():
    """The loss falls fastest at the 31st of 60 rates."""
    for i in range(RATES):
        smoothed = 1.2 - 1.1 / (1 + math.exp(0.4 * (30 - i))) + (0.3 * (i - 50) if i > 50 else 0)
        yield {"what": "rate", "step": i + 1, "rate": 1e-7 * 10 ** (0.1 * i), "smoothed_loss": smoothed,
               "loss": smoothed * (1.05 if i % 2 else 0.95), "suggested": int(i == 30)}


def append_launch(results, experiment, network, launch, rows, **others):
    """Writes rows of a launch of network_omp."""
    of_all = {"program": "network_omp", "network": network, "data": "brain_planes", "run_id": f"launch-{launch}",
              **others}
    results.append(experiment, ".training", ({**of_all, **row} for row in rows))


def append_other(results, experiment, network):
    """Writes a launch of another program with other results, which must not join the first."""
    results.append(experiment, ".training", [{
        "program": "network_cuda", "network": network, "data": "brain_planes", "run_id": "other", "what": "epoch",
        "epoch": EPOCHS + 1, "seconds": 1.0, "loss": 1.0, "accuracy": 0.5, "test_accuracy": 0.5}])


def make_curve(results, experiment, network):
    results.add(experiment, law, [brain_step(network, 256)])
    for launch in range(LAUNCHES):  # some trained for fewer epochs
        rows = [*rates(), *epochs(launch), *matrix(EPOCHS // 2 if launch % 2 else EPOCHS)]
        append_launch(results, experiment, network, launch, rows, learning_rate=1e-4)
    append_other(results, experiment, network)


# ---- the tesina's protocol ------------------------------------------------------------------------------------------

FIRST_SEED, SEEDS = 1234, 6
PROTOCOL = {"normalize": "0.5,0.5", "split": "245,28,99", "select": "best-validation", "init": "tesina"}


def append_seed(results, launch, seed, clock, **others):
    """As epochs(), but a seed is right on a hundredth more images than the one before, and the validation loss rises in
    epoch 25, so that epoch 24 is selected by then."""
    rows = []
    for epoch in range(1, EPOCHS + 1):
        row, learned = curve(clock, epoch)
        better = 1 / 3 + 0.6 * learned + 0.01 * (seed - 2.5)
        rows.append({**row, "step": epoch, "accuracy": better, "test_accuracy": better,
                     "validation_loss": row["validation_loss"] * (2 if epoch == EPOCHS // 2 else 1)})
    append_launch(results, "tesina_alexnet", "alexnet_tesina", launch, [*rows, *matrix(EPOCHS)],
                  **{**PROTOCOL, "learning_rate": 1e-3, "seed": FIRST_SEED + seed, **others})


def make_protocol(results):
    """Six seeds, the first of them launched once more, which is no further training; and launches by other protocols,
    which belong to none. The rates were tried by an experiment of their own."""
    results.add("tesina_alexnet", law, [brain_step("alexnet_tesina", 245, **PROTOCOL)] * SEEDS)
    for launch in range(SEEDS + 1):
        append_seed(results, launch, launch % SEEDS, launch)
    append_seed(results, SEEDS + 1, SEEDS, 100, split="")
    append_seed(results, SEEDS + 2, SEEDS, 100, init="")
    append_other(results, "tesina_alexnet", "alexnet_tesina")
    results.add("tesina_rates", law, [brain_step("alexnet_tesina", 245, **PROTOCOL)])
    append_launch(results, "tesina_rates", "alexnet_tesina", 0, rates(),
                  **{**PROTOCOL, "learning_rate": 1e-3, "seed": FIRST_SEED})


# Layer, pass, step and share of the time of a training step, which differs between launches.
PARTS = (("conv1", "forward", 0, 0.1), ("dense1", "forward", 1, 0.2), ("dense1", "backward", 1, 0.4),
         ("conv1", "backward", 0, 0.2), ("update", "update", 2, 0.1))


def make_layers(results):
    results.add("training_layers", law, [step("serial", "solar_cnn", 128, 50)])
    results.append("training_layers", ".layers", (
        {"network": "solar_cnn", "layer": layer, "pass": way, "run_id": f"launch-{launch}", "step": place,
         "mean_s": 30e-3 * (1 + 0.1 * launch) * share}
        for launch in range(9) for layer, way, place, share in PARTS))


def make(results):
    for experiment, points in EXPERIMENTS.items():
        results.add(experiment, law, points)
    make_curve(results, "mri_training", "alexnet_mri")
    make_protocol(results)
    make_layers(results)


maker.main(make)
