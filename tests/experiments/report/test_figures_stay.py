#!/usr/bin/env python3
"""No command removes or changes a file that another one made with other settings. The commands of the tutorial, and
others that draw, run one after the other in a folder of committed samples, and again in the opposite order: so each
stands before and after each other one. After each command all files of the ones before are there with the same
contents, but for the page itself, which the next report replaces. Usage: tests/support/commands.py."""
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect
from commands import BIN, DIR, SOURCE, command, main, need_program

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
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def files_stay(name, commands):
    need_program("gnuplot")
    folder = DIR / name
    folder.mkdir()
    for file in ("threads.csv.gz", "threads.points.csv.gz", "environment.json"):
        shutil.copy(SOURCE / "results/reference/amd-epyc-zen4-2-cores" / file, folder)
    for line in commands:
        before = files_in(folder)
        outcome = command(f"cd {folder} && {BIN}/study {line} --results .")
        if "is not in this build" in outcome.err:
            continue
        expect("status 0", outcome.status == 0, outcome)
        after = files_in(folder)
        for file, contents in before.items():
            # .narrow.svg: the page's own drawing for telephones
            expect(f"'study {line}' keeps {file}", file in after or file.endswith(".narrow.svg"))
            expect(f"'study {line}' does not change {file}",
                   file not in after or after[file] == contents or is_of_page(file))
        if line.startswith(("plot", "export", "thesis")):
            expect(f"'study {line}' makes a file of its own", len(after) > len(before))


def files_stay_in_this_order():
    files_stay("forwards", COMMANDS)


def files_stay_in_the_opposite_order():
    files_stay("backwards", COMMANDS[::-1])


if __name__ == "__main__":
    sys.exit(main(files_stay_in_this_order, files_stay_in_the_opposite_order))
