"""`study predict` for more cores: `--check`, with made limits of this machine, measures the points that are missing and
puts prediction and measurement side by side; then a machine file, and wrong questions. No time decides.
Usage: test_predict_cores.py BIN_FOLDER. Status 77: fewer than two cores here."""

import os
import re
import socket
import subprocess
import sys
import tempfile

SKIPPED = 77
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


def study(arguments, status=0, **more):
    """Runs a command of study and returns its output."""
    environment = dict(os.environ, LC_ALL="C", MAXPOOL_WAIT="0", **more)
    done = subprocess.run([f"{sys.argv[1]}/study", *arguments], capture_output=True, text=True, check=False,
                          env=environment)
    if done.returncode != status:
        sys.exit(f"study {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def expect(text, pattern):
    """Ends the test if the text lacks the pattern; else returns its matches."""
    found = re.findall(pattern, text, re.M)
    if not found:
        sys.exit(f"no match of '{pattern}' in\n{text}")
    return found


def check_here(folder):
    """Measures on two cores, compares, and measures nothing twice."""
    definition = f"{folder}/small.ini"
    with open(definition, "w", encoding="ascii") as file:
        file.write(DEFINITION)
    with open(f"{folder}/ceilings.csv", "w", encoding="ascii") as file: # so fast that no time is too short
        file.write("level,workers,bandwidth_bytes_per_s,what,working_set_bytes,host\n")
        for workers, rate in ((1, 1e12), (2, 1.5e12)):
            file.write(f"memory,{workers},{rate},read,65536,{socket.gethostname()}\n")
    question = ["predict", definition, "--check", "--results", folder, "--cores", "2"]
    shown = study(question)
    for kernel in ("literal", "separable", "alexnet_mri"):
        expect(shown, rf"^\S*.*{kernel}.* 2 .*{VERDICT}$")
    expect(shown, r"^Assumptions$")
    expect(shown, r"^(All measured times are within|\d+ measured times? miss)")
    samples = f"{folder}/samples.csv"
    rows = os.path.getsize(samples)
    spanish = study(question, MAXPOOL_LANG="es")
    expect(spanish, r"^Supuestos$")
    if os.path.getsize(samples) != rows:
        sys.exit("the second question measured again")
    return definition


def check_machine(folder, definition):
    """The same samples, on a machine that nobody here has."""
    base = ["predict", "small", "--results", folder]
    rows = study([*base, "--machine", "server_64", "--threads", "8,64", "--format", "markdown"]).splitlines()
    if len(rows) != 2 + 2 * 3 or any(row.count("|") != 6 for row in rows):
        sys.exit("\n".join(rows))
    steps = study([*base, "--machine", "server_64", "--threads", "64", "--steps"])
    expect(steps, r"^  features.0 \S+ +64 ")
    few = study([*base, "--machine", "laptop_8", "--method", "separable"])
    if "literal" in few or "alexnet" in few:
        sys.exit(few)
    wrong = [
        (["--machine", "server_64", "--threads", "65"], "--threads: server_64 has 64 cores, not 65"),
        (["--machine", "server_64", "--threads", "8,x"], "--threads: '8,x' is no list of numbers"),
        (["--machine", "/no/such.ini"], "/no/such.ini"),
        (["--machine", "server_64", "--check"], "--check measures this machine"),
        (["--machine", "server_64", "--platform", "ethernet_10g"], "--platform: of MPI ranks"),
        (["--machine", "server_64", "--format", "pdf"], "--format must be text or markdown, not 'pdf'"),
        (["--steps"], "--steps: of kernels on more cores, with --machine or --check"),
        (["--machine", definition], "a machine has the section [machine], not [experiment]"),
    ]
    for options, message in wrong:
        if message not in (said := study([*base, *options], status=2)):
            sys.exit(f"{options}: '{message}' is not in\n{said}")
    study([*base, "--machine", "server_64", "--method", "packed"], status=3)


def main():
    if len(os.sched_getaffinity(0)) < 2:
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="maxpool-cores-") as folder:
        check_machine(folder, check_here(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
