#!/usr/bin/env python3
"""Programs that start with standard input, output or error closed: printed text never goes to a file that they write,
and output that nobody can read gives status 5. Usage: tests/support/commands.py."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import BIN, DIR, FEATURES, Skipped, command, done, fails, main, need, read, write

FIRST = "./maxpool_serial -n 16 --samples 1"
PROGRAMS = (FIRST, "./maxpool_omp -n 16 -t 1 --samples 1",
            "./network_serial --network mlp:8 --task infer --samples 1",
            "./network_serial --network mlp:8 --task train --steps 1",
            "./faces_serial --network solar_cnn --pictures 3 --samples 1")
STUDY = ("[experiment]\ntitle = Tiny\nquestion = How long?\nsamples = 3\nlaunches = 1\n[points]\n"
         "programs = maxpool_serial\nmethod = fused\nsize = 16\n")


def expect_record(name, outcome):
    """The record is a header and rows of the same number of columns, nothing else."""
    header, *rows = read(name).splitlines()
    expect("a header and rows", header.startswith("experiment,") and rows, outcome)
    expect("the header's columns", {row.count(",") for row in rows} == {header.count(",")}, outcome)
    expect("nothing of what is printed", "Image" not in "".join(rows), outcome)


def closed_descriptors_keep_the_record():
    for closed, status, programs in (("1>&-", 5, PROGRAMS), ("0>&-", 0, (FIRST,)), ("2>&-", 0, (FIRST,)),
                                     ("<&- >&- 2>&-", 5, (FIRST,))):
        for program in programs:
            expect_record("r.csv", fails(status, f"exec {closed}; {program} --record $DIR/r.csv"))


def a_map_is_a_map():
    """The same holds for a map, which is written to its own descriptor."""
    done("(exec >&-; ./maxpool_serial -n 16 -o $DIR/a.txt); ./maxpool_serial -n 16 -o $DIR/b.txt >$DIR/said; "
         "cmp $DIR/a.txt $DIR/b.txt")


def ranks():
    """A launcher leaves all descriptors open, but a script may start a rank with some closed."""
    need("mpi")
    expect_record("r.csv", fails(5, "$MPIRUN 2 sh -c 'exec >&-; exec ./maxpool_mpi -n 16 --samples 1 --record "
                                    "'$DIR'/r.csv'"))


def need_study():
    if not (BIN / "study").exists():
        raise Skipped("built without the study")


def study():
    need_study()
    write("tiny.ini", STUDY)
    outcome = fails(5, "exec >&-; ./study run $DIR/tiny.ini --results $DIR/results")
    expect_record("results/samples.csv", outcome)
    expect("the environment begins", (DIR / "results/environment.json").read_text().startswith("{"), outcome)
    for path in (DIR / "results").iterdir():
        expect(f"nothing of what is printed is in {path}", b"launches were there" not in path.read_bytes(), outcome)
    fails(5, "exec >&-; ./study list")


def few_descriptors():
    """Where the system allows too few open files, that is a lack of a resource, status 4: nothing is wrong with a file or
    an option, and no result is wrong. Enough files are enough."""
    need_study()
    write("few.ini", STUDY)
    seen = set()
    for most in (5, 6, 8, 10, 12, 16, 48):
        for line in ("run $DIR/few.ini", "speedup --charts none --threads 1 --launches 1"):
            words = " -- true" if line.startswith("speedup") else ""
            outcome = command(f"rm -rf $DIR/few; ulimit -n {most}; exec ./study {line} --results $DIR/few{words}")
            if "error while loading shared libraries" in outcome.err:
                continue
            seen.add(outcome.status)
            expect(f"{most} descriptors: {line}", outcome.status in (0, 4), outcome)
    expect("too few and enough", seen == {0, 4}, seen)


def study_without_proc():
    """If neither /proc nor /sys is mounted, `study` finds the programs in its own folder, whatever the current folder
    is."""
    need_study()
    if "sanitize" in FEATURES:
        raise Skipped("the sanitizer itself reads /proc")
    write("here.ini", STUDY)
    outcome = command("unshare --mount sh -c 'mount -t tmpfs none /proc && mount -t tmpfs none /sys || exit 77; "
                      "./study run '$DIR'/here.ini --results '$DIR'/a || exit; B=$PWD; cd /; "
                      "$B/study run '$DIR'/here.ini --results '$DIR'/b'")
    if outcome.status == 77 or "unshare" in outcome.err:
        raise Skipped("nothing may be mounted")
    expect("it finds its programs", outcome.status == 0 and "no program" not in outcome.err and
           outcome.out.count("1 done now, 0 failed") == 2, outcome)


if __name__ == "__main__":
    sys.exit(main(closed_descriptors_keep_the_record, a_map_is_a_map, ranks, study, few_descriptors,
                  study_without_proc))
