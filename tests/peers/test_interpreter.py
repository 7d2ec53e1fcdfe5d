#!/usr/bin/env python3
"""Pythons named by MAXPOOL_PYTHON that hang, print, fail or do not exist: the time for their answer is limited, and no
process that they started remains."""
import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS))

from peers import interpreter

PATIENCE_S = 500
"""Time limit for expected events, however slow the machine; no test waits this long if they happen."""


def alive(pid):
    """True for a process that is no zombie."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Interpreters(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="maxpool-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.noted = self.folder / "pid"

    def python(self, text):
        """Writes a shell script in place of a Python."""
        path = self.folder / "python"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return str(path)

    def hanging(self):
        """Writes one that starts another process, notes its number, and waits for it."""
        return self.python(f"sleep 1000 &\necho $! >{self.noted}.part\n"
                           f"mv {self.noted}.part {self.noted}\nwait\n")

    def started(self):
        """The number of the process that it started."""
        until = time.monotonic() + PATIENCE_S
        while not self.noted.exists() and time.monotonic() < until:
            time.sleep(0.01)
        return int(self.noted.read_text())

    def expect_end_of(self, pid):
        until = time.monotonic() + PATIENCE_S
        while alive(pid) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertFalse(alive(pid))

    def test_ours_has_what_it_has(self):
        self.assertTrue(interpreter.has(sys.executable, ["os"], PATIENCE_S))
        self.assertFalse(interpreter.has(sys.executable, ["no_such_module_of_anybody"]))

    def test_none_fails_or_says_much(self):
        self.assertFalse(interpreter.has(str(self.folder / "none"), ["os"]))
        self.assertFalse(interpreter.has(str(self.folder), ["os"]))
        self.assertFalse(interpreter.has(self.python("exit 1"), ["os"]))
        self.assertFalse(interpreter.has(self.python("kill -9 $$"), ["os"]))
        self.assertTrue(interpreter.has(self.python("head -c 1000000 /dev/zero; exit 0"), ["os"], PATIENCE_S))

    def test_names_that_are_no_python(self):
        said = io.StringIO()
        os.environ["MAXPOOL_PYTHON"] = f"/nowhere/python:{self.folder}:{sys.executable}"
        self.addCleanup(os.environ.pop, "MAXPOOL_PYTHON", None)
        with contextlib.redirect_stderr(said):
            self.assertEqual(list(interpreter.named()), [sys.executable])
        self.assertEqual(said.getvalue().split("\n"), [
            f"MAXPOOL_PYTHON: {name} is no Python here; it is passed over" for name in ("/nowhere/python", self.folder)] + [""])

    def test_one_that_hangs_is_passed_over(self):
        said = io.StringIO()
        hanging = self.hanging()
        with contextlib.redirect_stderr(said):
            self.assertFalse(interpreter.has(hanging, ["os"], 2))
        self.assertIn("no answer within 2 s", said.getvalue())
        if self.noted.exists(): # it got that far within its two seconds
            self.expect_end_of(self.started())

    def test_it_ends_with_the_program_that_asks(self):
        words = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); "
                 f"from peers import interpreter; interpreter.has({self.hanging()!r}, ['os'], 1000)"]
        with subprocess.Popen(words, stderr=subprocess.DEVNULL) as asking:
            pid = self.started()
            asking.send_signal(signal.SIGTERM)
            self.assertEqual(asking.wait(PATIENCE_S), -signal.SIGTERM)
        self.expect_end_of(pid)

    def test_a_signal_before_it_waits_leaves_nothing(self):
        lines = ["import os, pathlib, signal, sys, time",
                 f"sys.path.insert(0, {str(SCRIPTS)!r})",
                 "from peers import interpreter",
                 "ends_with_us = interpreter.ends_with_us",
                 "def late(child):",
                 f"    while not pathlib.Path({str(self.noted)!r}).exists():",
                 "        time.sleep(0.01)",
                 "    os.kill(os.getpid(), signal.SIGTERM)",
                 "    return ends_with_us(child)",
                 "interpreter.ends_with_us = late",
                 f"interpreter.has({self.hanging()!r}, ['os'], 1000)"]
        done = subprocess.run([sys.executable, "-c", "\n".join(lines)], stderr=subprocess.DEVNULL,
                              timeout=PATIENCE_S)
        self.assertEqual(done.returncode, -signal.SIGTERM)
        self.expect_end_of(self.started())


if __name__ == "__main__":
    unittest.main()
