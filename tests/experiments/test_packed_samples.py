#!/usr/bin/env python3
"""Samples packed by gzip: NAME.csv.gz replaces NAME.csv wherever study reads, and is never written to.
Usage: tests/support/commands.py."""
import gzip
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import DIR, done, fails, main


def make_copy(name):
    """Makes a folder with one packed experiment; returns the path of its samples."""
    (DIR / name).mkdir()
    return pathlib.Path(shutil.copy(DIR / "packed/threads.csv.gz", DIR / name))


def export(folder, status=0, *words):
    """Returns the samples of threads in a folder, as lines."""
    outcome = fails(status, f"./study export threads --samples --results $DIR/{folder}", *words)
    return outcome.out.splitlines()


def the_same_rows():
    """Plain samples and the same ones packed."""
    done("./make_results $DIR/plain && cp -r $DIR/plain $DIR/packed && gzip -n $DIR/packed/*.csv")
    plain = export("plain")
    expect("many rows", len(plain) > 100, plain[:1])
    expect("the same", export("packed") == plain)


def every_command_reads_them():
    done("for d in plain packed; do ./study analyze --points --results $DIR/$d > $DIR/$d.txt && ./study report --charts "
         "none --label here --results $DIR/$d || exit 1; done; cd $DIR && cmp plain.txt packed.txt && cmp plain/report.md "
         "packed/report.md && diff -r plain/analysis packed/analysis")
    done("./study compare $DIR/plain $DIR/packed || :", " 0 only in A, 0 only in B")
    done("./study analyze threads --results $DIR/packed")


def they_are_imported():
    """Derived data, journals, ceilings and calibration are stored in the same folder and are not samples."""
    done("cd $DIR/packed && test -e analysis/threads.points.csv && echo what > ceilings.csv && "
         "echo what > calibration.samples.csv && echo what | gzip > threads.points.csv.gz")
    done("./study import $DIR/packed --results $DIR/home")
    expect("one store", not list((DIR / "home").glob("threads.csv*")))
    expect("all rows", sorted(export("home")) == sorted(export("plain")))
    outcome = fails(2, "./study export nosuch --samples --results $DIR/home", "nosuch")
    expect("a name without samples writes nothing", outcome.out == "", outcome)


def a_torn_one_is_an_error_and_the_rest_is_read():
    path = make_copy("torn")
    shutil.copy(DIR / "packed/speedup.csv.gz", DIR / "torn")
    path.write_bytes(path.read_bytes()[:-200])
    export("torn", 2, "threads.csv.gz: cannot be read: it is packed and cut off")
    outcome = fails(2, "./study report --charts none --results $DIR/torn", "not read: ", "threads.csv.gz", "cut off")
    expect("the rest is read", "as fast as serial literal" in (DIR / "torn/report.md").read_text(encoding="utf-8"),
           outcome)


def a_damaged_one_is_an_error():
    path = make_copy("damaged")
    content = path.read_bytes()
    path.write_bytes(content[:2000] + b"x" * 16 + content[2016:])
    export("damaged", 2, "threads.csv.gz: cannot be read: it is packed and damaged")


def both_at_once_are_an_error():
    """Nothing shows which of the two files has the latest measurements."""
    path = make_copy("both")
    path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
    rows = export("both", 2, "both/threads.csv: it and ", "both/threads.csv.gz are both there")
    expect("no row", rows == [], rows)
    outcome = fails(2, "./study analyze --results $DIR/both")
    expect("it is said once", outcome.err.count("are both there") == 1, outcome)


def nothing_is_written_to_it():
    path = make_copy("kept")
    before = path.read_bytes()
    fails(2, "./maxpool_serial -n 8 --samples 1 --record $DIR/kept/threads.csv", "threads.csv.gz: is packed")
    done("./study import $DIR/plain/threads.csv --results $DIR/kept", "0 samples from 1 files; 660 were there already")
    expect("no file beside it", not (DIR / "kept/threads.csv").exists())
    expect("its bytes", path.read_bytes() == before)


def an_empty_one_holds_nothing_yet():
    path = make_copy("empty").with_name("speedup.csv.gz")
    path.write_bytes(gzip.compress(b""))
    done("./study analyze --results $DIR/empty", "threads: ", err=("speedup.csv.gz: holds no samples yet",))


if __name__ == "__main__":
    sys.exit(main(the_same_rows, every_command_reads_them, they_are_imported,
                  a_torn_one_is_an_error_and_the_rest_is_read, a_damaged_one_is_an_error, both_at_once_are_an_error,
                  nothing_is_written_to_it, an_empty_one_holds_nothing_yet))
