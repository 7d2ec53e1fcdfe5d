#!/usr/bin/env python3
"""Whether two builds write the same numbers: reports, derived tables and charts of every committed results folder and of
the made-up results of the tests.

usage: compare_reports.py make BUILD_FOLDER OUT [NAME...]    writes OUT/NAME with report.md, report.es.md, analysis/, charts/
       compare_reports.py compare BEFORE AFTER [NAME...]     compares two such folders

`make` reads results/reference of this checkout and runs BUILD_FOLDER/bin/make_*_results. NAME: only these folders.
`compare` prints each line of a page that differs, with "numbers" if its numbers differ, and each table and chart that
differs. Status: 0 if the pages have the same numbers and the tables of both are equal, otherwise 1. It lists new tables, and charts
that differ, too: look at those.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
PAGES = {"en": "report.md", "es": "report.es.md"}


def committed():
    """Returns the names of the committed results folders."""
    folder = os.path.join(SOURCE, "results/reference")
    return sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)))


def makers(build):
    """Returns the programs that make up results."""
    return sorted(name for name in os.listdir(f"{build}/bin") if re.fullmatch(r"make_(\w+_)?results", name))


def fill(build, name, folder):
    """Writes the samples of a committed or made-up folder."""
    if name.startswith("make_"):
        subprocess.run([f"{build}/bin/{name}", folder], check=True, stdout=subprocess.DEVNULL)
    else:
        shutil.copytree(os.path.join(SOURCE, "results/reference", name), folder, dirs_exist_ok=True)


def make(build, out, names):
    """Makes the pages of each folder in both languages, and its tables and charts in English."""
    build = os.path.abspath(build)
    for name in names or committed() + makers(build):
        target = os.path.join(out, name)
        shutil.rmtree(target, ignore_errors=True)
        with tempfile.TemporaryDirectory() as folder:
            fill(build, name, folder)
            for language, charts in (("es", "none"), ("en", "svg")):
                command = [f"{build}/bin/study", "report", "--results", folder, "--charts", charts, "--lang", language]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                os.makedirs(target, exist_ok=True)
                shutil.copy(f"{folder}/report.md", os.path.join(target, PAGES[language]))
            for kept in ("analysis", "charts"):
                shutil.copytree(f"{folder}/{kept}", f"{target}/{kept}", ignore=shutil.ignore_patterns("*.gp", "unpacked"))
        print(target)


def numbers(line):
    """Returns the numbers of a line in their order."""
    return re.findall(r"\d+(?:[.,]\d+)*", line)


def lines_of(path):
    """Returns the lines of a file, without the folders that this script and the builds are in."""
    with open(path, encoding="utf-8") as file:
        return [re.sub(r"/tmp/tmp[\w\\]+|[^\s']+/share/maxpool", "...", line) for line in file.read().splitlines()]


def compare_page(before, after, page):
    """Prints the lines that differ; returns the number of those whose numbers differ."""
    wrong = 0
    old, new = (lines_of(os.path.join(folder, page)) for folder in (before, after))
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        differ = [numbers(line) for line in old[a:b]] != [numbers(line) for line in new[c:d]]
        wrong += differ
        print(f"{after}/{page}: {'numbers' if differ else 'words'}")
        print("\n".join(["  - " + line for line in old[a:b]] + ["  + " + line for line in new[c:d]]))
    return wrong


def compare_files(before, after, kind, fails):
    """Prints the files of a kind that differ; returns the number of failures."""
    wrong = 0
    old, new = (set(os.listdir(os.path.join(folder, kind))) for folder in (before, after))
    for name in sorted(old | new):
        if name not in new:
            print(f"{after}/{kind}/{name}: missing")
            wrong += 1
        elif name not in old:
            print(f"{after}/{kind}/{name}: new")
        elif lines_of(os.path.join(before, kind, name)) != lines_of(os.path.join(after, kind, name)):
            print(f"{after}/{kind}/{name}: differs")
            wrong += fails
    return wrong


def compare(before, after, names):
    """Compares all folders that both have; returns the number of failures."""
    wrong = 0
    names = names or sorted(os.listdir(before))
    for name in names:
        old, new = os.path.join(before, name), os.path.join(after, name)
        wrong += sum(compare_page(old, new, page) for page in PAGES.values())
        wrong += compare_files(old, new, "analysis", 1) + compare_files(old, new, "charts", 0)
    print(f"{len(names)} folders, {wrong} failures")
    return wrong


def main():
    """Runs the command."""
    if len(sys.argv) < 4 or sys.argv[1] not in ("make", "compare"):
        sys.exit(__doc__)
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(1 if compare(sys.argv[2], sys.argv[3], sys.argv[4:]) else 0)


if __name__ == "__main__":
    main()
