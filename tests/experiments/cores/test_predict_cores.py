#!/usr/bin/env python3
"""`study predict` for more cores: `--check`, with made limits of this machine, measures the points that are missing and
puts prediction and measurement side by side; then a machine file, and wrong questions. No time decides. Usage:
tests/support/commands.py. Status 77: fewer than two cores here."""
import os
import pathlib
import re
import socket
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect
from commands import DIR, SKIPPED, done, fails, main, write

DEFINITION = """[experiment]
title = Small kernels
question = Does the model hold for small kernels?
verify = sampled
layers = 1
launches = 2
samples = 3
max_seconds = 0.02
[points maxpool]
programs = maxpool_omp
method = literal separable
size = 256
threads = 1 2
[points network]
programs = network_omp
network = alexnet_mri
method = auto
threads = 1 2
"""
VERDICT = r"(as predicted|(slower|faster): .+)"
STUDY = "LC_ALL=C ./study predict"


def shows(outcome, pattern):
    expect(f"a match of {pattern!r}", re.search(pattern, outcome.out, re.M), outcome)


def two_cores_are_compared():
    """Measures on two cores, compares, and measures nothing twice."""
    write("small.ini", DEFINITION)
    write("ceilings.csv", "level,workers,bandwidth_bytes_per_s,what,working_set_bytes,host\n" + "".join(
        f"memory,{workers},{rate},read,65536,{socket.gethostname()}\n"
        for workers, rate in ((1, 1e12), (2, 1.5e12))))  # so fast that no time is too short
    question = f"{STUDY} $DIR/small.ini --check --results $DIR --cores 2"
    shown = done(question)
    for kernel in ("literal", "separable", "alexnet_mri"):
        shows(shown, rf"^\S*.*{kernel}.* 2 .*{VERDICT}$")
    shows(shown, r"^Assumptions$")
    shows(shown, r"^(All measured times are within|\d+ measured times? miss)")
    rows = (DIR / "samples.csv").stat().st_size
    shows(done(f"MAXPOOL_LANG=es {question}"), r"^Supuestos$")
    expect("the second question measures nothing", (DIR / "samples.csv").stat().st_size == rows)


def a_machine_that_nobody_here_has_is_asked_for():
    """The same samples."""
    base = f"{STUDY} small --results $DIR"
    rows = done(f"{base} --machine server_64 --threads 8,64 --format markdown").out.splitlines()
    expect("two numbers of threads of three kernels",
           len(rows) == 2 + 2 * 3 and all(row.count("|") == 6 for row in rows), rows)
    shows(done(f"{base} --machine server_64 --threads 64 --steps"), r"^  features.0 \S+ +64 ")
    done(f"{base} --machine laptop_8 --method separable", never=("literal", "alexnet"))
    for options, message in (
            ("--machine server_64 --threads 65", "--threads: server_64 has 64 cores, not 65"),
            ("--machine server_64 --threads 8,x", "--threads: '8,x' is no list of numbers"),
            ("--machine /no/such.ini", "/no/such.ini"),
            ("--machine server_64 --check", "--check measures this machine"),
            ("--machine server_64 --platform ethernet_10g", "--platform: of MPI ranks"),
            ("--machine server_64 --format pdf", "--format must be text or markdown, not 'pdf'"),
            ("--steps", "--steps: of kernels on more cores, with --machine or --check"),
            ("--machine $DIR/small.ini", "a machine has the section [machine], not [experiment]")):
        fails(2, f"{base} {options}", message)
    fails(3, f"{base} --machine server_64 --method packed")


if __name__ == "__main__":
    sys.exit(SKIPPED if len(os.sched_getaffinity(0)) < 2 else main(
        two_cores_are_compared, a_machine_that_nobody_here_has_is_asked_for))
