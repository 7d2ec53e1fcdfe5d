"""Command lines as a user types them, in a folder of the test's own: what they print, what they refuse and what they
leave. A test is a file of functions without arguments, which main() calls in their order:
    test.py BIN [FEATURES [LAUNCHER]]
BIN is the folder of the programs; FEATURES are words, separated by commas, of what the build has (openmp, mpi, png,
jpeg, nifti, cjson, sanitize: a sanitizer); LAUNCHER starts N ranks if " N" follows it."""
import csv
import os
import pathlib
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback
import zlib

from checks import expect, faults, finish

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CASES, DATA = SOURCE / "tests/cases", SOURCE / "tests/data"
BIN = pathlib.Path(sys.argv[1]).resolve()
FEATURES = sys.argv[2].split(",") if len(sys.argv) > 2 else []
LAUNCHER = sys.argv[3] if len(sys.argv) > 3 else ""
SKIPPED = 77  # SKIP_RETURN_CODE of the tests
KEPT = tempfile.TemporaryDirectory(prefix="maxpool-test.")
DIR = pathlib.Path(KEPT.name)
# What a command line may use: $WHEN sends a command a signal once a file has a number of bytes.
VARIABLES = {"MPIRUN": LAUNCHER, "DATA": DATA, "CASES": CASES, "DIR": DIR, "SOURCE": SOURCE,
             "WHEN": SOURCE / "tests/support/when.sh", "BY_RANK": SOURCE / "tests/support/by_rank.sh"}
SETTINGS = "".join(f"{name}={shlex.quote(str(value))}; " for name, value in VARIABLES.items())


class Outcome:
    """What a command did: its status (-signal if a signal ended the shell), what it printed, and the largest resident
    set in KiB, which is at least that of Python, some 17 MB. Begin the command with exec if the set is to be the
    program's own."""

    def __init__(self, line, status, out, err, peak_kib):
        self.line, self.status, self.out, self.err, self.peak_kib = line, status, out, err, peak_kib

    def __str__(self):
        return f"{self.line}\n  status {self.status}\n{self.out}{self.err}"

    def cell(self, method, column):
        """Returns the text in a column of the last row of a method in the printed table."""
        return [row[column] for row in csv.DictReader(self.out.splitlines()) if row["method"] == method][-1]


class Skipped(Exception):
    """A function of a test cannot be run here; its text is the reason."""


def need(feature):
    """Leaves the calling function out where the build lacks a feature."""
    if feature not in FEATURES:
        raise Skipped(f"built without {feature}")


lacked = []  # programs that are not in PATH


def need_program(name):
    """Leaves the calling function out where a program is not in PATH. The test then counts as skipped."""
    if not shutil.which(name):
        lacked.append(name)
        raise Skipped(f"{name} is missing")


def command(line, typed=""):
    """Runs a command line by /bin/sh in the folder of the programs; `typed` is its standard input."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(typed.encode())
        given.seek(0)
        child = subprocess.Popen(["/bin/sh", "-c", SETTINGS + line], cwd=BIN, stdin=given, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="surrogateescape"))
    return Outcome(line, child.returncode, *texts, usage.ru_maxrss)


def holds(outcome, *words, err=(), never=()):
    """Expects words on standard output, others on standard error, and some on neither. Returns the outcome."""
    for word in words:
        expect(f"{word!r} is printed", word in outcome.out, outcome)
    for word in err:
        expect(f"{word!r} is on standard error", word in outcome.err, outcome)
    for word in never:
        expect(f"{word!r} is not printed", word not in outcome.out + outcome.err, outcome)
    return outcome


def done(line, *words, typed="", err=(), never=()):
    """Runs a command that must end with status 0 and print the words."""
    outcome = command(line, typed)
    expect("status 0", outcome.status == 0, outcome)
    return holds(outcome, *words, err=err, never=never)


def fails(status, line, *words, typed=""):
    """Runs a command that must end with the status and print the words on standard error."""
    outcome = command(line, typed)
    expect(f"status {status}", outcome.status == status, outcome)
    return holds(outcome, err=words)


def refused(status, line, *words):
    """The same, and standard error is one line."""
    outcome = fails(status, line, *words)
    expect("one line is on standard error", outcome.err.count("\n") == 1, outcome)
    return outcome


def write(name, content):
    """Writes a text or bytes as a file of the folder; returns its path."""
    path = DIR / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(name):
    """Returns the text of a file of the folder, which is removed."""
    text = (DIR / name).read_text(encoding="utf-8")
    (DIR / name).unlink()
    return text


def write_npy(name, shape, values):
    """Writes numbers as a .npy file of floats of 32 bits."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}".encode()
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    return write(name, start + struct.pack(f"<{len(values)}f", *values))


def read_npy(name):
    """Returns shape and numbers of such a file, or of one of 64 bits, in rows' order."""
    content = (DIR / name).read_bytes()
    start = 10 + struct.unpack_from("<H", content, 8)[0]
    shape = content[10:start].decode().split("(")[1].split(")")[0]
    bytes_each, kind = (8, "d") if b"<f8" in content[:start] else (4, "f")
    numbers = struct.unpack(f"<{(len(content) - start) // bytes_each}{kind}", content[start:])
    return tuple(int(length) for length in shape.split(",") if length.strip()), numbers


def write_zeros_png(name, side):
    """Writes a gray picture of side x side zeros, which takes a thousandth of their bytes."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return write(name, b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                 chunk(b"IDAT", zlib.compress(bytes(side * (side + 1)))) + chunk(b"IEND", b""))


def main(*functions):
    """Runs the functions of a test, each whatever happens to those before it. Returns the exit status, that of a
    skipped test if a program is lacking and all else is good."""
    for function in functions:
        before = len(faults)
        try:
            function()
            print(f"{'FAILED' if len(faults) > before else 'ok':7} {function.__name__}", flush=True)
        except Skipped as reason:
            print(f"skipped {function.__name__}: {reason}", flush=True)
        except Exception:  # a fault like any other
            expect(function.__name__, False, traceback.format_exc())
    return finish() or (SKIPPED if lacked else 0)
