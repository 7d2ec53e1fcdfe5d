"""No command removes or changes a file that another one made with other settings.

usage: test_figures_stay.py SOURCE_DIR STUDY

Runs the commands of the tutorial, and others that draw, one after the other in a folder of committed samples, and again
in the opposite order: so each stands before and after each other one. After each command all files of the ones before
are there with the same contents, but for the page itself, which the next report replaces.
"""

import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SAMPLES = "results/reference/amd-epyc-zen4-2-cores"
COMMANDS = [
    "plot threads --size 12x9cm --font 9 --format pdf",
    "plot threads --size 12x9cm --font 9 --format pdf --lang es",
    "plot threads --size 12x9cm --font 9 --format svg",
    "plot threads --format svg",
    "plot threads --format svg --methods staged",
    f"plot threads --format svg --methods {'staged,' * 70}fused",
    f"plot threads --format svg --methods {'staged,' * 70}simd",
    "plot threads --format svg --title T",
    "plot threads --format svg -o mine.svg",
    "plot threads --x threads --y speedup --format svg",
    "export threads --tidy -o speedup.csv",
    "report --charts svg",
    "report --charts none --lang es",
    "plot threads --size 12x9cm --font 9 --format tikz",
    "thesis threads",
    "thesis threads --lang es",
]


def is_of_page(name):
    """The page, its charts in the format of the command, and derived data, which each command writes again."""
    return name.startswith(("report.", "report-", "reproduction.", "analysis/", "charts/"))


def files_in(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def run(study, command, folder):
    words = command.split()
    result = subprocess.run([study, *words, "--results", "."], cwd=folder, capture_output=True, text=True)
    if "is not in this build" in result.stderr:
        return False
    if result.returncode != 0:
        raise SystemExit("study %s: status %d\n%s" % (command, result.returncode, result.stderr))
    return True


def compare(before, after, command):
    faults = []
    for name, contents in before.items():
        if name not in after:
            if not name.endswith(".narrow.svg"):  # the page's own drawing for telephones
                faults.append("'study %s' removes %s" % (command, name))
        elif after[name] != contents and not is_of_page(name):
            faults.append("'study %s' changes %s" % (command, name))
    return faults


def check(source, study, commands):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("threads.csv.gz", "threads.points.csv.gz", "environment.json"):
            shutil.copy(os.path.join(source, SAMPLES, name), folder)
        for command in commands:
            before = files_in(folder)
            if run(study, command, folder):
                after = files_in(folder)
                faults += compare(before, after, command)
                if command.startswith(("plot", "export", "thesis")) and len(after) <= len(before):
                    faults.append("'study %s' makes no file of its own" % command)
    return faults


def main(source, study):
    if not shutil.which("gnuplot"):
        return SKIPPED
    faults = check(source, study, COMMANDS) + check(source, study, COMMANDS[::-1])
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])))
