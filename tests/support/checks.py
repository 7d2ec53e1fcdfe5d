"""What tests in Python share: the faults that were found, which are printed when a test ends, however it ends; how they
run a program, and read a table."""
import atexit
import csv
import os
import subprocess

faults = []


@atexit.register
def show():
    for fault in faults:
        print(f"FAULT {fault}")


def expect(what, good, seen=""):
    """Adds a fault unless `good`. `seen`, a program that has ended or a text, is shown with it."""
    if isinstance(seen, subprocess.CompletedProcess):
        seen = f"status {seen.returncode}\n{seen.stdout}{seen.stderr}"
    if not good:
        faults.append(f"{what}: {seen}")


def run(folder, *command, **environment):
    """Runs a command in a folder, with these variables in addition to those of the test."""
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def rows_in(path):
    """The rows of a CSV file, each by the names of its columns."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def finish(good="all as it should be"):
    """Returns the exit status of the test; prints `good` if there is no fault."""
    if not faults:
        print(good)
    return 1 if faults else 0
