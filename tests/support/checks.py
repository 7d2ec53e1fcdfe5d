"""What tests in Python share: the faults that were found, which are printed when a test ends, however it ends; how they
run a program, and read a table."""
import atexit
import csv
import os
import signal
import subprocess
import time

faults = []
PATIENCE_S = 500  # for what must happen, however slow the machine; ctest's time limits are longer
FOREVER_S = 3600  # sleeps a program that the test, or what it tests, must end

for number in (signal.SIGINT, signal.SIGHUP):  # a shell's background job ignores them, and its children would
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


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


def wait_until(happens, child=None):
    """Waits until `happens()` is true, or the child has ended. Returns whether it is true."""
    end = time.monotonic() + PATIENCE_S
    while not happens() and time.monotonic() < end and (child is None or child.poll() is None):
        time.sleep(0.01)
    return bool(happens())


def rows_in(path):
    """The rows of a CSV file, each by the names of its columns."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def finish(good="all as it should be"):
    """Returns the exit status of the test; prints `good` if there is no fault."""
    if not faults:
        print(good)
    return 1 if faults else 0
