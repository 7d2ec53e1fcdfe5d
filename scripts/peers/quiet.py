"""Text that libraries print while they are loaded or convert models is not our output."""
import contextlib
import os
import sys


@contextlib.contextmanager
def quiet():
    """Discards standard output, including that of code that is not Python's."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
