#!/usr/bin/env python3
"""Names and files from outside: folders named like commands, archives named like hosts. None of them runs a command or
uses the network. Usage: tests/support/commands.py."""
import csv
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import PATIENCE_S, expect, rows_in
from commands import BIN, DIR, done, fails, main, need_program, write

STUDY = "$OLDPWD/study"  # after "cd $DIR"


def rewrite(source, target, change):
    """Copies a file of samples; `change` gets each row and may change it."""
    rows = rows_in(DIR / source)
    for row in rows:
        change(row)
    (DIR / target).parent.mkdir(exist_ok=True)
    with open(DIR / target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# ---- archives -------------------------------------------------------------------------------------------------------


def an_archive_named_like_a_host_is_a_file():
    """At a name with a colon tar would contact the host before the colon."""
    write("rsh", "#!/bin/sh\n: > asked\nexit 1\n").chmod(0o755)
    done(f"cd $DIR; tar -cf ./run-12:30.tar threads.csv && TAR_RSH=$DIR/rsh timeout {PATIENCE_S} {STUDY} import run-12:30.tar "
         "--results home")
    expect("no host is asked", not (DIR / "asked").exists())
    expect("samples are imported", (DIR / "home/samples.csv").stat().st_size > 0)


def the_reason_of_tar_is_reported():
    """tar prints many lines; the message reports why it failed."""
    for archive, reason in (("seq 9999 > x.tar", "This does not look like a tar archive"),
                            ("tar -czPf x.tar.gz $DIR/threads.csv && truncate -s -200 x.tar.gz",
                             "unexpected end of file"),
                            ("tar -cf x.tar threads.csv && truncate -s 5000 x.tar", "Unexpected EOF in archive")):
        outcome = fails(2, f"cd $DIR; rm -f x.tar*; {archive} 2> /dev/null && {STUDY} import x.tar* --results home",
                        reason)
        expect("the reason alone", not re.search("Removing leading|exiting now", outcome.err), outcome)


# ---- leftovers ------------------------------------------------------------------------------------------------------


def leftovers_of_dead_writers_go():
    """A writer that is killed between opening and renaming leaves its temporary file."""
    done(f"mkdir -p $DIR/left/analysis; cd $DIR/left; cp ../threads.csv . && d=$(sh -c 'echo $$') && "
         "touch -d '2 days ago' analysis/.maxpool-$d-0.tmp && { $OLDPWD/study plot --results . > /dev/null 2>&1 || :; "
         "} && test -z \"$(find . -name '*.tmp')\"")


# ---- charts ---------------------------------------------------------------------------------------------------------


def a_folder_named_like_a_command_is_a_folder():
    """gnuplot runs what follows '<' or '|', and ends a text at a quote."""
    need_program("gnuplot")
    for number, name in enumerate(("<touch ran;", "|touch ran;", "it's $(touch ran)",
                                   "100% \"q\" @out `touch ran` #")):
        cage = DIR / f"cage{number}"
        (cage / name).mkdir(parents=True)
        (cage / name / "threads.csv").write_bytes((DIR / "threads.csv").read_bytes())
        done(f"cd {cage}; IFS= read -r d; {BIN}/study plot --charts svg --results \"$d\"", typed=f"{name}\n")
        expect(f"a chart in '{name}'", (cage / name / "charts/threads.svg").stat().st_size > 0)
        expect(f"'{name}' is not run", not (cage / "ran").exists())


def a_foreign_method_breaks_no_chart():
    """Names that belong to no method, with all characters that CSV and gnuplot interpret."""
    need_program("gnuplot")
    for name in ("my,other", 'a "b" c', "%s\\#NaN", "{/Symbol a}"):
        for experiment in ("threads", "speedup"):
            rewrite(f"{experiment}.csv", f"far/{experiment}.csv",
                    lambda row, name=name: row.update(method=name) if row["method"] == "fused" else None)
        done("./study plot --charts svg --results $DIR/far")
    expect("the name is in the chart", "Symbol a" in (DIR / "far/charts/threads.svg").read_text(encoding="utf-8"))


def a_time_of_nothing_stretches_no_axis():
    """A time that no clock can measure is left out of the data of charts, as is everything derived from it."""
    def shorten(row):
        if row["method"] == "fused" and row["rows"] == "4096":
            row.update(total_s="1e-320", compute_s="1e-320")
    rewrite("serial_growth.csv", "short/serial_growth.csv", shorten)
    expect("a time of nothing", "1e-320" in (DIR / "short/serial_growth.csv").read_text(encoding="utf-8"))
    done("./study analyze --quiet --results $DIR/short")
    for path in (DIR / "short/analysis").glob("*.csv"):
        found = re.search(r"(^|,)-?[0-9.]+e[-+]?[0-9]{3}", path.read_text(encoding="utf-8"), re.M)
        expect(f"no such number in {path.name}", not found, found)
    points = (DIR / "short/analysis/serial_growth.points.csv").read_text(encoding="utf-8")
    expect("the point is listed", "fused 4096" in points, points)


if __name__ == "__main__":
    done("./make_results $DIR")
    sys.exit(main(
        an_archive_named_like_a_host_is_a_file, the_reason_of_tar_is_reported, leftovers_of_dead_writers_go,
        a_folder_named_like_a_command_is_a_folder, a_foreign_method_breaks_no_chart,
        a_time_of_nothing_stretches_no_axis))
