"""Text that libraries print while they are loaded, convert models or report their code is not our output."""
import contextlib
import ctypes
import os
import sys
import tempfile


@contextlib.contextmanager
def quiet():
    """Discards standard output, including that of code that is not Python's."""
    with captured():
        yield


@contextlib.contextmanager
def captured():
    """Sends standard output to a file, including that of code that is not Python's; yields a function that returns
    its lines afterwards."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        sys.stdout.flush()
        kept, lines = os.dup(1), []
        try:
            os.dup2(file.fileno(), 1)
            yield lambda: lines
        finally:
            ctypes.CDLL(None).fflush(None)
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
            file.seek(0)
            lines += file.read().splitlines()
