#!/usr/bin/env python3
"""Measures the starter of maxpool and labs/steps, interleaved, and writes their times into docs/lab.md, between the
marks of that table. A step that is not faster than the one before it in every pass is refused: the page stays as it is.
With --check nothing is measured: the page must list the starter and every step, each faster than the one before.
Usage: labs/steps_page.py BUILD_FOLDER [--despite-load] | --check"""
import csv
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PAGE = SOURCE / "docs/lab.md"
BEGIN, END = "<!-- labs/steps_page.py writes from here -->\n", "<!-- to here -->\n"
RUBRIC = """[kernel]
operator = maxpool
method = fused
size = 1024
kernel = 3
stride = 1
threads = 1
[points]
1 = correct
"""


def steps():
    """The files in the order of their steps, which the first comment of each numbers; the starter is step 0."""
    numbered = {0: SOURCE / "labs/starters/maxpool.c"}
    for path in (SOURCE / "labs/steps").glob("*.c"):
        step = re.search(r"From the starter, step (\d+):", path.read_text(encoding="utf-8"))
        if not step or int(step.group(1)) in numbered:
            sys.exit(f"{path}: its first comment names no step of its own")
        numbered[int(step.group(1))] = path
    return [numbered[i] for i in sorted(numbered)]


def name_of(path):
    return str(path.relative_to(SOURCE / "labs"))


def measure(build, files, more):
    """Returns the row of grades.csv of each file, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        copies = [place / f"step{i}.c" for i in range(len(files))]
        for path, copy in zip(files, copies):
            copy.write_bytes(path.read_bytes())
        (place / "rubric.ini").write_text(RUBRIC, encoding="utf-8")
        subprocess.run([str(pathlib.Path(build).resolve() / "bin/study"), "class", "measure", *map(str, copies), "--rubric",
                        "rubric.ini", "--names", "--max-seconds", "90", *more], cwd=place, check=True)
        with open(place / "grades.csv", encoding="utf-8", newline="") as table:
            rows = {row["student"]: row for row in csv.DictReader(table)}
        return [rows[copy.stem] for copy in copies]


def refuse_slower(files, rows):
    for i in range(1, len(rows)):
        if rows[i]["verdict"] != "correct" or not rows[i]["place"]:
            sys.exit(f"{name_of(files[i])}: {rows[i]['verdict']} {rows[i]['doubt']}")
        if int(rows[i]["last_place"]) >= int(rows[i - 1]["place"]):
            sys.exit(f"{name_of(files[i])} is not faster than {name_of(files[i - 1])}: refused")


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        model = re.search(r"^model name\s*: (.*)$", facts.read(), re.M)
    return model.group(1).strip() if model else platform.machine()


def table(files, rows):
    """Times as long as fused, with intervals, and times as fast as the starter."""
    first = float(rows[0]["ratio"])
    lines = [f"On one core of a machine with {processor()}, n = 1024, k = 3, stride 1:", "",
             "| source | times as long as `fused` | times as fast as the starter |", "|---|---|---|"]
    for path, row in zip(files, rows):
        ratio, lower, upper = (float(row[key]) for key in ("ratio", "ratio_lower", "ratio_upper"))
        lines.append(f"| `{name_of(path)}` | {ratio:.3g} [{lower:.3g}, {upper:.3g}] | {first / ratio:.2g} |")
    return "\n".join(lines) + "\n"


def halves():
    text = PAGE.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{PAGE}: the marks of the table are missing")
    before, rest = text.split(BEGIN)
    inside, after = rest.split(END)
    return before, inside, after


def check(files):
    """Whether the page's table has these files, in this order, each faster than the one before."""
    found = re.findall(r"^\| `([^`]+)` \| ([\d.e+]+) \[([\d.e+]+), ([\d.e+]+)\] \|", halves()[1], re.M)
    if [row[0] for row in found] != [name_of(path) for path in files]:
        sys.exit(f"docs/lab.md lists {[row[0] for row in found]}, and there are {[name_of(path) for path in files]}: "
                 "run labs/steps_page.py BUILD_FOLDER")
    for before, row in zip(found, found[1:]):
        if float(row[1]) >= float(before[1]):
            sys.exit(f"docs/lab.md: {row[0]} is not faster than {before[0]}")


def main():
    files = steps()
    if sys.argv[1:] == ["--check"]:
        check(files)
        return
    rows = measure(sys.argv[1], files, sys.argv[2:])
    refuse_slower(files, rows)
    before, _, after = halves()
    PAGE.write_text(before + BEGIN + "\n" + table(files, rows) + "\n" + END + after, encoding="utf-8")


main()
