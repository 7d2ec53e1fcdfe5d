#!/usr/bin/env python3
"""Plants faults in what verifies (oracles, bounds, hashes, verdicts, poison, guards, statistics) and
checks that tests fail.

    tests/mutation/run.py                 every mutant
    tests/mutation/run.py --draw 5        five, drawn at random, seeded by the date
    tests/mutation/run.py --only TEXT     those whose file or name contains TEXT
    tests/mutation/run.py --check         checks that each still applies, and counts them; builds nothing

The mutants are in mutants.txt in this folder, which describes its format. The tree is copied and built
once. Then, for each mutant, its file is changed in the copy, the tests that should fail are built and
run, and the file is restored. --results FILE writes a line for each mutant. The tree itself is never
changed. Status 0: each mutant was killed, or is listed as one that cannot be; 1: one survived, or was
killed although it is listed; 2: one does not apply any more, or the list is wrong.
"""
import argparse
import collections
import datetime
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = "build-debug"
CHANGE = re.compile("«([^«→»]*)→([^«→»]*)»")
TEST_ENVIRONMENT = {"MAXPOOL_WAIT": "0", "OMP_WAIT_POLICY": "passive", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                    "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


class Mutant:
    def __init__(self, heading, path, tests, name, line):
        self.heading, self.path, self.tests, self.name, self.line = heading, path, tests, name, line
        self.lines, self.reason = [], None

    def apply(self, text):
        """Returns the mutated text; the old text must occur in it exactly once."""
        marked = "\n".join(self.lines)
        old, new = CHANGE.sub(r"\1", marked), CHANGE.sub(r"\2", marked)
        if old == new:
            raise ValueError(f"mutants.txt:{self.line}: '{self.name}' changes nothing")
        found = text.count(old)
        if found != 1:
            raise ValueError(f"mutants.txt:{self.line}: '{self.name}' does not apply to {self.path}: "
                             f"its text is found {found} times")
        return text.replace(old, new)


def read_mutants(path):
    """Reads mutants.txt, which describes its format. A part begins with '[FILE] TESTS', a mutant with '= NAME'."""
    mutants, heading, part, tests = [], "", None, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("# ----"):
            heading = line.strip("# -")
        if not line or line.startswith("#"):
            continue
        kind, rest = line[0], line[2:]
        if kind == "[":
            part, _, words = line[1:].partition("]")
            tests = words.split()
        elif kind == "=":
            mutants.append(Mutant(heading, part, tests, rest, number))
        elif kind == "~" and mutants:
            mutants[-1].lines.append(rest)
        elif kind == "!" and mutants:
            mutants[-1].reason = rest
        else:
            raise ValueError(f"mutants.txt:{number}: what is this line?")
    for m in mutants:
        if not (m.path and m.tests and m.lines):
            raise ValueError(f"mutants.txt:{m.line}: '{m.name}' lacks its file, tests or text")
    return mutants


def copy_tree(to):
    """Copies the files that git tracks, and new ones that are not ignored."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                           capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source = ROOT / name
        if source.is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, to / name)


def build(folder, targets, log):
    command = ["cmake", "--build", folder / BUILD, "--target", *targets, "-j", str(os.cpu_count())]
    return subprocess.run(command, stdout=log, stderr=log, check=False).returncode == 0


def programs_of(tests):
    return sorted({test.partition(":")[0] for test in tests})


def run_test(folder, name, limit, log):
    """Returns 'passed', 'failed' or 'too long'; NAME:N runs NAME with N ranks of MPI, and ctest runs a test that is no
    program."""
    program, _, ranks = name.partition(":")
    command = [folder / BUILD / "bin" / program]
    if not command[0].exists():
        command = ["ctest", "--no-tests=error", "-R", f"^{program}$"]
    launcher = ["mpirun", "--oversubscribe", "-n", ranks] if ranks else []
    threads = "1" if ranks or "mpi" in program else "2"  # as tests/CMakeLists.txt has it
    try:
        done = subprocess.run([*launcher, *command], stdout=log, stderr=log, timeout=limit,
                              cwd=folder / BUILD, check=False,
                              env={**os.environ, **TEST_ENVIRONMENT, "OMP_NUM_THREADS": threads})
    except subprocess.TimeoutExpired:
        return "too long"
    return "passed" if done.returncode == 0 else "failed"


def prepare(folder, mutants, limits, log):
    """Makes the copy and builds it unchanged; its tests must pass, and their times set the limits for mutants."""
    copy_tree(folder)
    subprocess.run(["cmake", "--preset", "debug"], cwd=folder, stdout=log, stderr=log, check=True)
    tests = sorted({t for m in mutants for t in m.tests})
    if not build(folder, programs_of(tests), log):
        raise RuntimeError("the tests do not build")
    for test in tests:
        start = time.monotonic()
        if run_test(folder, test, 600, log) != "passed":
            raise RuntimeError(f"{test} fails without any mutant")
        limits[test] = 60 + 10 * (time.monotonic() - start)


def verify(folder, mutant, limits, log):
    """Returns 'killed by TEST', 'survived' or 'does not compile'."""
    path = folder / mutant.path
    original = path.read_text()
    path.write_text(mutant.apply(original))
    try:
        if not build(folder, programs_of(mutant.tests), log):
            return "does not compile"
        for test in mutant.tests:
            outcome = run_test(folder, test, limits[test], log)
            if outcome != "passed":
                return f"killed by {test}" + (" (it took too long)" if outcome == "too long" else "")
        return "survived"
    finally:
        path.write_text(original)


def is_sound(mutant, outcome):
    if mutant.reason:
        return outcome == "survived"
    return outcome.startswith("killed")


def choose(mutants, arguments):
    if arguments.only:
        mutants = [m for m in mutants if any(text in m.path or text in m.name for text in arguments.only)]
    if arguments.draw:
        rng = random.Random(datetime.date.today().isoformat())
        mutants = rng.sample(mutants, min(arguments.draw, len(mutants)))
    return mutants


def run(mutants, arguments):
    limits, outcomes = {}, []
    results = open(arguments.results, "w") if arguments.results else None
    with tempfile.TemporaryDirectory(prefix="mutation.") as name:
        folder = pathlib.Path(name)
        with open(folder / "log", "w") as log:
            prepare(folder, mutants, limits, log)
            for m in mutants:
                start = time.monotonic()
                outcome = verify(folder, m, limits, log)
                outcomes.append((m, outcome))
                mark = "" if is_sound(m, outcome) else "   <-- " + (m.reason or "a hole")
                text = f"{m.path}: {m.name}: {outcome} ({time.monotonic() - start:.0f} s){mark}"
                print(text, flush=True)
                if results:
                    print(f"{m.path}\t{m.name}\t{outcome}\t{m.reason or ''}", file=results, flush=True)
    killed = sum(o.startswith("killed") for _, o in outcomes)
    listed = sum(o == "survived" and bool(m.reason) for m, o in outcomes)
    unsound = sum(not is_sound(m, o) for m, o in outcomes)
    print(f"{len(outcomes)} mutants: {killed} killed, {listed} survive with a reason, {unsound} unexpected")
    return 1 if unsound else 0


def main():
    parser = argparse.ArgumentParser(description="Plants faults in what verifies and sees the tests fail.")
    parser.add_argument("--draw", type=int, metavar="N", help="N of the mutants, drawn by the date")
    parser.add_argument("--only", metavar="TEXT", action="append",
                        help="mutants whose file or name holds TEXT; may be given several times")
    parser.add_argument("--check", action="store_true", help="whether each applies, and how many there are; builds nothing")
    parser.add_argument("--results", metavar="FILE", help="a line for each mutant: file, name, outcome, reason")
    arguments = parser.parse_args()
    try:
        mutants = read_mutants(HERE / "mutants.txt")
        for m in mutants:
            m.apply((ROOT / m.path).read_text())
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.check:
        for heading, count in collections.Counter(m.heading for m in mutants).items():
            print(f"{count:4d}  {heading}")
        reasons = sum(m.reason is not None for m in mutants)
        print(f"{len(mutants)} mutants apply; {reasons} of them survive, with a reason")
        return 0
    chosen = choose(mutants, arguments)
    return run(chosen, arguments) if chosen else 2


if __name__ == "__main__":
    sys.exit(main())
