#!/usr/bin/env python3
"""The machine's limits are visited again in the rounds of a study of fake point programs: the file of ceilings has more
visits and the best of all of them, and nothing else of it changes. Usage: tests/support/commands.py."""
import csv
import io
import pathlib
import socket
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from drill import main, whole_rows  # noqa: E402
from commands import done  # noqa: E402

# 128 x 128 floats and their map are 80 KiB: the rows of 32 KiB are those in question. LOW rates are lower than those of
# any machine, HIGH ones higher.
LOW, HIGH, VISITS_BEFORE = 1e3, 1e18, 13
# What, stores, working set, workers, rate (bytes or operations per second), whether it may be visited.
MADE = (("read", "", 65536, 1, HIGH, False),  # another machine
        ("read", "", 32768, 1, LOW, True), ("pool", "ordinary", 32000, 1, HIGH, True),
        ("pool", "streaming", 32000, 1, LOW, False),  # slower stores
        ("copy", "ordinary", 32768, 1, LOW, True), ("read", "", 16384, 1, LOW, False),  # a smaller size
        ("read", "", 1 << 30, 1, LOW, False),  # larger than the point
        ("read", "", 32768, 2, LOW, False),  # more workers
        ("multiply_add", "", "", 1, LOW, True))


def unit(what):
    return "operations_per_s" if what == "multiply_add" else "bytes_per_s"


def made_ceilings():
    isa = done("./maxpool_serial -n 8 --samples 1 --method literal --format csv").cell("literal", "isa")
    rows = []
    for what, stores, size, workers, rate, _ in MADE:
        names = ("operations" if what == "multiply_add" else "bandwidth_bytes",) + tuple(
            f"{end}_{unit(what)[:-6]}" for end in ("lower", "upper", "median", "highest"))
        rows.append({"level": "" if what == "multiply_add" else "memory", "what": what, "stores": stores, "isa": isa,
                     "working_set_bytes": size, "workers": workers, "visits": VISITS_BEFORE,
                     "host": "another" if size == 65536 else socket.gethostname()[:255],
                     **{f"{name}_per_s": rate for name in names}})
    text = io.StringIO()
    writer = csv.DictWriter(text, sorted({name for row in rows for name in row}), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def begin(d, ceilings):
    d.define("method = steady\nsize = 128", samples=3)
    d.results.mkdir()
    if ceilings:
        (d.results / "ceilings.csv").write_text(ceilings)
    return d.results / "ceilings.csv"


def rounds_visit_the_limits(d):
    path = begin(d, made_ceilings())
    d.study("run drill")
    rows, added = whole_rows(path)[0], 0
    d.expect("all rows", len(rows) == len(MADE), rows)
    for row, (what, _, _, _, rate, may) in zip(rows, MADE):
        visits = float(row["visits"]) - VISITS_BEFORE
        value, lower, highest = (float(row[f"{name}{unit(what)}"]) for name in (
            "" if unit(what)[0] == "o" else "bandwidth_", "lower_", "highest_"))
        d.expect("the rate is what it was", value == lower == rate, row)
        d.expect("the highest is the best of all", (highest > 1e6) == (visits > 0 or rate > 1e6) and
                 (rate != HIGH or highest == HIGH), row)
        d.expect("it may be visited", may or visits == 0, row)
        added += visits
    d.expect("the first round has a visit, and a row at most one in a round", 1 <= added <= 3 * len(MADE), added)


def a_complete_study_visits_nothing(d):
    """A study that measures nothing leaves the file as it is."""
    path = begin(d, made_ceilings())
    d.study("run drill")
    before = path.read_text()
    d.expect("it has visits", before.count("\n") == len(MADE) + 1, before)
    for options in ("", " --seed 36 --budget 0.000001"):
        d.study("run drill" + options)
        d.expect("it is unchanged", path.read_text() == before)


def no_ceilings_no_visits(d):
    """Without a file of ceilings there is none afterwards, and one that is none does not matter."""
    path = begin(d, "")
    d.study("run drill")
    d.expect("there is none", not path.exists())
    path = begin(d, "colour,weight\nred,1\n")
    d.study("run drill")
    d.expect("it is unchanged", path.read_text() == "colour,weight\nred,1\n")


if __name__ == "__main__":
    sys.exit(main(rounds_visit_the_limits, a_complete_study_visits_nothing, no_ceilings_no_visits))
