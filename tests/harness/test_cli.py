#!/usr/bin/env python3
"""The point programs as a user meets them: exit status and message of every error, known answers by every runnable
method, formats, and files that must not be left behind. Usage: tests/support/commands.py."""
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, rows_in
from commands import (BIN, CASES, DIR, FEATURES, Outcome, Skipped, command, done, fails, holds, main, need, read,
                      read_npy, refused, write, write_zeros_png)


def expect_refusals(rows):
    """Each command ends with its status, and standard error is one line: the program's name, then the text."""
    for status, line, words in rows:
        outcome = refused(status, f'PATH="$PWD:$PATH"; cd $DIR; {line}', words)
        expect("the program's name is first", outcome.err.startswith(line.split()[0] + ": "), outcome)


def bad_options_are_refused():
    expect_refusals([
        (2, "maxpool_serial --frobnicate", "unknown option '--frobnicate'"),
        (2, "maxpool_serial --metod=fused", "unknown option '--metod=fused', did you mean '--method'?"),
        (2, "maxpool_serial --max-secnods 1", "did you mean '--max-seconds'?"),
        (2, "maxpool_serial -Q", "unknown option '-Q'"),
        (2, "maxpool_serial --pa 1", "option '--pa' is ambiguous: --padding, --pad-mode, --pages, --parallel (try --help)"),
        (2, "maxpool_serial --samp x", "--samp is short for --samples; --samples: 'x' is not an integer"),
        (2, "maxpool_serial --samp=0", "--samp is short for --samples; samples must be at least 1, not 0"),
        (2, "maxpool_serial --samples x", "maxpool_serial: --samples: 'x' is not an integer"),
        # an abbreviation stands for an option of this program, never for one of others
        (2, "maxpool_serial --image x.png", "unknown option '--image' (try --help)"),
        (2, "maxpool_serial --threads 2", "--threads does not apply here"),
        (2, "maxpool_serial -n", "option '-n' needs a value"),
        (2, "maxpool_serial --print=yes", "option '--print' takes no value"),
        (2, "maxpool_serial image.png", "'image.png' is not an option"),
        (2, "maxpool_serial --method turbo", "there is no 'turbo' in maxpool_serial (try"),
        (2, "maxpool_serial --method litteral", "there is no 'litteral' in maxpool_serial, did you mean 'literal'?"),
        (2, "maxpool_serial --relative-ci 0,05", "--relative-ci: '0,05' is not a number; write a point: 0.05"),
        (2, "maxpool_serial -k 0", "kernel-size must be at least 1, not 0"),
        (2, "maxpool_serial -s 0", "stride must be at least 1, not 0"),
        (2, "maxpool_serial -p -1", "padding must be at least 0, not -1"),
        (2, "maxpool_serial -k 2.5", "--kernel-size: '2.5' is not an integer: give a whole number"),
        (2, "maxpool_serial -k 1,5", "--kernel-size: '1,5' is not an integer: give a whole number"),
        (2, "maxpool_serial -k x", "--kernel-size: 'x' is not an integer"),
        (2, "maxpool_serial --gray", "--gray converts a picture: it needs --input"),
        (2, "maxpool_serial -i $CASES/digits_8x8_k2_s2.in.npy --gray", "s2.in.npy is no picture"),
        (2, "maxpool_serial --lang fr", "language must be en or es, not 'fr'"),
        (2, "maxpool_serial --lang", "option '--lang' needs a value: en|es"),
        (2, "maxpool_serial --help=everything", "--help takes nothing or all, not 'everything'"),
        (2, "maxpool_serial --help any", "'any' is not an option"),
        (2, "maxpool_serial -n 9223372036854775808", "more than a 63-bit integer holds"),
        (2, "maxpool_serial --pad-mode reflect", "--pad-mode must be one of zero|ignore"),
        (2, "maxpool_serial --pages vast", "--pages must be one of huge|ordinary, not 'vast'"),
        (2, "maxpool_serial --relative-ci nan", "'nan' is not a number"),
        (2, "maxpool_serial --max-value 16777217", "max-value must be at most 16777216"),
        (2, "maxpool_serial -n 4 -k 5", "window of 5 x 5 does not fit the image of 4 x 4"),
        (2, "maxpool_serial -n 8 -k 2 -p 2 --pad-mode ignore", "needs a padding below the kernel"),
        (2, "maxpool_serial -n 8 -k 3 -p 1 --pad-mode ignore --filter random",
         "needs a filter whose values are the identity"),
        (2, "maxpool_serial -n 8 --method direct --filter random", "needs the identity filter"),
        (2, "maxpool_serial -n 8 -i x.npy", "--size describes a random image and --input names one"),
        (2, "maxpool_serial -n 8 -R 4 -C 4", "--size already sets --rows"),
        (2, "maxpool_serial -R 4", "--rows and --cols go together"),
        (2, "maxpool_serial -t 2", "--threads does not apply here"),
        (2, "matmul_serial -k 2", "--kernel-size does not apply here: the matrix product has no"),
        (2, "matmul_serial --pad-mode zero", "--pad-mode does not apply here"),
        (2, "copy_serial -k 2", "--kernel-size does not apply here: the copy has no windows"),
        (2, "copy_serial --filter random", "--filter does not apply here: the copy has no filter"),
        (2, "copy_serial --explain", "--explain does not apply here"),
        (2, "copy_serial --method naive", "there is no 'naive' in copy_serial"),
        (2, "maxpool_omp -t 0", "threads must be at least 1, not 0"),
        (2, "maxpool_serial -n 1024 --explain", "--explain is for small images"),
        (2, "maxpool_serial -n 8 --print --format csv", "--print needs --format text"),
        (2, "maxpool_serial --list-methods=some", "--list-methods takes nothing or =all"),
        (2, "maxpool_serial -n 8 -k 3 --filter missing.npy", "missing.npy"),
        (2, "maxpool_serial -n 8 -k 3 --filter $CASES/digits_8x8_k2_s2.in.npy",
         "the filter must be 3 x 3, the file holds 8 x 8"),
        (2, "maxpool_serial -i missing.png", "missing.png"),
        (2, "maxpool_serial -i image.jpeg", "image.jpeg"),
        (4, "maxpool_serial -n 4611686018427387904", "cannot be counted in bytes"),
        (4, "maxpool_serial -n 2000000000", "cannot be counted in bytes"),
        (4, "maxpool_serial -n 1000000", "4.547 TiB are needed"),
        (4, "maxpool_serial -n 16 -k 1 -s 1 -p 1000000", "are needed"),
        (4, "matmul_serial -R 1 -C 1000000", "no memory for the filter: 3.638 TiB are needed"),
        (5, "maxpool_serial -n 8 -o missing/folder/map.npy", "missing/folder/map.npy"),
        (2, "maxpool_serial -n 8 -o map.gif", "map.gif"),
        (2, "maxpool_serial -n 8 --planes 2 -o map.png", "map.png"),
        (5, "maxpool_serial -n 8 --record missing/folder/samples.csv", "missing/folder/samples.csv"),
        (5, "maxpool_serial -n 8 --record /dev/full", "/dev/full"),
        (5, "maxpool_serial -n 8 --format csv > /dev/full", "standard output could not be written"),
        (5, "maxpool_serial -n 8 > /dev/full", "standard output could not be written")])


def bad_files_are_refused():
    write("ragged.txt", "1 2 3\n4 5\n")
    write("nan.txt", "1 2\n3 nan\n")
    write("other.csv", "colour,shape\nred,round\n")
    (DIR / "folder").mkdir()
    expect_refusals([(2, "maxpool_serial -i ragged.txt", "ragged.txt"),
                     (2, "maxpool_serial -i folder", "folder: is a directory, not a regular file"),
                     (2, "maxpool_serial -i nan.txt", "nan.txt"),
                     (2, "maxpool_serial -i - < $SOURCE/tests/data/brain_axial.png", "standard input: is no text"),
                     (2, "maxpool_serial -i - < $DATA/brain_24_slices.nii.gz", "standard input: is no text"),
                     (2, "maxpool_serial -n 8 --record other.csv", "other.csv")])


# ---- what works -----------------------------------------------------------------------------------------------------


def known_answers_through_every_method():
    """The map of each known answer, written by each method, equals the committed file."""
    cases = [line.split() for line in (CASES / "cases.tsv").read_text(encoding="utf-8").splitlines()
             if line and line[0] != "#"]
    expect("six known answers", len(cases) == 6, cases)
    for program in ("maxpool_serial", "maxpool_omp"):
        methods = [line.split()[0] for line in done(f"./{program} --list-methods").out.splitlines()]
        expect(f"{program} has methods", methods)
        for name, kernel, stride, padding, pad_mode in cases:
            for method in methods:
                done(f"./{program} --method {method} -i $CASES/{name}.in.npy -k {kernel} -s {stride} -p {padding} "
                     f"--pad-mode {pad_mode} --samples 1 -o $DIR/known.npy --format csv && "
                     f"cmp $DIR/known.npy $CASES/{name}.out.npy", ",exact,")


def real_images_pool_and_verify():
    for line in ("./maxpool_serial -i $DATA/brain_axial.png --samples 3 -o $DIR/axial.png",
                 "./maxpool_omp -t 3 -i $DATA/brain_sagittal.png -k 3 -s 1 -p 1 --samples 3 -o $DIR/s.npy",
                 "./maxpool_omp -t 2 -i $DATA/brain_24_slices.nii.gz --samples 3 -o $DIR/slices.npy",
                 "./matmul_omp -t 2 -i $DATA/brain_axial.png --samples 2 -o $DIR/product.txt",
                 "./copy_omp -t 2 -i $DATA/brain_24_slices.nii.gz --method rows --samples 2 -o $DIR/same.npy"):
        done(line, "exact: every value")


def planes_are_multiplied():
    """Every plane has its own B, from the seed or a file, or all planes share one. A file with another number of planes
    is refused; the message names both shapes."""
    done("./copy_serial -n 5 --planes 3 --samples 1 -o $DIR/three.npy && "
         "./copy_serial -n 5 --samples 1 -o $DIR/one.npy")
    for filter_ in ("random", "$DIR/three.npy", "$DIR/one.npy", "identity"):
        done("for t in 1 2 7; do ./matmul_omp -t $t -R 6 -C 5 --planes 3 "
             f"--filter {filter_} --method all --samples 2 -o $DIR/t$t.npy && "
             "cmp $DIR/t1.npy $DIR/t$t.npy || exit 9; done", "exact: every value")
    fails(2, "./matmul_serial -R 6 -C 5 --planes 2 --filter $DIR/three.npy --samples 1",
          "three.npy: the filter must be 2 planes of 5 x 5, the file holds 3 planes of 5 x 5")


def maps_do_not_depend_on_threads():
    """Every thread count gives the same map for the same image and a random filter."""
    done("for t in 1 2 3 7; do ./maxpool_omp -t $t -R 301 -C 203 -k 3 -s 1 -p 2 --filter random "
         "--samples 1 --format csv -o $DIR/threads_$t.npy || exit 9; "
         "cmp $DIR/threads_1.npy $DIR/threads_$t.npy || exit 8; done", never=(",wrong,",))


def verdicts_say_which():
    for options, verdict in (("--filter random", ",exact,"), ("--max-value 16777216 --filter random", ",bound,"),
                             ("--verify sampled", ",sampled_exact,"), ("--verify none", ",none,")):
        done(f"./maxpool_serial -n 64 {options} --samples 2 --format csv", verdict)


def records_hold_every_execution():
    """The record and --format csv hold the same header and rows: warm-up first, then the samples, and the stop reason
    in the last row."""
    outcome = done("./maxpool_omp -t 2 -n 32 --samples 7 --warmup 2 --record $DIR/r.csv --experiment name --round 4 "
                   "--format csv > $DIR/out.csv && cmp $DIR/r.csv $DIR/out.csv && wc -l < $DIR/r.csv && "
                   "grep -c ,samples, $DIR/r.csv && grep -c '^name,maxpool_omp,maxpool,omp,' $DIR/r.csv")
    expect("header, warm-ups and samples", outcome.out == "10\n1\n9\n", outcome)


def typed_images_are_read():
    done("./maxpool_serial -i - --samples 1 --print", "        6        8\n       14       16\n",
         typed="1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 16\n")


def worked_windows_are_explained():
    """The worked example of the tesina, figures 1 and 2, as the program prints it: 4 windows, their products by the
    identity, and their maxima."""
    done("./maxpool_serial -i - -k 2 -s 2 --samples 1 --print --explain",
         "Output (0, 0): window at row 0, column 0\n        9        5                9        5\n"
         "        3        1   x B =        3        1\n  maximum 9\n",
         "Output (0, 1): window at row 0, column 2\n        2        7                2        7\n"
         "        3        4   x B =        3        4\n  maximum 7\n",
         "Output (1, 0): window at row 2, column 0\n        2        6                2        6\n"
         "        8        3   x B =        8        3\n  maximum 8\n",
         "Output (1, 1): window at row 2, column 2\n        5        9                5        9\n"
         "        7        4   x B =        7        4\n  maximum 9\n",
         "4 windows extracted, 4 values each\n",
         "        9        7\n        8        9\n",  # the map
         typed="9 5 2 7\n3 1 3 4\n2 6 5 9\n8 3 7 4\n")


def products_are_explained():
    """Every element of a product, term by term, and the matrix that the image is multiplied by."""
    write("b.txt", "5 6\n7 8\n")
    done("./matmul_serial -i - --filter $DIR/b.txt --samples 1 --print --explain",
         "B, the filter (2 x 2)\n        5        6\n        7        8\n",
         "Element (0, 1): row 0 of A times column 1 of B\n", "  sum 22\n", "  sum 50\n", typed="1 2\n3 4\n")
    outcome = done("./matmul_serial -n 2 --planes 2 --filter random --samples 1 --explain")
    expect("eight elements", outcome.out.count("Element (") == 8, outcome)


def one_is_one():
    for line, words in (("./maxpool_serial -n 2", "1 window extracted, 4 values\n"),
                        ("./maxpool_serial -n 1 -k 1", "1 x 1, 1 value, 4 B"),
                        ("./maxpool_serial -n 4", "4 windows extracted, 4 values each\n"),
                        ("./matmul_serial -n 1", "1 dot product, 1 product\n"),
                        ("./conv_serial -n 8 --filters 1", "1 filter, kernel size 3")):
        done(f"{line} --samples 1", words)


def talk_at_a_terminal(program, typed):
    """Returns the status and all that a program writes to a terminal while `typed` is typed."""
    child, terminal = pty.fork()
    if child == 0:
        os.execl(program, program, "-i", "-", "--samples", "1")
    os.write(terminal, typed.encode())
    seen = b""
    try:
        while part := os.read(terminal, 4096):
            seen += part
    except OSError:  # the end of a terminal
        pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode()


def whoever_types_is_shown_how():
    status, seen = talk_at_a_terminal(BIN / "maxpool_serial", "1 2\n3 4\n\x04")
    for words in ("Type the image: a row of numbers a line", "Ctrl-D on a line of its own ends it",
                  "1 window extracted"):
        expect(words, status == 0 and words in seen, f"status {status}\n{seen}")
    done("./maxpool_serial -i - --samples 1", typed="1 2\n3 4\n", never=("Type the image",))


def interactive_asks_again():
    done("./maxpool_serial --interactive --samples 1 --explain", "        6        8\n",
         "Output (0, 1): window at row 0, column 2",
         err=("'zero' is not one size, or two", "'2 4 4' is not one size, or two",
              "Answer 1 or m (manual), 2 or r (random)", "A row is 4 finite numbers",
              "'9' is not an integer from 1 to 2"),
         typed="x\nm\nzero\n2 4 4\n2 4\n1 2 3\n1 2 3 4\n5 6 7 nan\n5 6 7 8\n0\n9\n2\n2\n")
    fails(2, "./maxpool_serial --interactive", "the input ended", typed="r\n4\n")


def interactive_is_a_menu():
    """The tesina's menu: one size for N x N, padding; the padded image and the map are shown."""
    done("./maxpool_serial --interactive --samples 1", "Image (2 x 2)\n        1        2\n        3        4\n",
         "Padded image (4 x 4)\n        0        0        0        0\n        0        1        2        0\n"
         "        0        3        4        0\n        0        0        0        0\n",
         " (2 x 2)\n        1        2\n        3        4\n\n",
         err=("  1  manual: type it in, row by row\n  2  random, from a seed\n",), typed="m\n2\n1 2\n3 4\n1\n2\n2\n")
    done("./maxpool_serial --interactive --samples 1 --pad-mode ignore",
         "Padded image (5 x 5)\n        .        .        .        .        .\n", typed="r\n3\n\n1\n2\n1\n")


def interactive_takes_the_tesinas_answers():
    """The tesina's own answers, and its last lines: windows, seconds of the products, total."""
    for answer in ("1", "m", "Manual", " manual \t"):
        done("./maxpool_serial --interactive --samples 1", "Image (2 x 3)\n        1        2        3\n",
             "\nSummary\n  Image                     2 x 3\n  Kernel size               2 x 2\n"
             "  Stride                    1\n  Padding                   0\n  Windows                   2\n"
             "  Feature map               1 x 2\n  Time of the products      0.",
             "\n  Total time                0.", typed=f"{answer}\n2 3\n1 2 3\n4 5 6\n0\n2\n1\n")
    for answer in ("2", "r", "RANDOM", "aleatoria", ""):
        done("./maxpool_omp -t 1 --interactive --samples 1", "method staged", "  Windows                   4\n",
             typed=f"{answer}\n4\n\n\n\n\n")
    for answer in ("3", "maybe", "12", "rn"):
        fails(2, "./maxpool_serial --interactive --samples 1", "Answer 1 or m", typed=f"{answer}\n")


def slices_of_a_volume():
    """Slices across each axis of a volume are its elements, as numbers and as pictures; a series of pictures has one
    scale. A volume: planes x rows x columns are z, y and x."""
    z, y, x = 5, 3, 4
    done("./copy_serial -R 3 -C 4 --planes 5 --seed 4 --max-value 99 --samples 1 -o $DIR/volume.npy")
    shape, every = read_npy("volume.npy")
    expect("a volume", shape == (z, y, x), shape)
    at = lambda k, j, i: every[(k * y + j) * x + i]
    for axis, number, own in (
            ("x", 0, [at(k, j, 0) for k in range(z) for j in range(y)]),
            ("x", x - 1, [at(k, j, x - 1) for k in range(z) for j in range(y)]),
            ("y", 0, [at(k, 0, i) for k in range(z) for i in range(x)]),
            ("y", y - 1, [at(k, y - 1, i) for k in range(z) for i in range(x)]),
            ("z", 1, [at(1, j, i) for j in range(y) for i in range(x)]),
            ("z", z - 1, [at(z - 1, j, i) for j in range(y) for i in range(x)])):
        done(f"./copy_serial -i $DIR/volume.npy --axis {axis} --plane {number} --samples 1 -o $DIR/one.npy")
        shape, got = read_npy("one.npy")
        rows, cols = {"x": (z, y), "y": (z, x), "z": (y, x)}[axis]
        expect(f"slice {number} across {axis}", shape in ((rows, cols), (1, rows, cols)) and list(got) == own, got)
    for options, why in (("-i $DIR/volume.npy --plane 5", "has 5 slices across z, 0 to 4"),
                         ("-i $DIR/volume.npy --axis y --plane 3", "has 3 slices across y, 0 to 2"),
                         ("-n 8 --plane 1", "--plane is of the volume of --input"),
                         ("-n 8 --axis x", "--axis is of the volume of --input")):
        fails(2, f"./copy_serial {options}", why)
    if "png" in FEATURES:
        done("./copy_serial -i $DIR/volume.npy --axis x --samples 1 -o $DIR/s_%02d.png && "
             "for i in 0 3; do ./copy_serial -i $DIR/s_0$i.png --samples 1 -o $DIR/a.txt && "
             "./copy_serial -i $DIR/volume.npy --axis x --plane $i --samples 1 -o $DIR/b.txt && "
             "cmp $DIR/a.txt $DIR/b.txt || exit; done; test ! -e $DIR/s_04.png")


def an_input_is_not_replaced():
    """A map never replaces a file that the point reads, under whichever name, nor in a series; the file stays."""
    done("./copy_serial -R 6 -C 7 --seed 4 --max-value 99 --samples 1 -o $DIR/x.npy && cd $DIR && "
         "cp x.npy before.npy && ln -s x.npy link.npy && ln x.npy hard.npy && mkdir -p sub")
    done("./copy_serial -R 2 -C 2 --max-value 9 --samples 1 -o $DIR/filter.npy")
    lines = ["./maxpool_serial -i $DIR/x.npy -o $DIR/x.npy", "./maxpool_serial -i $DIR/x.npy -o $DIR/sub/../x.npy",
             "./maxpool_serial -i $DIR/x.npy -o $DIR/link.npy", "./maxpool_serial -i $DIR/link.npy -o $DIR/x.npy",
             "./maxpool_serial -i $DIR/x.npy -o $DIR/hard.npy",
             "./maxpool_serial -n 8 -k 2 --filter $DIR/filter.npy -o $DIR/filter.npy"]
    if "png" in FEATURES:
        done("./copy_serial -R 6 -C 7 --planes 3 --max-value 255 --samples 1 -o $DIR/p_1.png")
        lines.append("./copy_serial -i $DIR/p_1.png -o $DIR/p_%d.png")
    for line in lines:
        fails(2, f"{line} --samples 1", "which is read", "write another file")
    done("cmp $DIR/x.npy $DIR/before.npy && ./maxpool_serial -i $DIR/x.npy --samples 1 -o $DIR/other.npy")


def a_panel_of_edges():
    """The example's filters are Sobel's: an impulse shows them turned by 180 degrees. The script writes its five
    pictures, of a picture and of a slice of a volume."""
    write("impulse.txt", "0 0 0\n0 1 0\n0 0 0\n")
    done("./conv_serial -i $DIR/impulse.txt --weights $SOURCE/examples/sobel.npy -s 1 -p 1 --samples 1 -o $DIR/map.txt "
         "&& cat $DIR/map.txt", "1 0 -1\n2 0 -2\n1 0 -1\n\n1 2 1\n0 0 0\n-1 -2 -1\n")
    need("png")
    done("$SOURCE/examples/sobel_panel.sh . $DIR/panel && cd $DIR/panel && ls | tr '\\n' ' '",
         "\nedges_0.png edges_0_pooled.png edges_1.png image.png image_pooled.png ")
    need("nifti")
    done("$SOURCE/examples/sobel_panel.sh . $DIR/volume_panel $DATA/brain_24_slices.nii.gz && "
         "./copy_serial -i $DIR/volume_panel/edges_1.png --samples 1 --format csv", ",109,91,")


def a_copy_is_the_image():
    """The map of a copy, read again and written as text, equals the image."""
    done("./copy_serial -R 13 -C 17 --planes 2 --seed 4 --samples 1 -o $DIR/copy.npy && "
         "./copy_omp -t 2 -i $DIR/copy.npy --method rows --samples 1 -o $DIR/twice.npy && "
         "cmp $DIR/copy.npy $DIR/twice.npy && ./maxpool_serial -R 13 -C 17 --planes 2 --seed 4 "
         "-k 1 --samples 1 -o $DIR/pooled.npy && cmp $DIR/copy.npy $DIR/pooled.npy")


def images_of_the_suite_are_found():
    """A relative name that the working folder lacks is that of a file of the suite, and is recorded as it was given; a file
    of the working folder comes first."""
    for name in ("tests/data/brain_axial.png", "tests/data/brain_24_slices.nii.gz"):
        need("nifti" if name.endswith("gz") else "png")
        done(f"B=$PWD; cd $DIR; rm -f r.csv; $B/maxpool_serial -i {name} -k 4 --method fused --samples 1 --record r.csv", name)
        expect("the name as given", {row["input"] for row in rows_in(DIR / "r.csv")} == {name}, read("r.csv"))
    done("B=$PWD; cd $DIR; mkdir -p tests/data; cp $CASES/digits_8x8_k2_s2.in.npy tests/data/brain_axial.png; "
         "$B/maxpool_serial -i tests/data/brain_axial.png -k 4 --samples 1", "8 x 8")
    done("rm -r $DIR/tests")
    fails(2, "B=$PWD; cd $DIR; $B/maxpool_serial -i tests/data/none.png", "tests/data/none.png: cannot be read: No such file")


def photos_stay_in_colour():
    """A colour picture gives a colour picture: pooling it is pooling its planes. With --gray it is one plane, read as a
    gray picture of that luma would be."""
    for line in ("./copy_serial -R 10 -C 12 --planes 3 --max-value 255 --samples 1 -o $DIR/photo.png",
                 "./copy_serial -i $DIR/photo.png --samples 1 -o $DIR/photo.npy",
                 "./maxpool_omp -t 2 -i $DIR/photo.png --samples 1 -o $DIR/pooled.png",
                 "./maxpool_serial -i $DIR/photo.npy --samples 1 -o $DIR/pooled.npy",
                 "./copy_serial -i $DIR/pooled.png --samples 1 -o $DIR/back.npy",
                 "cmp $DIR/back.npy $DIR/pooled.npy",
                 "./copy_omp -t 3 -i $DIR/photo.png --gray --samples 1 -o $DIR/gray.png",
                 "./maxpool_omp -t 2 -i $DIR/photo.png --gray --samples 1 -o $DIR/a.npy",
                 "./maxpool_serial -i $DIR/gray.png --samples 1 -o $DIR/b.npy",
                 "cmp $DIR/a.npy $DIR/b.npy",
                 "./maxpool_serial -i $DIR/gray.png --gray --samples 1 -o $DIR/c.npy",
                 "cmp $DIR/c.npy $DIR/b.npy"):
        done(line)


# ---- help and languages ---------------------------------------------------------------------------------------------


def help_teaches():
    for program in ("maxpool_serial", "maxpool_omp", "matmul_serial", "matmul_omp"):
        outcome = done(f"./{program} --help all", "Examples", "Exit status",
                       never=("The device", "The simulation"))  # no heading without an option below it
        expect("no error", outcome.err == "", outcome)
        expect("--stride", ("--stride" in outcome.out) == program.startswith("maxpool"), outcome)
        expect("--threads", ("--threads" in outcome.out) == program.endswith("omp"), outcome)
        outcome = done(f"./{program} --version")
        expect("its name and version", outcome.out.startswith(program), outcome)


def help_is_one_screen():
    """Every option on --help is one of --help all, and three examples follow."""
    for program in ("maxpool_serial", "maxpool_omp", "matmul_omp", "conv_serial", "copy_serial"):
        brief, every = done(f"./{program} --help"), done(f"./{program} --help all")
        expect("--help=all is the same", done(f"./{program} --help=all").out == every.out, every)
        lines = brief.out.count("\n")
        expect("one screen", 24 <= lines <= 40 and every.out.count("\n") > 2 * lines, brief)
        for option in re.findall(r" (--[-a-z]+)", brief.out):
            expect(f"{option} of {program} is in --help all", option in every.out)
        _, _, examples = brief.out.partition("\nExamples\n")
        expect("three examples", examples.count("\n") == 5 and "--help all" in examples, brief)


def need_spanish():
    if command("./maxpool_serial --lang es --version").status != 0:
        raise Skipped("built without msgfmt")


def the_screen_speaks_spanish():
    """The language is --lang, or that of the first of LC_ALL, LC_MESSAGES and LANG that is set; what machines read is
    English in every language."""
    here = command("./maxpool_serial --lang es --version")
    if here.status == 3:
        holds(here, err=("language es is not in this build",))
        done("LC_ALL=es_MX ./maxpool_serial --help", "Usage: ")
    need_spanish()
    for setting, option, spanish in (("LC_ALL=es_MX.UTF-8", "", True),
                                     ("LC_ALL= LC_MESSAGES=es_ES LANG=C", "", True),
                                     ("LC_ALL= LC_MESSAGES= LANG=es", "", True),
                                     ("LC_ALL=C LC_MESSAGES=es LANG=es", "", False),
                                     ("LC_ALL= LC_MESSAGES=en_US.UTF-8 LANG=es_MX.UTF-8", "", False),
                                     ("LC_ALL=fr_FR.UTF-8", "", False),
                                     ("LC_ALL=es/../es", "", False),
                                     ("LC_ALL=C", "--lang es", True),
                                     ("LC_ALL=es_MX.UTF-8", "--lang en", False),
                                     ("LC_ALL=es_MX.UTF-8 MAXPOOL_LOCALE=/none", "--lang=en", False)):
        outcome = done(f"{setting} ./maxpool_serial --help {option}")
        expect("the language of --help", outcome.out.startswith("Uso: ") == spanish, outcome)
        outcome = done(f"{setting} ./maxpool_serial -n 16 --samples 6 --method literal,direct {option}")
        expect("the language of the summary", ("Verificado" in outcome.out) == spanish, outcome)
        expect("and no other", ("Verified" in outcome.out) != spanish, outcome)
    done("for f in csv json; do for l in C es_MX.UTF-8; do LC_ALL=$l ./maxpool_serial -n 8 --samples 1 "
         "--method literal --format $f | sed 's/null//g' | tr -d '0-9a-fA-F.+-' >$DIR/words.$l || exit 1; done; "
         "cmp $DIR/words.C $DIR/words.es_MX.UTF-8 && grep -q xt $DIR/words.C || exit 1; done")


def errors_speak_spanish():
    """What is wrong is said in that language too, names of options and files as they are; English is the default, and
    what a program starts speaks English."""
    need_spanish()
    for status, line, words in (
            (2, "maxpool_serial --metod x --lang es",
             "opción desconocida '--metod'; ¿quiso decir '--method'? (vea --help)\n"),
            (2, "maxpool_serial --method x", "--method: no hay 'x' en maxpool_serial (vea --list-methods)\n"),
            (2, "maxpool_serial -n", "la opción '-n' necesita un valor: N (vea --help)\n"),
            (2, "maxpool_serial -n 1,5", "--size: '1,5' no es un entero: dé un número entero\n"),
            (2, "maxpool_serial --relative-ci 1,5",
             "--relative-ci: '1,5' no es un número; escriba un punto: 1.5\n"),
            (2, "maxpool_serial -k 0", "kernel-size debe ser al menos 1, no 0\n"),
            (2, "maxpool_serial --verify x", "--verify debe ser uno de full|sampled|none, no 'x'\n"),
            (2, "maxpool_serial --threads 2",
             "--threads no se aplica aquí: este programa calcula con un hilo (maxpool_serial)\n"),
            (2, "maxpool_serial -n 4 -k 5", "no cabe en la imagen de 4 x 4 con relleno 0\n"),
            (2, "matmul_serial -k 3",
             "--kernel-size no se aplica aquí: el producto de matrices no tiene ventanas (matmul_serial)\n"),
            (2, "maxpool_serial -i none.png", "none.png: no se puede leer: no existe\n"),
            (5, "maxpool_serial -n 4 -o none/map.png", "none/map.png: no se puede escribir: no existe\n"),
            (2, "maxpool_serial -n 4 -o map.bmp",
             "map.bmp: el nombre de una salida debe terminar en .npy, .txt o .png\n"),
            (2, "maxpool_serial -n 128 --explain",
             "--explain es para imágenes pequeñas: imprimiría 32768 números")):
        outcome = fails(status, f"LC_ALL=es_MX.UTF-8 ./{line}", words)
        expect("nothing is printed", outcome.out == "", outcome)
        outcome = command(f"LC_ALL=es_MX.UTF-8 MAXPOOL_LANG=en ./{line}")
        chosen = "--lang" in line  # wins over the environment
        expect("English", outcome.status == status and (words in outcome.err) == chosen, outcome)


def explanations_speak_spanish():
    """--explain speaks the language of the screen; columns keep their places."""
    need_spanish()
    done("./maxpool_serial -n 4 --explain --samples 1 --lang es",
         "\nSalida (0, 0): ventana en la fila 0, columna 0\n        0        7                0        7\n"
         "        6        2   x B =        6        2\n  máximo 7\n",
         "Parámetros    tamaño de kernel 2, paso 2, relleno 0, ")
    done("./matmul_serial -n 2 --explain --samples 1 --lang es",
         "\nElemento (0, 0): fila 0 de A por columna 0 de B\n        0            1            0               0\n"
         "        7   x        0   =        0   suma        0\n  suma 0\n")


def questions_are_asked_in_spanish():
    """The questions of --interactive are in that language too; their answers are the same."""
    need_spanish()
    done("./maxpool_serial --interactive --samples 1 --lang es", "\nResumen\n  Imagen                    4 x 6\n",
         "\n  Tiempo de los productos   0.", "\n  de ello product  ",
         err=("Semilla [35]: ", "  Responda 1 o m (manual), 2 o r (aleatoria)."), never=("Answer", "of it"),
         typed="x\nr\n4 6\n3\n0\n2\n2\n")


# ---- signals, memory, and what is left ------------------------------------------------------------------------------


def interrupts_keep_what_was_measured():
    """Ctrl-C: the current sample is finished and recorded, the record gives the reason, and the process ends by the
    signal."""
    outcome = command("$WHEN INT $DIR/int.csv 4000 ./maxpool_serial -n 256 --samples 10000000 --max-seconds 600 "
                      "--relative-ci 0 --record $DIR/int.csv")
    expect("the signal ends it", outcome.status == 130, outcome)
    holds(outcome, "interrupted; what was measured is kept")
    outcome = command("tail -n 1 $DIR/int.csv | grep -c ,interrupted,")
    expect("the last row gives the reason", outcome.out == "1\n", outcome)


def a_signal_while_a_row_is_printed_loses_nothing():
    """The reader of the rows is slow, as `less` is: the pipe is full and the program waits in the middle of a row when
    the signal comes. The row is whole, and none of them is lost."""
    reader, writer = os.pipe()
    capacity = fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)
    with subprocess.Popen(["./maxpool_serial", "-n", "64", "--samples", "10000000", "--max-seconds", "600",
                           "--relative-ci", "0", "--format", "csv", "--record", DIR / "slow.csv"], cwd=BIN,
                          stdout=writer, stderr=subprocess.PIPE, text=True) as child:
        os.close(writer)

        seen = 0
        while child.poll() is None and seen < 10:  # asleep, and no room for a row
            time.sleep(0.01)
            waiting = struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, bytes(4)))[0]
            state = pathlib.Path(f"/proc/{child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            seen = seen + 1 if state == "S" and waiting > capacity - 1000 else 0
        child.terminate()
        with open(reader, encoding="utf-8") as printed:
            rows = printed.read()
        outcome = Outcome("a slow reader", child.wait(), rows[-500:], child.stderr.read(), 0)
    expect("the signal ends it", outcome.status == -signal.SIGTERM, outcome)
    expect("no message", "maxpool_serial: " not in outcome.err, outcome)
    expect("what is printed is what is recorded", rows == read("slow.csv"), outcome)


def a_signal_while_reading_ends_at_once():
    """While an image is read there is no sample to finish: the first signal ends the process."""
    outcome = command("mkfifo $DIR/typed && { sleep 3600 > $DIR/typed & s=$!; ./maxpool_serial -i - < $DIR/typed & p=$!; "
                      "sleep 1; kill -TERM $p; wait $p; echo $?; kill $s; }")
    expect("the signal ends it", outcome.out == "143\n", outcome)
    expect("no message", "maxpool_serial: " not in outcome.err, outcome)


def unpacking_is_reported_and_limited():
    """A picture of 64 KB that unpacks to 256 MiB of floats: the program announces it first, and stops reading at the
    requested limit."""
    outcome = command("./maxpool_serial -n 8 --samples 1 -o $DIR/small.png")
    expect("a picture is written, or cannot be", outcome.status == (0 if "png" in FEATURES else 3), outcome)
    need("png")
    write_zeros_png("zeros.png", 8192)
    outcome = fails(4, "./maxpool_serial -i $DIR/zeros.png --max-seconds 0.001",
                    "that unpack to an image of 256 MiB; after --max-seconds 0.001",
                    "zeros.png: it could not be unpacked within 0.001 s")
    expect("two lines", outcome.err.count("\n") == 2, outcome)
    if "sanitize" not in FEATURES:  # a sanitizer needs more address space
        fails(4, "ulimit -v 300000; ./maxpool_serial -i $DIR/zeros.png", "are needed and")


def nothing_is_left_half_written():
    outcome = command("bin=$PWD; mkdir $DIR/small && cd $DIR/small && (ulimit -f 1; trap '' XFSZ; "
                      "$bin/maxpool_serial -n 512 --samples 1 -o map.npy); echo $?; ls -A")
    expect("status 5, and no file", outcome.out == "5\n", outcome)
    expect("one line", outcome.err.count("\n") == 1, outcome)


def a_signal_leaves_no_part_of_a_map():
    """A program that receives two signals while it writes a map leaves no partial file. The whole map would be 140 MB
    of text; the signal is sent as soon as a part is written, and if the program had the core until the whole map was
    there, it writes once more."""
    if command("df -Pk $DIR | awk 'NR == 2 { exit $4 < 300000 }'").status != 0:
        raise Skipped("less than 300 MB of disk are free")
    for _ in range(20):
        outcome = command(
            "bin=$PWD; mkdir -p $DIR/cut && cd $DIR/cut && rm -f map.txt && { "
            "$bin/maxpool_serial -n 6000 -k 1 --samples 1 --verify none -o map.txt >/dev/null & p=$!; "
            "while kill -0 $p && [ -z \"$(find . -name '.maxpool-*.tmp' -size +64)\" ]; do sleep 0.02; done; "
            "kill -INT $p; sleep 0.05; kill -INT $p; wait $p; echo $?; ls -A; }")
        if outcome.out != "0\nmap.txt\n":
            break
    expect("the signal ends it, and no file is left", outcome.out == "130\n", outcome)


def binding_is_recorded():
    """--bind is in the record, or refused with status 3 where the build has no hwloc."""
    for binding in ("core", "spread"):
        outcome = command(f"./maxpool_omp -t 2 -n 64 --samples 2 --bind {binding} --format csv")
        expect("recorded or refused", outcome.status in (0, 3), outcome)
        found = any(f",{binding},{bound},plain," in outcome.out for bound in (binding, "shared"))
        expect("recorded where it is not refused", found == (outcome.status == 0), outcome)


def pages_are_recorded():
    """The record holds the pages that --pages requests and the pages obtained, just before the columns of
    interleaving."""
    for option, ends in (("--pages ordinary", [",ordinary,ordinary,1,,,"]),
                         ("--pages huge", [f",huge,{got},1,,," for got in ("huge", "ordinary", "advised")]),
                         ("", [f",,{got},1,,," for got in ("huge", "ordinary", "advised")])):
        outcome = command(f"./maxpool_omp -t 2 -n 2048 --samples 1 {option} --format csv | tail -n 1")
        expect(f"one of {ends}", any(end in outcome.out for end in ends), outcome)
    done("./maxpool_serial -n 2048 --samples 1 --pages ordinary", ", pages: ordinary\n")


def oversubscription_is_said_aloud():
    """More threads than cores are measured, and a message reports it."""
    done("taskset -c 0 ./maxpool_omp -t 5 -n 64 --samples 2", "bound: shared",
         "5 threads share 1 core: more workers than cores give no speedup", err=("5 threads share 1 core:",))


def copies_are_said_aloud():
    """mpirun starts copies of a program without ranks: the first says so, the others and a single one do not."""
    said = "maxpool_serial: mpirun started 4 copies, and each computes everything: only programs NAME_mpi divide"
    line = "OMPI_COMM_WORLD_SIZE=%d OMPI_COMM_WORLD_RANK=%d ./maxpool_serial -n 8 --samples 1"
    for size, rank, is_said in ((4, 0, True), (4, 3, False), (1, 0, False)):
        outcome = done(line % (size, rank))
        expect(f"copies {size}, rank {rank}", (said in outcome.err) == is_said, outcome)


def limited_teams_are_refused():
    """A team with fewer threads than requested is an error: part of the map would have no worker."""
    fails(4, "OMP_THREAD_LIMIT=2 ./maxpool_omp -t 4 -n 64",
          "OpenMP gives a team of 2 threads where 4 were asked for")


def json_holds_the_samples():
    """JSON: one object, every sample, no NaN; or status 3 where the build has no cJSON."""
    outcome = command("./maxpool_serial -n 64 --samples 7 --method staged --format json")
    if outcome.status == 3:
        raise Skipped("built without cJSON")
    expect("status 0", outcome.status == 0, outcome)
    holds(outcome, '"verified":\t"exact"', '"seed":\t35', '"quartile3"', never=(":\tnan", "-nan"))
    expect("one object", isinstance(json.loads(outcome.out), dict), outcome)
    # the last row repeats the summary once
    expect("seven samples", outcome.out.count('"start_error_s":\tnull') == 7 + 1, outcome)


def memory_is_what_the_tables_declare():
    """Peak memory is at most image, map, scratch and 8 MiB, whatever else the program does. Sanitizers use shadow
    memory, so the test is skipped there."""
    if "sanitize" in FEATURES:
        raise Skipped("a sanitizer uses shadow memory")
    for line, kib in (  # image + map + declared scratch
            ("./maxpool_serial -n 2048 --samples 2", 16384 + 4096 + 4),
            ("./maxpool_omp -t 2 -n 2048 --method staged --samples 2", 16384 + 4096 + 2 * 32),
            ("./maxpool_serial -R 4 -C 1000000 -k 2 --samples 2", 15625 + 3907 + 512),
            ("./maxpool_omp -t 2 -R 2048 -C 1024 -k 3 -s 1 --filter random --max-value 16777216 --samples 2",
             8192 + 8168 + 8),
            ("./maxpool_serial -n 2048 --verify sampled --samples 2", 16384 + 4096 + 4)):
        outcome = done(f"exec {line}")
        expect(f"{outcome.peak_kib} KiB, {kib} + 8192 allowed", outcome.peak_kib <= kib + 8192, outcome)


def the_page_of_options_is_up_to_date():
    """docs/options.md equals what the programs print with --help, so that a change of either is noticed. Open MPI frees
    some memory only when a program ends, so the leak check is off."""
    check = "ASAN_OPTIONS=detect_leaks=0 $SOURCE/scripts/options_page.sh --check $PWD/.."
    outcome = command(check)
    if outcome.status == 77:
        raise Skipped("a program of the page was not built here")
    expect("up to date", outcome.status == 0, outcome)
    outcome = command(f"{check} $SOURCE/README.md")
    expect("another page is not", outcome.status == 1, outcome)


if __name__ == "__main__":
    sys.exit(main(
        bad_options_are_refused, bad_files_are_refused, known_answers_through_every_method,
        real_images_pool_and_verify, images_of_the_suite_are_found, photos_stay_in_colour, planes_are_multiplied, maps_do_not_depend_on_threads,
        verdicts_say_which, records_hold_every_execution, typed_images_are_read, worked_windows_are_explained,
        products_are_explained, one_is_one, whoever_types_is_shown_how, interactive_asks_again, interactive_is_a_menu,
        interactive_takes_the_tesinas_answers, slices_of_a_volume, an_input_is_not_replaced,
        a_panel_of_edges, a_copy_is_the_image, help_teaches,
        help_is_one_screen, the_screen_speaks_spanish, errors_speak_spanish, explanations_speak_spanish,
        questions_are_asked_in_spanish, interrupts_keep_what_was_measured,
        a_signal_while_a_row_is_printed_loses_nothing, a_signal_while_reading_ends_at_once,
        unpacking_is_reported_and_limited, nothing_is_left_half_written, a_signal_leaves_no_part_of_a_map,
        binding_is_recorded, pages_are_recorded, oversubscription_is_said_aloud, copies_are_said_aloud,
        limited_teams_are_refused, json_holds_the_samples, memory_is_what_the_tables_declare, the_page_of_options_is_up_to_date))
