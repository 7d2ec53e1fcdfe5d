"""Studies of fake point programs (fake_point.c): what a study runs, what it writes, how it ends. A test is a function of a
Drill, which is a folder of its own with definitions, programs, results and a log of launches; main() calls several at a
time, since they wait more than they compute."""
import concurrent.futures
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import checks  # noqa: E402
from commands import BIN, Skipped  # noqa: E402

TOGETHER = 4  # a run observes the machine for a second before it begins


def whole_rows(path):
    """Returns the rows of a CSV file whose lines are complete, and how many of them are torn."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    header, *rows = csv.reader(text[:text.rfind("\n") + 1].splitlines()) if "\n" in text else [[]]
    return [dict(zip(header, row)) for row in rows if len(row) == len(header)], sum(len(r) != len(header) for r in rows)


class Samples:
    """The rows of an experiment: their number, its finished launches, those that repeat a round, and torn rows."""

    def __init__(self, rows, corrupt):
        self.rows, self.corrupt = len(rows), corrupt
        self.launches = {}
        for row in rows:
            self.launches[(row["method"], row["rows"], row["init"], row["run_id"])] = row  # its last row
        finished = [(row["method"], row["rows"], row["init"], row["set"], row["round"])
                    for row in self.launches.values() if row["stop_reason"] not in ("", "interrupted")]
        self.finished, self.repeated = len(finished), len(finished) - len(set(finished))


class Drill:
    def __init__(self, name):
        self.name, self.folder = name, pathlib.Path(tempfile.mkdtemp(prefix="maxpool-drill-"))
        self.results = self.folder / "results"
        for part in ("definitions", "bin"):
            (self.folder / part).mkdir()
        (self.folder / "bin/maxpool_serial").symlink_to(BIN / "fake_point")
        self.output = ""

    def expect(self, what, good, seen=""):
        checks.expect(f"{self.name}: {what}", good, seen)

    def also(self, name, points, samples=4, launches=3, programs="maxpool_serial", more=""):
        """Adds a definition."""
        (self.folder / f"definitions/{name}.ini").write_text(
            f"[experiment]\ntitle = A drill\nquestion = Does it hold?\nsamples = {samples}\nlaunches = {launches}\n{more}"
            f"[points]\nprograms = {programs}\n{points}\n")

    def define(self, points, **settings):
        """Writes the definition "drill", and forgets the results and launches so far."""
        shutil.rmtree(self.results, ignore_errors=True)
        (self.folder / "log").unlink(missing_ok=True)
        self.also("drill", points, **settings)

    def start(self, line, before="", **environment):
        """Starts a command of study in a process group of its own, with the drill's definitions, programs and results;
        `before` is run by its shell. The variables are added to those of the test."""
        name, _, arguments = line.partition(" ")
        command = (f"{before}exec '{BIN}/study' {name} --definitions '{self.folder}/definitions' --bin "
                   f"'{self.folder}/bin' --results '{self.results}' {arguments}")
        with open(self.folder / "output", "w", encoding="utf-8") as out:
            return subprocess.Popen(["/bin/sh", "-c", command], stdout=out, stderr=out, start_new_session=True,
                                    env={**os.environ, "FAKE_LOG": str(self.folder / "log"), **environment})

    def study(self, line, *words, status=0, before="", **environment):
        """Runs a command that must end with the status (-signal) and print the words."""
        found = self.start(line, before, **environment).wait()
        self.output = (self.folder / "output").read_text(encoding="utf-8", errors="replace")
        self.expect(f"{line}: status {status}", found == status, f"{found}\n{self.output}")
        self.prints(*words)

    def prints(self, *words):
        for word in words:
            self.expect(f"{word!r} is printed", word in self.output, self.output)

    def ends(self, process, number):
        """Sends a process a signal, which must end it."""
        process.send_signal(number)
        self.expect(f"signal {number} ends it", process.wait() == -number, process.returncode)

    def shell(self, line):
        """Runs a line in the folder, where it must succeed."""
        script = f"STUDY='{BIN}/study'; {line}"
        outcome = subprocess.run(["/bin/sh", "-c", script], cwd=self.folder, capture_output=True, text=True, check=False,
                                 env={**os.environ, "FAKE_LOG": str(self.folder / "log")})
        self.expect(line, outcome.returncode == 0, outcome)

    def log(self):
        """Returns method, rows, round and process of each launch."""
        path = self.folder / "log"
        lines = path.read_text().split("\n")[:-1] if path.exists() else []
        return [(method, *map(int, numbers)) for method, *numbers in map(str.split, lines)]

    def expect_launches(self, count, processes=None):
        found = self.log()
        self.expect(f"{count} launches", len(found) == count, found)
        changes = sum(a[3] != b[3] for a, b in zip([(0, 0, 0, None)] + found, found))
        self.expect(f"{processes} processes", processes in (None, changes), found)

    def wait_for(self, count):
        """Waits until the programs have begun so many launches."""
        if not checks.wait_until(lambda: len(self.log()) >= count):
            raise TimeoutError(f"{count} launches")

    def journal(self, status, text="", experiment="drill"):
        """Returns how many rows the journal has of a status, with the text as reason or output."""
        return sum(row["experiment"] == experiment and row["status"] == status and
                   (text in row["reason"] or text in row["output"])
                   for row in whole_rows(self.results / "journal.csv")[0])

    def expect_journal(self, count, status, text="", experiment="drill"):
        found = self.journal(status, text, experiment)
        self.expect(f"{count} rows are {status} {text!r}", found == count, found)

    def expect_reason(self, status, text):
        self.expect(f"a row is {status} with {text!r}", self.journal(status, text) > 0,
                    (self.results / "journal.csv").read_text())

    def samples(self, experiment="drill"):
        """Returns those of the points of an experiment: it measured them, or the journal says that it shares them."""
        rows, corrupt = whole_rows(self.results / "samples.csv")
        done = [row for row in whole_rows(self.results / "journal.csv")[0] if row["status"] == "done"]
        point = lambda row: (row["program"], row["method"], row["rows"])
        own = {point(row) for row in rows + done if row["experiment"] == experiment}
        return Samples([row for row in rows if point(row) in own], corrupt)

    def points(self, experiment="drill"):
        """Returns the derived points of an experiment."""
        outcome = subprocess.run([BIN / "study", "export", experiment, "--results", self.results, "--definitions",
                                  self.folder / "definitions"], capture_output=True, text=True, check=False)
        self.expect("it is exported", outcome.returncode == 0, outcome)
        return list(csv.DictReader(outcome.stdout.splitlines()))

    def expect_samples(self, finished, experiment="drill"):
        """So many launches are finished, none is repeated, and no row is torn. Returns the samples."""
        found = self.samples(experiment)
        self.expect(f"{finished} finished launches of {experiment}, each once",
                    (found.finished, found.repeated, found.corrupt) == (finished, 0, 0), vars(found))
        return found


def call(function):
    """Calls a test with a new drill."""
    drill = Drill(function.__name__)
    before = len(checks.faults)
    try:
        function(drill)
        print(f"{'FAILED' if len(checks.faults) > before else 'ok':7} {drill.name}", flush=True)  # it, or one beside it
    except Skipped as reason:
        print(f"skipped {drill.name}: {reason}", flush=True)
    except Exception:  # a fault like any other
        drill.expect("no exception", False, traceback.format_exc())
    shutil.rmtree(drill.folder, ignore_errors=True)


def main(*functions):
    """Calls the tests, the first ones first. Returns the exit status."""
    with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(call, functions))
    return checks.finish()
