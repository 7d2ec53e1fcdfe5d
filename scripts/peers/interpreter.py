"""Finds a Python that has a library: MAXPOOL_PYTHON names interpreters, or folders of virtual environments, separated
by colons."""
import contextlib
import ctypes
import importlib.util
import os
import shutil
import signal
import subprocess
import sys

LOOK = ("import importlib.util, sys; "
        "sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1:]))")
SYSTEM = "/usr/bin/python3"
SECONDS = 20
"""Time limit for the answer of a Python; one that hangs is skipped with a message."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def lead(mask):
    """Runs in the child: it leads a process group of its own, dies with this process, and unblocks the signals
    again."""
    os.setpgid(0, 0)
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def kill_group(child):
    """Kills the child and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


@contextlib.contextmanager
def signals_wait():
    """Blocks signals that would end this process until the block ends; yields the previous mask."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def ends_with_us(child):
    """A signal that ends this process first kills the child's group."""
    def end(number, _frame):
        kill_group(child)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = [(number, signal.signal(number, end)) for number in ENDING]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def has(python, modules, seconds=SECONDS):
    """True if this Python finds all modules."""
    with contextlib.ExitStack() as stack:
        with signals_wait() as mask:
            try:
                child = subprocess.Popen([python, "-c", LOOK, *modules], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                         preexec_fn=lambda: lead(mask))
            except (OSError, subprocess.SubprocessError):
                return False
            stack.enter_context(ends_with_us(child))
        try:
            return child.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            print(f"{python}: no answer within {seconds} s; it is passed over", file=sys.stderr)
            return False
        finally:
            kill_group(child)


def named():
    """The interpreters of MAXPOOL_PYTHON; what is none is named."""
    for name in filter(None, os.environ.get("MAXPOOL_PYTHON", "").split(":")):
        python = os.path.join(name, "bin", "python") if os.path.isdir(name) else name
        if shutil.which(python):
            yield python
        else:
            print(f"MAXPOOL_PYTHON: {name} is no Python here; it is passed over", file=sys.stderr)


def lacks(modules):
    """True if this Python lacks one of the modules."""
    return any(importlib.util.find_spec(name) is None for name in modules)


def change(modules):
    """Continues as the first named Python that has the modules. If there is none, this Python continues, or the
    system's if this one lacks them: only the system's Python has Debian's packages."""
    pythons = list(named())
    os.environ.pop("MAXPOOL_PYTHON", None)
    if lacks(modules) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM):
        pythons.append(SYSTEM)
    for python in pythons:
        if has(python, modules):
            os.execv(python, [python, *sys.argv])
