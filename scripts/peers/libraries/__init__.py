"""One module a library, NAME_peer.py, and all that is known of it. PACKAGES: the Python packages that it needs beside
numpy. METHODS: operator, name and idea, each on a line of its own; behind them, where a plan has to know, the
seconds until the first execution (else as our programs) and the operations a second of one thread (else as vector
code). CMake reads these lines too (cmake/MaxpoolPythonPeers.cmake): from them are the programs OPERATOR_NAME and
the table of peers/script_methods.c. Further `version`, and functions that prepare a problem: what the clock is around,
and what brings its result into our layout."""
import ast
import importlib
import pathlib

from peers.failure import UNAVAILABLE, Failure


def file_name(name):
    """Of its module."""
    return f"{name.replace('-', '_')}_peer"


def packages(name):
    """The Python packages that a library needs beside numpy, without its module being run; None: no such library."""
    path = pathlib.Path(__file__).parent / f"{file_name(name)}.py"
    if not path.is_file():
        return None
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "PACKAGES":
            return ast.literal_eval(node.value).split()
    return []


def load(name):
    """The module of a library, or why there is none."""
    try:
        return importlib.import_module(f"peers.libraries.{file_name(name)}")
    except (ImportError, OSError) as error:
        raise Failure(UNAVAILABLE, f"this Python has no {name}: {error} "
                      "(docs/peers.md says how to give it one)") from error


def methods(library, computes):
    """The ideas of a library's methods, by name."""
    return {name: idea for operator, name, idea, *_ in library.METHODS if operator == computes}


def takes_windows(name):
    """Whether it computes a window at a time: any filter, and padding that takes part."""
    return hasattr(load(name), "prepare_windows")
