"""1, 2, 4 and 16 ranks on two cores, through `study run`, `analyze` and `report`: more workers than cores are
measured, but give no speedup. Usage: test_oversubscribed.py BUILD_FOLDER. Status 77: nothing to run it with."""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
MARGIN = 1.1  # tolerance over the number of cores, for the effect of caches on a true speedup
DEFINITION = """[experiment]
title = Ranks that share cores
question = What do more ranks than cores bring?
baseline = literal
charts = strong_scaling
section = workers
oversubscribe = 8
launches = 6
samples = 4
max_seconds = 0.01
[points serial]
programs = maxpool_serial
method = literal
size = 512
[points ranks]
programs = maxpool_mpi
method = literal
distribution = generate
size = 512
ranks = 1 2 4 cores
"""


def two_cores():
    """Returns the first two hardware threads of different cores that this process may use."""
    chosen, seen = [], set()
    for cpu in sorted(os.sched_getaffinity(0)):
        place = f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
        try:
            with open(place, encoding="ascii") as file:
                core = file.read().strip()
        except OSError:
            core = str(cpu)
        if core not in seen:
            seen.add(core)
            chosen.append(cpu)
    return chosen[:2]


def run(build, arguments, status=0):
    """Runs a command of study and returns its output."""
    done = subprocess.run([f"{build}/bin/study", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != status:
        sys.exit(f"study {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(text, part):
    """Checks that the text has that part."""
    if part not in text:
        sys.exit(f"'{part}' is not in:\n{text}")


def numbers_of(row, column):
    """Returns value, lower and upper end of a derived column; None for missing ones."""
    return [float(row[name]) if row.get(name) else None for name in (column, column + "_lower", column + "_upper")]


def check_point(row, cores):
    """No ratio of a point that shares cores exceeds the cores; for other points the interval reaches down to them."""
    limit = MARGIN * cores
    workers, shares = float(row["workers"]), row["shares_cores"] == "1"
    if shares != (workers > cores):
        sys.exit(f"{row['label']}: shares_cores is {row['shares_cores']} on {cores} cores")
    for column in ("one_total", "named_total", "best_total", "one_compute", "named_compute", "best_compute"):
        value, lower, _ = numbers_of(row, column)
        if shares and column.endswith("compute") and value is not None:
            sys.exit(f"{row['label']}: {column} is {value}, and leaves the waiting out")
        reported = value if shares or lower is None else lower
        if reported is not None and reported > limit:
            sys.exit(f"{row['label']}: {column} is {reported}, above {limit}")
    if not shares:
        return
    if (
        row["status"] not in ("SUSPECT", "INVALID")
        or f"{workers:.0f} ranks share {cores:.0f} cores" not in row["reasons"]
    ):
        sys.exit(f"{row['label']}: {row['status']}, {row['reasons']}")
    if "something else was running" in row["reasons"]:
        sys.exit(f"{row['label']}: {row['reasons']}")
    efficiency = float(row["efficiency"])
    if abs(efficiency * workers - float(row["one_total"])) > 1e-6 * workers:
        sys.exit(f"{row['label']}: efficiency {efficiency} is not of the total time {row['one_total']}")


def check_sentences(text, cores):
    """The report makes nothing faster than the cores allow, and calls no oversubscribed point the best."""
    for sentence in text.splitlines():
        found = re.search(
            r"(\d+) (?:ranks|threads) make [\w-]+(?: \w+)? ([\d.]+)(?: \[([\d.]+), [\d.]+\]| to [\d.]+)? times as fast",
            sentence.replace("\\", ""),
        )
        if found and int(found.group(1)) > cores:
            sys.exit(f"{found.group(1)} workers on {cores} cores: {sentence}")
        if found and float(found.group(3) or found.group(2)) > MARGIN * cores:  # the lower end: above it may be noise
            sys.exit(sentence)
        if "the best" in sentence and re.search(r"\b(4|16) ranks", sentence):
            sys.exit(sentence)


def check_results(build, folder, results, cores):
    """The derived points, the summary of failures, and the page."""
    where = ["--results", results, "--definitions", folder]
    out = run(build, ["status", "crowd", "--quick", "--cores", "16", *where])
    expect(out, "30 of 30 launches done, 0 failed, 0 missing")
    run(build, ["analyze", "crowd", *where])
    with open(f"{results}/analysis/crowd.points.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if sorted(float(row["workers"]) for row in rows) != [1, 1, 2, 4, 16]:
        sys.exit(f"workers {[row['workers'] for row in rows]}")
    for row in rows:
        check_point(row, cores)
    run(build, ["report", "crowd", "--charts", "none", *where])
    with open(f"{results}/report.md", encoding="utf-8") as file:
        page = file.read()
    expect(page, "more workers than cores")
    check_sentences(page, cores)


def main():
    """Runs the test."""
    build = os.path.abspath(sys.argv[1])
    pinned = two_cores()
    if len(pinned) < 2 or not os.path.exists(f"{build}/bin/maxpool_mpi"):
        sys.exit(SKIPPED)
    os.sched_setaffinity(0, pinned)
    with tempfile.TemporaryDirectory() as folder:
        results = f"{folder}/results"
        with open(f"{folder}/crowd.ini", "w", encoding="utf-8") as file:
            file.write(DEFINITION)
        out = run(build, ["run", "crowd", "--quick", "--cores", "16", "--results", results, "--definitions", folder])
        with open(f"{results}/environment.json", encoding="utf-8") as file:
            machine = json.load(file)["machine"]
        cores = machine["capacity_workers"]
        expect(out, "more workers than the ")
        expect(out, "mpirun --oversubscribe")
        check_results(build, folder, results, cores)


if __name__ == "__main__":
    main()
