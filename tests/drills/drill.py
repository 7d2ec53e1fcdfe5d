#!/usr/bin/env python3
"""Drills: what breaks programs from outside, many times, with seeded chance.

    tests/drills/drill.py [--bin build/bin] [--seconds S] [--seed N] [--scale F] [--hours H] [NAME...]

Each drill has a number of cases; --scale multiplies it. --seconds limits all drills together; each drill gets
an equal part of the time that is left. Every case must end with an exit status from 0 to 5, within a time limit,
and leave no temporary file; each drill checks more. Status 0: all cases passed. --hours instead runs `study run
--all` under random kills until the time is over, and then to its end."""
import argparse
import pathlib
import random
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import archives
import disks
import disturbances
import environments
import hostile
import installed
import kills
import mutants
import pythons
from common import Drill

# Name, function, and the number of cases at --scale 1.
DRILLS = [
    ("safetensors", mutants.safetensors, 1350),
    ("checkpoints", mutants.checkpoints, 1350),
    ("pictures", mutants.pictures, 1600),
    ("arrays", mutants.arrays, 400),
    ("giants", mutants.giants, 11),
    ("trainings", kills.trainings, 24),
    ("studies", kills.studies, 12),
    ("interrupts", kills.interrupts, 6),
    ("disks", disks.limits, 40),
    ("small-disks", disks.small_disks, 40),
    ("archives", archives.hostile, 12),
    ("pythons", pythons.misbehaving, 12),
    ("environments", environments.unusual, 15),
    ("installed", installed.installed, 15),
    ("two-runs", disturbances.two_runs, 6),
    ("reports", disturbances.reports, 3),
    ("stops", disturbances.stops, 5),
    ("clocks", disturbances.clocks, 3),
    ("no-proc", disturbances.no_kernel_files, 7),
    ("ranks", disturbances.ranks, 9),
    ("half-a-core", disturbances.half_a_core, 4),
    ("duets", hostile.duets, 14),
    ("imports", hostile.imports, 400),
    ("graphs", hostile.graphs, 90),
    ("augmentations", hostile.augmentations, 66),
    ("torn-records", hostile.torn_records, 300),
]
# Drills whose single case takes seconds: a small --scale leaves them out, unless they are named.
LONG = {"two-runs", "reports", "stops", "clocks", "no-proc", "ranks", "half-a-core", "duets"}
LEAST_SCALE = 0.1


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    p.add_argument("names", nargs="*", metavar="NAME", help=", ".join(name for name, *_ in DRILLS))
    p.add_argument("--bin", type=pathlib.Path, default=root / "build" / "bin")
    p.add_argument("--seconds", type=float, default=float("inf"))
    p.add_argument("--seed", type=int, default=35)
    p.add_argument("--scale", type=float, default=1.0)
    p.add_argument("--hours", type=float, default=0.0)
    o = p.parse_args()
    unknown = set(o.names) - {name for name, *_ in DRILLS}
    if unknown:
        p.error(f"no drill {', '.join(sorted(unknown))}")
    if not (o.bin / "maxpool_serial").exists():
        p.error(f"--bin {o.bin}: no maxpool_serial there")
    return o


def main():
    o = arguments()
    chosen = [row for row in DRILLS if row[0] in o.names or
              (not o.names and (o.scale >= LEAST_SCALE or row[0] not in LONG))]
    end = time.monotonic() + o.seconds
    failures = 0
    for i, (name, function, cases) in enumerate([("hours", kills.hours, 1)] if o.hours > 0
                                                else chosen):
        left = (end - time.monotonic()) / (len(chosen) - i if o.hours <= 0 else 1)
        with tempfile.TemporaryDirectory(prefix="maxpool-drill-") as folder:
            drill = Drill(name, o.bin.resolve(), pathlib.Path(folder), random.Random(f"{o.seed} {name}"),
                          max(1, round(cases * o.scale)), time.monotonic() + left, o.hours)
            function(drill)
            drill.report()
            failures += len(drill.failures)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
