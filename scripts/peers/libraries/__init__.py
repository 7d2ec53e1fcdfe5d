"""One module per library, NAME_peer.py, with all that is known about it. PACKAGES: the Python packages that it needs
besides numpy. METHODS: operator, name and idea, each method on one line; optionally followed, for plans, by the
seconds until the first execution (default: as our programs) and the operations per second of one thread (default: as
vector code). CMake reads these lines too (cmake/MaxpoolPythonPeers.cmake) and generates from them the programs
OPERATOR_NAME and the table of peers/script_methods.c. Also `version`, and functions that prepare a problem: they
return the timed call, and a function that converts its result to our layout. A library that --isa can limit has LIMITS
and `keeps_limit` too (peers/instruction_set.py)."""
import ast
import importlib
import pathlib

from peers.failure import UNAVAILABLE, Failure


def file_name(name):
    """The file name of a library's module."""
    return f"{name.replace('-', '_')}_peer"


def constant(name, word, usual):
    """A constant of a library's module, read without running it; `usual` if it has none."""
    path = pathlib.Path(__file__).parent / f"{file_name(name)}.py"
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == word:
            return ast.literal_eval(node.value)
    return usual


def packages(name):
    """The Python packages that a library needs besides numpy; None: no such library."""
    path = pathlib.Path(__file__).parent / f"{file_name(name)}.py"
    return constant(name, "PACKAGES", "").split() if path.is_file() else None


def load(name):
    """The module of a library; raises the reason if it cannot be imported."""
    try:
        return importlib.import_module(f"peers.libraries.{file_name(name)}")
    except (ImportError, OSError) as error:
        raise Failure(UNAVAILABLE, f"this Python has no {name}: {error} "
                      "(docs/peers.md says how to give it one)") from error


def methods(library, computes):
    """The ideas of a library's methods, by name."""
    return {name: idea for operator, name, idea, *_ in library.METHODS if operator == computes}


def takes_windows(name):
    """True if the library computes one window at a time: with any filter, and with padding that takes part in the
    maximum."""
    return hasattr(load(name), "prepare_windows")
