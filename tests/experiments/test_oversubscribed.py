#!/usr/bin/env python3
"""1, 2, 4 and 16 ranks on two cores, through `study run`, `analyze` and `report`: more workers than cores are measured,
but give no speedup. Usage: tests/support/commands.py. Status 77: fewer than two cores here."""
import json
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, rows_in
from commands import DIR, SKIPPED, done, main, write

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
        place = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        core = place.read_text(encoding="ascii").strip() if place.exists() else str(cpu)
        if core not in seen:
            seen.add(core)
            chosen.append(cpu)
    return chosen[:2]


def check_point(row, cores):
    """No ratio of a point that shares cores exceeds the cores; for other points the interval reaches down to them."""
    def is_so(what, good):
        expect(f"{row['label']}: {what}", good, row)

    workers, shares = float(row["workers"]), row["shares_cores"] == "1"
    is_so("who shares cores", shares == (workers > cores))
    for column in ("one_total", "named_total", "best_total", "one_compute", "named_compute", "best_compute"):
        if column.endswith("compute"):
            is_so(f"{column} would leave the waiting out", not (shares and row[column]))
        reported = row[column] if shares else row.get(column + "_lower") or row[column]
        is_so(f"{column} is possible", not reported or float(reported) <= MARGIN * cores)
    if shares:
        is_so("it is doubtful", row["status"] in ("SUSPECT", "INVALID"))
        is_so("why", f"{workers:.0f} ranks share {cores:.0f} cores" in row["reasons"] and
              "something else was running" not in row["reasons"])
        is_so("the efficiency is of the total time",
              abs(float(row["efficiency"]) * workers - float(row["one_total"])) <= 1e-6 * workers)


def check_sentence(sentence, cores):
    """The report makes nothing faster than the cores allow, and calls no oversubscribed point the best."""
    found = re.search(
        r"(\d+) (?:ranks|threads) make [\w-]+(?: \w+)? ([\d.]+)(?: \[([\d.]+), [\d.]+\]| to [\d.]+)? times as fast",
        sentence.replace("\\", ""))
    if found:  # the lower end: above it may be noise
        expect("a possible speedup", int(found[1]) <= cores and float(found[3] or found[2]) <= MARGIN * cores, sentence)
    expect("not the best", "the best" not in sentence or not re.search(r"\b(4|16) ranks", sentence), sentence)


def ranks_that_share_cores_have_no_speedup():
    os.sched_setaffinity(0, two_cores())
    write("crowd.ini", DEFINITION)
    where = "--results $DIR/results --definitions $DIR"
    outcome = done(f"./study run crowd --quick --cores 16 {where}")
    machine = json.loads((DIR / "results/environment.json").read_text(encoding="utf-8"))["machine"]
    cores = machine["capacity_workers"]
    for words in ("more workers than the ", "mpirun --oversubscribe"):
        expect(words, words in outcome.out + outcome.err, outcome)
    outcome = done(f"./study status crowd --quick --cores 16 {where}")
    expect("all is done", "30 of 30 launches done, 0 failed, 0 missing" in outcome.out + outcome.err, outcome)
    done(f"./study analyze crowd {where}")
    rows = rows_in(DIR / "results/analysis/crowd.points.csv")
    expect("the workers", sorted(float(row["workers"]) for row in rows) == [1, 1, 2, 4, 16], rows)
    for row in rows:
        check_point(row, cores)
    done(f"./study report crowd --charts none {where}")
    page = (DIR / "results/report.md").read_text(encoding="utf-8")
    expect("the page says so", "more workers than cores" in page)
    for sentence in page.splitlines():
        check_sentence(sentence, cores)


if __name__ == "__main__":
    sys.exit(main(ranks_that_share_cores_have_no_speedup) if len(two_cores()) == 2 else SKIPPED)
