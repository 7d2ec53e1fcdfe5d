#!/usr/bin/env python3
"""A network has the same outputs, and a training the same parameters, bit for bit, on any number of threads and of
ranks. What is computed and by whom is drawn from pinned seeds; with MAXPOOL_LONG in the environment there are many more
draws. Usage: tests/support/commands.py."""
import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from commands import FEATURES, command, done, main

BRIEF = "--samples 1 --warmup 0 --verify none"
FACTOR = 20 if os.environ.get("MAXPOOL_LONG") else 1
CONVOLUTIONS = ("auto", "auto", "im2col", "implicit", "winograd", "winograd4")
# Networks, the sizes of their images (0: they have one), and what of them is trained.
INFERRED = (("resnet18", (37, 61)), ("mobilenet_v2", (37, 61)), ("solar_cnn", (13, 50)), ("alexnet_mri", (0,)),
            ("mlp:50-25", (0,)))
TRAINED = (("solar_cnn", (9, 14)), ("mlp:50-25", (0,)), ("alexnet_mri", (0,)))


def sets_of_this_machine():
    return [isa for isa in ("baseline", "avx2", "avx512")
            if command(f"./network_serial --network mlp:9 --isa {isa} {BRIEF}").status == 0]


def drawn(rng, networks):
    """One of the networks, by the options that every program gets."""
    name, sizes = rng.choice(networks)
    size = rng.choice(sizes)
    options = f"--network {name} --isa {rng.choice(sets_of_this_machine())} {BRIEF}"
    return options + (f" --image-size {size}" if size else "")


def workers(rng, options):
    """Commands of the same network by threads and, where the build has them, by ranks of threads."""
    yield f"./network_omp {options} -t {rng.randint(2, 7)}"
    if "mpi" in FEATURES:
        yield f"$MPIRUN {rng.randint(2, 4)} ./network_mpi {options} --threads {rng.randint(1, 3)}"


def outputs_are_those_of_one_worker():
    for seed in range(6 * FACTOR):
        rng = random.Random(seed)
        options = f"{drawn(rng, INFERRED)} --batch {rng.choice((1, 3))} --conv {rng.choice(CONVOLUTIONS)}"
        done(f"./network_serial {options} -o $DIR/one.npy")
        for line in workers(rng, options):
            way = f" --distribute {rng.choice(('generate', 'scatter'))}" if "MPIRUN" in line else ""
            done(f"{line}{way} -o $DIR/several.npy && cmp $DIR/one.npy $DIR/several.npy")


def parameters_are_those_of_one_worker():
    for seed in range(4 * FACTOR):
        rng = random.Random(seed)
        options = (f"{drawn(rng, TRAINED)} --task train --data random --batch {rng.choice((1, 3, 8))} "
                   f"--shards {rng.randint(1, 6)} --steps 2 --optimizer {rng.choice(('adam', 'sgd'))}")
        options = options.replace(" --samples 1", "")
        done(f"./network_serial {options} --save $DIR/one")
        for line in workers(rng, options):
            way = f" --strategy {rng.choice(('mirrored', 'central'))}" if "MPIRUN" in line else ""
            done(f"{line}{way} --save $DIR/several && cmp $DIR/one $DIR/several")


if __name__ == "__main__":
    sys.exit(main(outputs_are_those_of_one_worker, parameters_are_those_of_one_worker))
