#!/usr/bin/env python3
"""A user's walk through all experiments: `study report` with all rows, with three and with none, with measured ceilings
and without. Usage: tests/support/commands.py."""
import gzip
import itertools
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect
from commands import BIN, DIR, SOURCE, done, main, need_program

REFERENCE = SOURCE / "results/reference/amd-epyc-zen4-2-cores"
WALK = DIR / "walk"


def make_study(rows):
    """Writes the first samples of every definition: real ones from the committed study if it has the experiment, else
    from another experiment."""
    shutil.rmtree(WALK, ignore_errors=True)
    WALK.mkdir()
    names = [path.stem for path in (BIN.parent / "share/maxpool/definitions").rglob("*.ini")]
    expect("all definitions are there", len(names) >= 22, names)
    for name in names:
        own = REFERENCE / f"{name}.csv.gz"
        with gzip.open(own if own.exists() else REFERENCE / "threads.csv.gz") as samples:
            (WALK / f"{name}.csv").write_bytes(b"".join(itertools.islice(samples, rows + 1)))
    for name in ("environment.json", "calibration.samples.csv.gz"):
        shutil.copy(REFERENCE / name, WALK)


def report():
    """Makes a report of these samples: it does not fail, and no drawing is incomplete."""
    outcome = done("./study report --charts svg --results $DIR/walk")
    expect("everything is read", "not read" not in outcome.err, outcome)
    torn = [path for path in WALK.glob("charts/*.svg") if not path.read_bytes().rstrip().endswith(b"</svg>")]
    torn += [path for path in WALK.rglob("*") if path.is_file() and (path.suffix == ".tmp" or not path.stat().st_size)]
    expect("every file is whole", not torn, torn)
    expect("the page has its end", "</html>" in (WALK / "report.html").read_text(encoding="utf-8"))
    return outcome


def walk(rows):
    make_study(rows)
    report()
    shutil.copy(REFERENCE / "ceilings.csv.gz", WALK)
    return report()


def every_row():
    """Five findings in words, how far to trust them, what was not drawn, where to read on."""
    outcome = walk(1000000)
    lines = outcome.out.splitlines()
    expect("seven lines", sum(not line.startswith("Not drawn: ") for line in lines) == 7, outcome)
    expect("the trust", lines[5].startswith("Points: ") and " PRECISE" in lines[5], outcome)
    expect("the page", lines[-1].endswith("/walk/report.html"), outcome)
    need_program("gnuplot")
    expect("a roofline", (WALK / "charts/roofline.svg").exists())


def three_rows():
    walk(3)


def a_header_alone():
    walk(0)


if __name__ == "__main__":
    sys.exit(main(every_row, three_rows, a_header_alone))
