#!/usr/bin/env python3
"""If one file is foreign, empty, cut off or absent, one chart cannot be drawn, or one experiment cannot be read, then
one line reports it and everything else is written. Usage: tests/support/commands.py."""
import fcntl
import gzip
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import PATIENCE_S, expect
from commands import DIR, SOURCE, command, done, holds, main, need_program, write

REFERENCE = SOURCE / "results/reference/amd-epyc-zen4-2-cores"
CASE = DIR / "case"
FOREIGN = "colour,weight\nred,1\n"
NO_COLUMNS = "its header has none of our columns"


def begin():
    """Makes the case: made-up samples of two experiments, real ones of simulated clusters, and the other files of a
    results folder."""
    shutil.rmtree(CASE, ignore_errors=True)
    CASE.mkdir()
    for name in ("threads", "serial_growth"):
        shutil.copy(DIR / f"{name}.csv", CASE)
    shutil.copy(REFERENCE / "environment.json", CASE)
    for name in ("scale", "ceilings", "calibration.samples", "threads.points"):
        (CASE / f"{name}.csv").write_bytes(gzip.decompress((REFERENCE / f"{name}.csv.gz").read_bytes()))


def study(words, status=0, before=""):
    """Runs a command of the study on the case, which must end with the status."""
    outcome = command(f"{before} ./study {words} --results $DIR/case")
    expect(f"status {status}", outcome.status == status, outcome)
    return outcome


def expect_in(pattern, *words, never=()):
    """Expects words in the files of the case that the pattern names, taken together, and others not in them."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(CASE.glob(pattern)))
    for word in words:
        expect(f"{word!r} is in {pattern}", word in text)
    for word in never:
        expect(f"{word!r} is not in {pattern}", word not in text)


def is_there(name):
    return (CASE / name).exists()


def expect_whole_files(empty_too=False):
    """Expects no temporary file and, if `empty_too`, no empty one."""
    left = [path for path in CASE.rglob("*") if path.is_file() and (
        path.suffix == ".tmp" or empty_too and path.stat().st_size == 0)]
    expect("all files are whole", not left, left)


# ---- files ----------------------------------------------------------------------------------------------------------

# A file, its contents (None: removed), the status, and what is reported; None: no report is required.
DAMAGES = (
    ("ceilings.csv", None, 0, None),
    ("ceilings.csv", "", 0, None),
    ("ceilings.csv", "level,bytes,wor", 0, None),
    ("ceilings.csv", FOREIGN, 2, f"ceilings.csv: {NO_COLUMNS}"),
    ("environment.json", None, 0, None),
    ("environment.json", "", 0, None),
    ("environment.json", '{"time_utc": "2026-01-01T00:', 2, "environment.json: is no JSON object"),
    ("environment.json", "[1, 2]\n", 2, "environment.json: is no JSON object"),
    ("threads.points.csv", None, 0, None),
    ("threads.points.csv", "", 0, None),
    ("threads.points.csv", "experiment,rou", 0, None),
    ("threads.points.csv", FOREIGN, 2, "threads.points.csv: its header"),
    ("calibration.samples.csv", None, 0, None),
    ("calibration.samples.csv", "", 0, None),
    ("calibration.samples.csv", FOREIGN, 2, "calibration.samples.csv: its header"),
    ("scale.csv", None, 0, None),
    ("scale.csv", "", 0, "scale.csv: holds no samples yet"),
    ("scale.csv", "program,operator,spa", 0, "scale.csv: holds no samples yet"),
    ("scale.csv", FOREIGN, 2, f"scale.csv: {NO_COLUMNS}"),
    ("stranger.csv", FOREIGN, 2, f"stranger.csv: {NO_COLUMNS}"),
    ("stranger.csv", "\x7fELF\n\n", 2, f"stranger.csv: {NO_COLUMNS}"),
    ("my data.csv", FOREIGN, 2, "my data.csv: this cannot be the name"))


def one_bad_file_costs_its_part_alone():
    """A fault is reported on standard error and in the report. If there is nothing to report, nothing is. Only a report
    reads the journal."""
    for name, contents, status, reported in DAMAGES:
        begin()
        if contents is None:
            (CASE / name).unlink()
        else:
            write(f"case/{name}", contents)
        holds(study("analyze", 0 if name == "threads.points.csv" else status), "serial_growth: ", "threads: ")
        expect("points are written", is_there("analysis/threads.points.csv"), name)
        outcome = study("report --charts none", status)
        if reported:
            holds(outcome, err=("not read: ", reported))
            expect_in("report*.html", "not read: ", reported)
            expect_in("report.md", "not read: ")  # Markdown escapes its characters
        else:
            expect("nothing is reported", "not read" not in outcome.err, outcome)
        expect_in("report*.html", "Serial time", "OpenMP threads")
        expect_in("report.tex", "section{Workers}")


def one_bad_experiment_costs_its_charts_alone():
    """Bad samples of one experiment do not affect the charts of the others."""
    need_program("gnuplot")
    begin()
    write("case/serial_growth.csv", FOREIGN)
    holds(study("plot --charts svg", 2), "charts/threads.svg", err=("not read: ", f"serial_growth.csv: {NO_COLUMNS}"))
    expect_in("charts/threads.svg", "</svg>")
    expect("no chart of it", not is_there("charts/serial_growth.svg"))


def a_bad_definition_costs_its_words_alone():
    """The definition of the other experiment is absent."""
    for contents in ("", "[experiment]\ntitle = Thr", "\x7fELF"):
        begin()
        write("definitions/threads.ini", contents)
        study("report --charts none --definitions $DIR/definitions", 2)
        expect_in("report*.html", "not read: ", "threads.ini", "maxpool_omp fused", "serial_growth")


# ---- charts ---------------------------------------------------------------------------------------------------------

# A gnuplot that fails at the charts of one experiment, and otherwise runs the real one.
GNUPLOT = """#!/bin/sh
out=$(printf %s "$2" | sed "s/.* out='\\([^']*\\)'.*/\\1/")
case $2 in *analysis/serial_growth.*) WAY ;; esac
PATH=${PATH#*:} exec gnuplot "$@"
"""


def one_bad_chart_costs_itself_alone():
    need_program("gnuplot")
    for way in ("echo the disk is on fire >&2; exit 1", "printf '<svg>' > \"$out\"; exit 0", "exit 0", "kill -9 $$"):
        begin()
        write("bin/gnuplot", GNUPLOT.replace("WAY", way)).chmod(0o755)
        holds(study("report --charts svg", 5, "PATH=$DIR/bin:$PATH"), err=["study: serial_growth: not drawn: "])
        expect_in("report*.html", "not drawn: ")
        expect_in("report.md", "charts/threads.svg", never=["charts/serial_growth.svg"])
        expect_in("charts/threads.svg", "</svg>")
        expect("no chart of it", not is_there("charts/serial_growth.svg"), way)
        expect_whole_files()


def old_charts_are_not_shown():
    """Charts of an earlier run are not shown as this run's."""
    need_program("gnuplot")
    begin()
    study("report --charts svg,pdf")
    expect_in("report.md", "charts/serial_growth.svg")
    expect_in("report.tex", "charts/serial_growth.pdf")
    samples = CASE / "serial_growth.csv"
    samples.write_text("".join(samples.read_text(encoding="utf-8").splitlines(True)[:2]), encoding="utf-8")
    study("report --charts svg,pdf")
    expect_in("report*.html", "not drawn: ")
    expect_in("report.md", "charts/threads.svg", never=["charts/serial_growth.svg"])
    expect("no old chart", not is_there("charts/serial_growth.pdf"))
    study("report --charts svg")
    expect_in("report.tex", never=["includegraphics"])
    holds(study("report", before="mkdir -p $DIR/empty && PATH=$DIR/empty"), err=["gnuplot is missing"])
    expect_in("report*.html", "gnuplot is missing", never=["<figure"])
    expect_in("report.md", never=["!["])


def slow_down(name):
    """Makes all times of an experiment three times as long."""
    path = CASE / f"{name}.csv"
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    times = [i for i, column in enumerate(rows[0]) if column in ("compute_s", "total_s", "product_s")]
    for row in rows[1:]:
        for i in times:
            row[i] = f"{3 * float(row[i]):.9g}" if row[i] else ""
    path.write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")


def written():
    """Returns what a report wrote."""
    names = ["report*.html", "report.md", "report.tex", "analysis/*.csv", "charts/*.svg"]
    return {path.relative_to(CASE): path.read_bytes() for name in names for path in CASE.glob(name)}


def new_samples_make_a_new_report():
    """Nothing of an earlier report stays: after a change of samples, a folder has what a new one has."""
    begin()
    study("report --charts svg")
    before = written()
    slow_down("serial_growth")
    study("report --charts svg")
    changed = written()
    begin()
    slow_down("serial_growth")
    study("report --charts svg")
    for path, contents in written().items():
        expect(f"{path} is the same as in a new folder", changed[path] == contents)
    for name in ("report.md", "report.tex", "analysis/serial_growth.points.csv", "analysis/serial_growth.fits.csv",
                 "analysis/serial_growth.serial_growth.csv", "charts/serial_growth.svg"):
        expect(f"{name} is new", changed[pathlib.Path(name)] != before[pathlib.Path(name)])


def four_at_once():
    """Four reports at the same time: all succeed, and no file is half written."""
    for words in ("report --charts svg", "analyze"):
        begin()
        done(f'for i in 1 2 3 4; do ./study {words} --results $DIR/case > /dev/null 2>&1 & set -- "$@" $!; done; '
             "for p; do wait $p || exit 1; done")
        expect_whole_files(empty_too=True)
        expect("fits are written", is_there("analysis/serial_growth.fits.csv"), words)
    expect_in("analysis/threads.points.csv", "omp")


# ---- measurements ---------------------------------------------------------------------------------------------------


def a_full_disk_keeps_the_old_ceilings():
    """A file of more than 100 bytes cannot be written; a pipe takes what the command prints."""
    begin()
    before = (CASE / "ceilings.csv").read_bytes()
    done("{ prlimit --fsize=100 ./study roofline --seconds 0.1 --visits 2 --max-seconds 0.01 --results $DIR/case; "
         "echo status $?; } 2>&1 | cat", "ceilings.csv: cannot be written", "status 5")
    expect("the old ceilings", (CASE / "ceilings.csv").read_bytes() == before)
    expect_whole_files()


def measuring_takes_the_lock():
    """A command that measures locks the folder: a second measurement at the same time would disturb its times."""
    begin()
    with open(CASE / "study.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        print("this test", file=lock, flush=True)
        for words in ("calibrate scale", "roofline", "run threads --quick"):
            holds(study(words, 4, f"timeout {PATIENCE_S}"), err=["this test"])


def limits_end_with_their_time():
    """On a busy machine the limits take no longer than requested, and report that measurements are missing."""
    begin()
    (CASE / "ceilings.csv").unlink()
    holds(study("roofline --seconds 0.1 --visits 2 --max-seconds 0.01"), "after 0 of 2 measurements of each rate")
    # whether a size is beyond the caches depends on the machine: some have 260 MiB of them
    expect_in("ceilings.csv", ",read,")


def nothing_but_corrupt_rows():
    """If no row is valid, the status says so, and the page names no time of the last measurement."""
    begin()
    for name in ("threads.points.csv", "serial_growth.csv", "scale.csv"):
        (CASE / name).unlink()
    header, *rows = (CASE / "threads.csv").read_text(encoding="utf-8").splitlines()
    write("case/threads.csv", "\n".join([header, *(",,no row,," for _ in rows)]) + "\n")
    holds(study("report --charts none", 2), err=["threads.csv:2: it has 5 fields"])
    expect_in("report.md", never=["Measured until ,"])
    expect_in("report*.html", " could be read.<", never=["Measured until ,"])


if __name__ == "__main__":
    done("./make_results $DIR")
    sys.exit(main(
        nothing_but_corrupt_rows, one_bad_file_costs_its_part_alone, one_bad_experiment_costs_its_charts_alone,
        a_bad_definition_costs_its_words_alone, one_bad_chart_costs_itself_alone, old_charts_are_not_shown,
        new_samples_make_a_new_report, four_at_once, a_full_disk_keeps_the_old_ceilings, measuring_takes_the_lock,
        limits_end_with_their_time))
