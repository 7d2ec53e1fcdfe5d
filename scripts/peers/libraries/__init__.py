"""One module a library. Each tells its METHODS, by operator and name, with their ideas; `version`;
and prepares a problem: what the clock is around, and what brings its result into our layout."""
import importlib

from peers.failure import UNAVAILABLE, Failure

PACKAGES = {"onnxruntime": "onnxruntime onnx", "openvino": "openvino onnx",
            "pytorch": "torch", "tensorflow": "tensorflow", "faiss": "faiss",
            "scipy": "scipy", "mkl": "", "python": "", "numba": "numba", "numba-cuda": "numba"}
"""The modules that each needs, beside numpy."""


def load(name):
    """The module of a library, or why there is none."""
    try:
        return importlib.import_module(f"peers.libraries.{name.replace('-', '_')}_peer")
    except (ImportError, OSError) as error:
        raise Failure(UNAVAILABLE, f"this Python has no {name}: {error} "
                      "(docs/peers.md tells how to give it one)") from error


def takes_windows(name):
    """Whether it computes a window at a time: any filter, and padding that takes part."""
    return hasattr(load(name), "prepare_windows")
