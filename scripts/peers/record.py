"""Rows of the record (harness/records/record.c), by name."""
import csv
import fcntl
import io
import os
import platform
import time

from peers.failure import USAGE, Failure


def shared(o, library, setup_s):
    """The columns that all rows of a launch have besides the point's own columns."""
    host = platform.node()
    return {"experiment": o.experiment, "program": o.program, "operator": o.operator,
            "space": o.library, "method": o.method, "seed": o.seed, "max_value": o.max_value,
            "input": "random", "threads": o.threads, "nodes": 1, "isa": library.version(), "isa_limit": o.isa,
            "bind": "none", "launch": "plain",
            "run_id": f"{host}-{os.getpid()}-{time.time_ns():x}", "round": o.round,
            "setup_s": f"{setup_s:.9f}", "distribute_s": 0, "collect_s": 0, "host": host}


def lines(names, rows):
    """The rows as text."""
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writerows(rows)
    return text.getvalue()


def append(path, names, rows):
    """Appends whole rows, under the lock that the point programs take; they are on disk when it returns."""
    with open(path, "a+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        header = file.readline().decode()
        if header and header.rstrip("\n").split(",") != names:
            raise Failure(USAGE, f"{path}: holds rows of another kind; choose another file")
        text = ("" if header else ",".join(names) + "\n") + lines(names, rows)
        file.write(text.encode())
        os.fsync(file.fileno())
