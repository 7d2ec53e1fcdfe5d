"""What all drills share: a folder, a seeded random generator, commands with a time limit, and failures."""
import os
import resource
import shlex
import signal
import struct
import subprocess
import time

LIMIT_S = 500
"""Time limit of one command; a case that takes longer hangs."""
GOOD = range(0, 6)

DEFINITION = """[experiment]
title = A drill
question = Does it hold?
samples = 4
launches = 3
[points]
programs = maxpool_serial
method = fused direct simd
size = 32 64 128
"""


class Drill:
    def __init__(self, name, folder_of_programs, folder, chance, cases, end, hours=0.0):
        self.name, self.bin, self.folder, self.chance = name, folder_of_programs, folder, chance
        self.cases, self.end, self.hours = cases, end, hours
        self.done, self.failures, self.statuses = 0, [], {}
        self.left_out = None # reason why there are no cases

    def each(self):
        """Yields the numbers of the cases while there is time; the first one always, so that a slow machine omits no
        drill."""
        for case in range(self.cases):
            if case > 0 and time.monotonic() > self.end:
                return
            yield case
            self.done += 1

    def program(self, name):
        return str(self.bin / name)

    @staticmethod
    def write_definition(path):
        """Writes a small experiment of nine points."""
        path.write_text(DEFINITION)

    def fail(self, what):
        self.failures.append(what)
        print(f"{self.name}: {what}", flush=True)

    def run(self, words, expected=GOOD, limit_s=LIMIT_S, **more):
        """Runs a command; an unexpected status, a signal or a hang is a failure. Returns status, output and errors."""
        words = [str(word) for word in words]
        child = subprocess.Popen(words, stdin=more.pop("stdin", subprocess.DEVNULL),
                                 stdout=more.pop("stdout", subprocess.PIPE),
                                 stderr=more.pop("stderr", subprocess.PIPE),
                                 start_new_session=True, **more)
        try:
            out, err = child.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            self.fail(f"no end within {limit_s} s: {shlex.join(words)}")
        status = child.returncode
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status not in expected:
            self.fail(f"status {status}: {shlex.join(words)}: {(err or b'')[-300:]!r}")
        return status, out or b"", err or b""

    def start(self, words, **more):
        """Starts a process that leads a group; its output is discarded."""
        return subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                start_new_session=True, **more)

    def expect_no_temporaries(self, folder=None):
        """Checks that a program which ended by itself left no half-written file."""
        left = [path for path in (folder or self.folder).rglob("*.tmp")]
        if left:
            self.fail(f"left behind: {left[0]}")
        for path in left:
            path.unlink()

    def report(self):
        if self.left_out:
            print(f"{self.name}: left out: {self.left_out}", flush=True)
            return
        reported = ", ".join(f"{count} of status {status}" for status, count in
                         sorted(self.statuses.items()))
        print(f"{self.name}: {self.done} of {self.cases} cases, {len(self.failures)} failures; {reported}",
              flush=True)


def kill(child):
    """Kills the whole process group at once."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def limited(which, most):
    """For preexec_fn: limits a resource of the process."""
    return lambda: resource.setrlimit(which, (most, most))


def npy(shape, values):
    """Returns an .npy file of float32."""
    lengths = "".join(f"{length}, " for length in shape)
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({lengths}), }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
            struct.pack(f"<{len(values)}f", *values))
