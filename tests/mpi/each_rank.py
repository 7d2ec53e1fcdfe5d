"""How each of several ranks ends, since mpirun reports only one status for all."""
import re

from checks import expect
from commands import done, write

EACH = write("each", '#!/bin/sh\n"$@"\necho "left with $?"\n')  # $MPIRUN N $DIR/each PROGRAM
EACH.chmod(0o755)


def ours(text):
    """Counts our messages in the launcher's output, except the one about too few cores for this test."""
    return len(re.findall("[a-z]_mpi: ", text)) - text.count("the total time includes waiting for a core")


def leaves_alike(ranks, status, line, words):
    """Every rank ends with the status, and one message, which has the words, is ours."""
    outcome = done(line, err=(words,))
    left = re.findall(r"left with (\d+)\n", outcome.out)
    expect(f"{ranks} ranks leave with {status}", left == [str(status)] * ranks, outcome)
    expect("one message", ours(outcome.err) == 1, outcome)
