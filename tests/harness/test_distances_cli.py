#!/usr/bin/env python3
"""The distance programs as a user meets them: known answers by every method, with threads and ranks; the nearest
points; nearly equal points far from the origin; bad input with its status and message; and the contents of records and
summaries. Usage: tests/support/commands.py."""
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import FEATURES, done, fails, main, need, read, write

METHODS = ("literal", "symmetric", "blocked", "gram")
PROGRAMS = ["./distances_serial"]
PROGRAMS += ["./distances_omp -t 3"] if "openmp" in FEATURES else []
PROGRAMS += ["$MPIRUN 3 ./distances_mpi"] if "mpi" in FEATURES else []


# ---- known answers --------------------------------------------------------------------------------------------------


def expect_written(line, text):
    """Runs a command, which writes the text."""
    outcome = done(f"{line} -o $DIR/out.txt")
    expect("the distances", read("out.txt") == text, outcome)


def known_answers_are_met():
    """Right triangles with integer sides."""
    write("x.txt", "0 0\n3 4\n-5 12\n")
    write("y.txt", "0 0\n8 15\n")
    for program in PROGRAMS:
        for method in METHODS:
            line = f"{program} -i $DIR/x.txt --method {method} --samples 2"
            expect_written(line, "0 5 13\n5 0 11.313708\n13 11.313708 0\n")
            if method != "symmetric":
                expect_written(f"{line} --against $DIR/y.txt", "0 17\n5 12.083046\n13 13.341664\n")


def nearest_points_are_written():
    write("x.txt", "0\n10\n11\n13\n")
    write("y.txt", "12\n1\n12\n")
    for program in PROGRAMS:
        expect_written(f"{program} -i $DIR/x.txt --nearest 2 --samples 1 --method gram",
                       "1 2\n2 3\n1 3\n2 1\n\n10 11\n1 3\n1 2\n2 3\n")
        expect_written(f"{program} -i $DIR/x.txt --against $DIR/y.txt --nearest 3 --samples 1 --method blocked",
                       "1 0 2\n0 2 1\n0 2 1\n0 2 1\n\n1 12 12\n2 2 9\n1 1 10\n1 1 12\n")


def points_far_from_the_origin_are_right():
    """Coordinates of 1e4 +- 1e-2: the textbook's sum of squares has no correct digit. After subtracting a centre near
    the points, which every rank must know, no pair cancels."""
    rng = random.Random(7)
    write("far.txt", "".join(" ".join(f"{1e4 + rng.uniform(-1e-2, 1e-2):.6f}" for _ in range(8)) + "\n"
                             for _ in range(40)))
    for program in PROGRAMS:
        outcome = done(f"{program} -i $DIR/far.txt --method all --samples 2 --format csv", ",bound,",
                       never=(",wrong,",))
        expect("no pair cancels", outcome.cell("gram", "recomputed") == "0", outcome)


def maps_do_not_depend_on_workers():
    for method in METHODS:
        options = f"-n 230 --dimensions 9 --method {method} --samples 1"
        done(f"./distances_serial {options} -o $DIR/a.npy")
        for program in PROGRAMS[1:]:
            done(f"{program} {options} -o $DIR/b.npy && cmp $DIR/a.npy $DIR/b.npy")


def maps_do_not_depend_on_panels():
    """A panel holds two points of 350,000 coordinates: the ranks receive five points in three panels."""
    need("mpi")
    options = "-n 5 --dimensions 350000 --max-value 1 --samples 1 --warmup 0"
    done(f"./distances_serial {options} --method gram -o $DIR/a.npy")
    outcome = done(f"$MPIRUN 2 ./distances_mpi {options} --method symmetric,literal,blocked,gram -o $DIR/b.npy && "
                   "cmp $DIR/a.npy $DIR/b.npy")
    expect("all are exact", outcome.out.count(" exact ") == len(METHODS), outcome)


# ---- bad input and what is reported ---------------------------------------------------------------------------------


def distances_are_explained():
    """The distances between points three and four apart, explained to a reader."""
    write("pair.txt", "1 2\n4 6\n")
    done("./distances_serial -i $DIR/pair.txt --samples 1 --print --explain",
         "Distance (0, 1): point 0 of X and point 1 of Y\n        1            4           -3                  9\n"
         "        2   -        6   =       -4   squared       16\n  sum 25, root 5\n",
         "        0        5\n        5        0\n")


def bad_input_is_refused():
    write("x.txt", "1 2 3\n")
    write("y.txt", "1 2\n")
    for status, options, words in (
            (2, "-n 8 --dimensions 0", "dimensions must be at least 1"),
            (2, "-n 8 --dimensions 2 -C 3", "--size already sets --cols"),
            (2, "-R 8 -C 2 --dimensions 2", "--dimensions goes with --size"),
            (2, "-n 8 --against missing.npy", "missing.npy"),
            (2, "-n 8 --against random --method symmetric", "themselves alone"),
            (2, "-n 8 --nearest 3", "--nearest is what --output writes"),
            (2, "-n 8 --nearest 8 -o x.npy", "compared with 7 others"),
            (2, "-n 8 --kernel-size 3", "--kernel-size does not apply here"),
            (4, "-n 3000000000 --dimensions 1", "cannot be counted"),
            (4, "-n 4000000 --dimensions 1", "memory"),
            (2, "-i $DIR/x.txt --against $DIR/y.txt", "must be 1 x 3, the file holds 1 x 2")):
        fails(status, f"./distances_serial {options}", words)
    fails(2, "./maxpool_serial -n 8 --nearest 2 -o x.npy", "--nearest does not apply here")


def gram_reports_what_it_repaired():
    write("x.txt", "0 0\n1000 1000\n1000.001 1000\n0.001 0\n")
    outcome = done("./distances_serial -i $DIR/x.txt --method gram --samples 3", "Recomputed    gram: ")
    expect("some pairs", "gram: 0 pairs" not in outcome.out, outcome)
    done("./distances_serial -n 50 --dimensions 20 --method gram --samples 3 --format csv",
         ",50,20,,,,,,35,9,random,", ",exact,")  # rows, cols ...


def pairs_done_again_are_those_of_all_ranks():
    """Two neighbouring points both belong to the last of three ranks; no other pair cancels."""
    write("x.txt", "0 0\n1000 0\n0 1000\n1000 1000\n400 900\n400 900.001\n")
    for program in PROGRAMS:
        done(f"{program} -i $DIR/x.txt --method gram --samples 2", "Recomputed    gram: 2 pairs that cancelled")
        outcome = done(f"{program} -i $DIR/x.txt --method gram,blocked --samples 2 --format csv")
        expect("two pairs, by gram alone", [outcome.cell(method, "recomputed") for method in ("gram", "blocked")] ==
               ["2", ""], outcome)


def records_name_the_other_points():
    """The file of the other points has its own column."""
    for option, against in (("", "itself"), (" --against random", "random")):
        outcome = done(f"./distances_serial -n 6 --dimensions 3{option} --method blocked --samples 1 --format csv")
        found = outcome.cell("blocked", "against"), outcome.cell("blocked", "filter")
        expect(against, found == (against, ""), outcome)


if __name__ == "__main__":
    sys.exit(main(
        known_answers_are_met, nearest_points_are_written, distances_are_explained,
        points_far_from_the_origin_are_right, maps_do_not_depend_on_workers, maps_do_not_depend_on_panels,
        bad_input_is_refused, gram_reports_what_it_repaired, pairs_done_again_are_those_of_all_ranks,
        records_name_the_other_points))
