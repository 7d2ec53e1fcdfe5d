"""Which Python has a library: MAXPOOL_PYTHON names others, or folders of virtual environments,
parted by colons."""
import os
import subprocess
import sys

LOOK = ("import importlib.util, sys; "
        "sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1:]))")


def has(python, modules):
    """Whether it finds all of them."""
    try:
        done = subprocess.run([python, "-c", LOOK, *modules], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def named():
    """The interpreters of MAXPOOL_PYTHON."""
    for name in filter(None, os.environ.get("MAXPOOL_PYTHON", "").split(":")):
        yield os.path.join(name, "bin", "python") if os.path.isdir(name) else name


def change(modules):
    """Goes on as the first of those named that has the modules; else as this one."""
    pythons = list(named())
    os.environ.pop("MAXPOOL_PYTHON", None)
    for python in pythons:
        if has(python, modules):
            os.execv(python, [python, *sys.argv])
