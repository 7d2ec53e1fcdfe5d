#!/usr/bin/env python3
"""Every kernel of this folder, or of the folder below it that the second argument names, gets the verdict that its first
line states, and no other.

The first line of each is `expect: VERDICT`, or several with `|` between them, then words that the cause must contain, and `; place` if the source line
must be named. A line `run: OPTIONS` gives other options than the usual ones. Nothing outside is harmed: the files of a
folder, whose name a kernel finds in place of @VICTIM@, are the same afterwards. No times are compared, except that a kernel which sleeps is not faster than its sleep."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / (sys.argv[2] if len(sys.argv) > 2 else "")
STUDY = pathlib.Path(sys.argv[1]).resolve() / "study"
SLEEP_S = 0.02  # of clock.c
UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


def usual_options(kernel):
    threads = "2" if kernel.stem == "late_thread" else "1"
    limit = "1" if kernel.stem == "endless" else "60"
    return ["-n", "32", "-t", threads, "--samples", "6", "--against", "literal", "--time-limit", limit]


def options_of(kernel, victim):
    """The options of the kernel's comment, where `|` stands for a blank inside of an option."""
    given = re.search(r"^(?: \*|#) run: (.*?)(?: \*/)?$", kernel.read_text(encoding="utf-8"), re.M)
    if not given:
        return usual_options(kernel)
    return [word.replace("|", " ").replace("@VICTIM@", str(victim)) for word in given.group(1).split()]


def verify(kernel, results, victim):
    """Runs a copy of the kernel, beside the headers that it may include: nothing else is found."""
    folder = pathlib.Path(results) / "submission"
    folder.mkdir()
    for file in (kernel, *HERE.glob("*.h"), *HERE.parent.glob("*.h")):
        shutil.copy(file, folder)
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable  # which may have numpy
    return subprocess.run([STUDY, "lab", folder / kernel.name, *options_of(kernel, victim), "--results", results],
                          capture_output=True, text=True, check=False, env={"PYTHON": python, **os.environ})


def make_victim(folder):
    """Files that a kernel could delete, rename, empty, overwrite or read."""
    folder.mkdir(parents=True)
    for name in ("deleted", "renamed", "truncated", "overwritten", "secret"):
        (folder / name).write_bytes(name.encode() * 1000)
    return folder


def state_of(folder):
    return sorted((path.name, path.lstat().st_mode, path.lstat().st_mtime_ns, path.read_bytes())
                  for path in folder.iterdir())


def seconds_of(output):
    value, unit = re.search(r"^  time +([0-9.]+) (\S+) ", output, re.M).groups()
    return float(value) * UNITS[unit]


def faults_of(kernel, results):
    """Returns what is wrong with the verdict on this kernel, as lines."""
    expected = re.match(r"(?:/\*|#) expect: ([\w|]+)(?:, ([^;\n]*?))?(; place)?(?:;.*)?$", kernel.read_text(encoding="utf-8"),
                        re.M)
    verdict, cause, place = expected.groups()
    victim = make_victim(pathlib.Path(results) / "victim")
    before = state_of(victim)
    done = verify(kernel, results, victim)
    if state_of(victim) != before:
        return ["files outside were changed"]
    reported = re.search(r"^  verdict +(CORRECT|NOT CORRECT \((\w+)\))(.*)$", done.stdout, re.M)
    if done.returncode == 3 and kernel.suffix == ".py":
        print(f"{kernel.stem}: not tried: {done.stderr.strip()}")
        return []
    if not reported:
        return [f"no verdict: status {done.returncode}", done.stdout, done.stderr]
    found = reported.group(2) or "correct"
    faults = []
    if found not in verdict.split("|"):
        faults.append(f"verdict {found} where {verdict} is right:{reported.group(3)}")
    if done.returncode != (0 if found == "correct" else 1):
        faults.append(f"exit status {done.returncode}")
    if found != "correct" and cause not in (None, "slow") and cause not in reported.group(3):
        faults.append(f"the cause lacks '{cause}':{reported.group(3)}")
    if place and not re.search(rf"^  source line +\S*{kernel.name}:\d+$", done.stdout, re.M):
        faults.append("no source line")
    if found == "correct" and cause == "slow" and seconds_of(done.stdout) < SLEEP_S:
        faults.append("it was faster than its sleep")
    if len(re.findall("^  verdict", done.stdout, re.M)) != 1:
        faults.append("more than one verdict was printed")
    if any(not (sign.isprintable() or sign == "\n") for sign in done.stdout + done.stderr):
        faults.append("a control character was printed")
    return faults


def main():
    kernels = sorted([*HERE.glob("*.c"), *HERE.glob("*_py.py")])
    assert kernels
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {kernel: pool.submit(faults_of, kernel, f"{folder}/{kernel.stem}") for kernel in kernels}
        for kernel, task in tasks.items():
            for fault in task.result():
                print(f"{kernel.stem}: {fault}")
            wrong += bool(task.result())
    print(f"{len(kernels) - wrong} of {len(kernels)} kernels got the verdict that they must get")
    return 1 if wrong else 0


sys.exit(main())
