#!/usr/bin/env python3
"""Kernels that make random sequences of system calls leave no trace: no file, process, System V object, key, mount or
setting is another one, no other process of the user got a signal or another priority, nothing was written to the
terminal or typed into it, and `study` gives a verdict.

    test_fuzz.py BIN [--long | --cases N] [--first N]      100 sequences; --long: 2,000"""
import argparse
import fcntl
import os
import pathlib
import pty
import resource
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parents[1] / "support"))
from checks import PATIENCE_S

NAME = f"fuzzed_{os.getpid()}_"  # of kernels, before their seed
BATCH = 50  # sequences between two looks
VICTIM = "import signal, sys, time\nfor i in set(range(1, 65)) - {9, 19, 32, 33}:\n" \
         "    signal.signal(i, lambda number, frame: print(number, flush=True))\nprint('ready', flush=True)\n" \
         "while True:\n    time.sleep(0.05)\n"


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def files_in(folder):
    """Names, kinds, rights, times and contents of all that is below a folder."""
    found = []
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        found.append((str(path), facts.st_mode, facts.st_uid, facts.st_mtime_ns if path.is_file() else 0,
                      path.read_bytes() if path.is_file() else b""))
    return found


def kernels_left():
    """Workers of fuzzed kernels that still run."""
    left = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        if NAME in read(path).replace("\0", " ") and "lab_kernel" in read(path):
            left.append(path.parent.name)
    return left


def clock():
    """When the machine started, by its clock. A pause between the two readings makes it less: the largest is right."""
    return max(time.time() - time.monotonic() for _ in range(10))


def mounts():
    """Another test mounts file systems in folders of its own (experiments/run/drill.py)."""
    return [line for line in read("/proc/self/mounts").splitlines() if "/maxpool-drill-" not in line]


class Outside:
    """All that a kernel must not reach, in a folder of its own."""

    def __init__(self, place):
        self.folder, self.temporary, self.submission = (place / name for name in ("others", "tmp", "submission"))
        for folder in (self.folder, self.temporary, self.submission):
            folder.mkdir()
        for name in ("deleted", "renamed", "truncated", "overwritten", "secret"):
            (self.folder / name).write_bytes(name.encode() * 100)
        self.victim = subprocess.Popen([sys.executable, "-c", VICTIM], stdout=subprocess.PIPE)
        self.victim.stdout.readline()
        self.master, self.slave = pty.openpty()
        self.began = clock()

    def state(self):
        """Everything by name; the times of clocks apart, equal unless a kernel changed it."""
        pid = self.victim.pid
        waiting = fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4)
        return {
            "files": files_in(self.folder), "temporary files": files_in(self.temporary),
            "shared memory": [read(f"/proc/sysvipc/{kind}").count("\n") for kind in ("shm", "sem", "msg")],
            "made files": [os.path.exists(f"/{folder}/{name}") for folder in ("tmp", "dev/shm", "dev/mqueue")
                           for name in ("made", "made_by_a_kernel")],
            "keys": "made_by_a_kernel" in read("/proc/keys"),
            "mounts": mounts(), "host": os.uname().nodename,
            "victim": (self.victim.poll(), os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid),
                       os.sched_getscheduler(pid), resource.prlimit(pid, resource.RLIMIT_NOFILE), os.getpgid(pid)),
            "own": (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getaffinity(0), resource.getrlimit(resource.RLIMIT_NOFILE)),
            "signals": bool(select.select([self.victim.stdout], [], [], 0)[0]),
            "terminal": (termios.tcgetattr(self.slave), struct.unpack("i", waiting)[0],
                         bool(select.select([self.master], [], [], 0)[0])),
            "clock": round(clock() - self.began),
        }

    def end(self):
        self.victim.kill()
        self.victim.wait()


def compiled(outside):
    """The kernel as a library; its verdict depends on no compiler then."""
    library = outside.submission / "calls.so"
    shutil.copy(HERE.parent / "honest.h", outside.submission)
    subprocess.run([os.environ.get("CC", "cc"), "-D_GNU_SOURCE", "-w", "-O1", "-shared", "-fPIC", f"-I{outside.submission}",
                    f'-DFOLDER="{outside.folder}"', f"-DVICTIM={outside.victim.pid}", "-o", library, HERE / "calls.c",
                    "-ldl"], check=True)
    return library


def one(study, outside, library, seed):
    """Runs one sequence, in a session whose terminal is the pseudo terminal. Returns the verdict, or what is wrong."""
    kernel = outside.submission / f"{NAME}{seed}.so"
    os.link(library, kernel)

    def own_terminal():
        os.setsid()
        fcntl.ioctl(outside.slave, termios.TIOCSCTTY, 1)

    try:
        done = subprocess.run([study, "lab", kernel, "--check", "-t", "1", "--time-limit", "2", "--results",
                               outside.submission / "results"], cwd=outside.submission, stdin=outside.slave,
                              capture_output=True, text=True, check=False, timeout=PATIENCE_S, start_new_session=False,
                              preexec_fn=own_terminal, env={**os.environ, "TMPDIR": str(outside.temporary)})
    except subprocess.TimeoutExpired:
        return seed, "study did not end"
    finally:
        kernel.unlink()
    verdict = [line for line in done.stdout.splitlines() if line.startswith("  verdict ")]
    if done.returncode in (0, 1) and len(verdict) == 1:
        return seed, ""
    if done.returncode == 2 and "cannot be loaded" in done.stderr:
        return seed, ""  # the sequence ran while the library was loaded, and ended it
    return seed, f"status {done.returncode}\n{done.stdout}{done.stderr}"


def differences(before, after):
    return [f"{name}: {str(before[name])[:400]}\n    now {str(after[name])[:400]}" for name in before if before[name] != after[name]]


def fuzz(study, cases, first):
    faults = []
    with tempfile.TemporaryDirectory() as place:
        outside = Outside(pathlib.Path(place).resolve())
        library = compiled(outside)
        before = outside.state()
        for begin in range(first, first + cases, BATCH):
            seeds = range(begin, min(begin + BATCH, first + cases))
            # One after the other: a session has the terminal only while its leader lives.
            for seed in seeds:
                seed, what = one(study, outside, library, seed)
                faults += [f"sequence {seed}: {what}"] if what else []
            faults += [f"sequences {seeds[0]} to {seeds[-1]}: {what}" for what in differences(before, outside.state())]
            faults += [f"sequences {seeds[0]} to {seeds[-1]}: process {pid} is left" for pid in kernels_left()]
            if faults:
                break
        outside.end()
    return faults


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("bin", type=pathlib.Path)
    p.add_argument("--long", action="store_true")
    p.add_argument("--cases", type=int)
    p.add_argument("--first", type=int, default=0)
    o = p.parse_args()
    cases = o.cases or (2000 if o.long else 100)
    faults = fuzz(o.bin.resolve() / "study", cases, o.first)
    print("\n".join(faults) or f"{cases} sequences of system calls left no trace")
    return 1 if faults else 0


sys.exit(main())
