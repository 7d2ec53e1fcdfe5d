"""Which Python has a library: MAXPOOL_PYTHON names others, or folders of virtual environments,
separated by colons."""
import contextlib
import ctypes
import importlib.util
import os
import signal
import subprocess
import sys

LOOK = ("import importlib.util, sys; "
        "sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1:]))")
SYSTEM = "/usr/bin/python3"
SECONDS = 20
"""In which a Python answers; one that hangs is passed over, aloud."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def lead(mask):
    """In the child: leads a group of its own, dies with this process, and takes the signals that it took."""
    os.setpgid(0, 0)
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def kill_group(child):
    """The child and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


@contextlib.contextmanager
def signals_wait():
    """Signals that would end this process come when the block has ended; gives the mask from before."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def ends_with_us(child):
    """A signal that ends this process ends the child's group before."""
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
    """Whether it finds all of them."""
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
    """The interpreters of MAXPOOL_PYTHON."""
    for name in filter(None, os.environ.get("MAXPOOL_PYTHON", "").split(":")):
        yield os.path.join(name, "bin", "python") if os.path.isdir(name) else name


def lacks(modules):
    """Whether this Python does not find all of them."""
    return any(importlib.util.find_spec(name) is None for name in modules)


def change(modules):
    """Goes on as the first of those named that has the modules; else as this one, or as the system's where this one
    lacks them: Debian's packages are the system's alone."""
    pythons = list(named())
    os.environ.pop("MAXPOOL_PYTHON", None)
    if lacks(modules) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM):
        pythons.append(SYSTEM)
    for python in pythons:
        if has(python, modules):
            os.execv(python, [python, *sys.argv])
