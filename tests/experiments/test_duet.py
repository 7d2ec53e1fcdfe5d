#!/usr/bin/env python3
"""study duet: equal builds are not called different, a build that does the work twice is found, wrong output and missing
operations are reported, and what cannot be compared is refused with what is needed.
Usage: test_duet.py FOLDER_OF_PROGRAMS BUILD_FOLDER"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import faults, finish

STUDY = str(pathlib.Path(sys.argv[1]).resolve() / "study")
BUILD = pathlib.Path(sys.argv[2]).resolve()
LAYOUTS = 12

# The clock of the worker in `decides`: an execution of a planted build takes 8 to 12 us, whatever the machine does.
# All other clocks are the system's.
CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

static int64_t now_ns;
static uint32_t state = 35;

void pass_time(void);
void pass_time(void)
{
    state = state * 1664525u + 1013904223u;
    now_ns += 8000 + (state >> 16) % 4000;
}

int clock_gettime(clockid_t which, struct timespec *t)
{
    if (which != CLOCK_THREAD_CPUTIME_ID)
        return ((int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"))(which, t);
    t->tv_sec = now_ns / 1000000000;
    t->tv_nsec = now_ns % 1000000000;
    return 0;
}
"""
# With this few layouts, all agree by chance once in 32 runs, but not on one build taking 90 % more.
SMALL = ["--layouts", 6, "--rounds", 2, "--margin", 0.9]
EXPERIMENT = """[experiment]
title = Small points
question = Which build is faster?
section = ideas
baseline = literal

[points pooling]
programs = maxpool_serial
method = literal direct
size = 48
kernel = 3
filter = {filter}

[points product]
programs = matmul_serial
method = naive
size = 24
"""

EPILOGUE = """
[points the epilogue]
programs = conv_serial
method = implicit
size = 24
activation = relu
"""

# Every operator of kernels/operators.inc that has programs, and a gradient.
ROWS = (pathlib.Path(__file__).resolve().parents[2] / "kernels/operators.inc").read_text(encoding="utf-8")
NAMES = re.findall(r"^OPERATOR\((\w+), (?:GPU|HOST)\)", ROWS, re.M)
PROGRAMS = [f"{name}_serial" for name in NAMES] + ["conv_serial"]
POINTS = """
[points {i}]
programs = {program}
size = 24
{more}
"""
OPERATORS = EXPERIMENT.split("[points")[0] + "".join(
    POINTS.format(i=i, program=p, more="gradient = weights" if i == len(NAMES) else "")
    for i, p in enumerate(PROGRAMS))

# The changes of a planted build: symbols of the library that get another name, and the code that replaces them.
COMPUTE = """
#include <stdint.h>
struct maxpool_operation;
typedef void compute(const struct maxpool_operation *, const float *, float *, int64_t, int64_t, void *);
compute maxpool_compute, own_maxpool_compute;
__attribute__((weak)) void pass_time(void);
static void execute(const struct maxpool_operation *o, const float *in, float *out, int64_t a, int64_t n, void *s)
{
    own_maxpool_compute(o, in, out, a, n, s);
    if (pass_time)
        pass_time();
}

void maxpool_compute(const struct maxpool_operation *o, const float *in, float *out, int64_t a, int64_t n, void *s)
{
    execute(o, in, out, a, n, s);
    CHANGE
}
"""


def changed(statement):
    return ["maxpool_compute"], COMPUTE.replace("CHANGE", statement)


ONCE = changed("")
TWICE = changed("execute(o, in, out, a, n, s);")
WRONG = changed("out[0] += 1.0f;")
UNSTEADY = changed("static float n_th; out[1] += n_th++ > 2.0f;")
LACKING = (["maxpool_make_described"], """
#include <string.h>
struct described { const char *words; const void *operands; };
typedef int make(void **out, const struct described *what, void *failure);
make maxpool_make_described, own_maxpool_make_described;
int maxpool_make_described(void **out, const struct described *what, void *failure)
{
    *out = 0;
    return strstr(what->words, "operator=matmul ") ? 2 : own_maxpool_make_described(out, what, failure);
}
""")
OLD = (["maxpool_version"], """
const char *maxpool_version(void);
const char *maxpool_version(void)
{
    return "0.0.9";
}
""")


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, **more)


def plant(folder, change):
    """Makes a build folder with one change to the built library."""
    symbols, code = change
    (folder / "lib").mkdir(parents=True)
    (folder / "library").mkdir()
    shutil.copy(BUILD / "library/maxpool.pc", folder / "library")
    run("ar", "x", str(BUILD / "lib/libmaxpool.a"), cwd=folder)
    run("objcopy", *(f"--redefine-sym={s}=own_{s}" for s in symbols), "maxpool.o", cwd=folder)
    (folder / "change.c").write_text(code)
    run(*os.environ.get("CC", "cc").split(), "-O2", "-fPIC", "-c", "change.c", cwd=folder)
    run("ar", "rcs", "lib/libmaxpool.a", "maxpool.o", "change.o", cwd=folder)
    shutil.copy(BUILD / "lib/libmaxpool.so", folder / "lib/libmaxpool.so")
    return str(folder)


TREE = """cmake_minimum_required(VERSION 3.16)
project(tree C)
file(APPEND "{folder}/flags.txt" "${{CMAKE_BUILD_TYPE}} ${{CMAKE_C_FLAGS_RELEASE}}\\n")
add_custom_target(maxpool
    COMMAND ${{CMAKE_COMMAND}} -E make_directory lib library
    COMMAND ${{CMAKE_COMMAND}} -E copy "{build}/lib/libmaxpool.so" "{build}/lib/libmaxpool.a" lib
    COMMAND ${{CMAKE_COMMAND}} -E copy "{build}/library/maxpool.pc" library)
add_custom_target(maxpool_static DEPENDS maxpool)
"""


def duet(folder, *arguments, filter="identity", where=None, clock=None, experiment=EXPERIMENT):
    definitions = folder / f"definitions-{filter.replace('/', '_')}"
    definitions.mkdir(exist_ok=True)
    (definitions / "small.ini").write_text(experiment.format(filter=filter))
    return subprocess.run([STUDY, "duet", *map(str, arguments), "small", "--definitions", str(definitions), "--quick"],
                          cwd=where or folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "TMPDIR": str(folder), **({"LD_PRELOAD": clock} if clock else {})})


def expect(what, done, status, *texts):
    missing = [t for t in texts if not re.search(t, done.stdout + done.stderr)]
    if done.returncode != status or missing:
        faults.append(f"{what}: status {done.returncode}, not {status}; without {missing}\n{done.stdout}{done.stderr}")


def verdicts(done):
    return re.findall(r"^(?:maxpool|matmul)_serial .* (FASTER|SLOWER|SAME|UNDECIDED)$", done.stdout, re.M)


def decides(folder):
    """With our own clock, so that the verdicts do not depend on the machine."""
    plan = ["--layouts", LAYOUTS, "--rounds", 4, "--margin", 0.25]
    (folder / "clock.c").write_text(CLOCK)
    clock = str(folder / "clock.so")
    run(*os.environ.get("CC", "cc").split(), "-O2", "-shared", "-fPIC", "-o", clock, str(folder / "clock.c"), "-ldl")
    once, twice = plant(folder / "once", ONCE), plant(folder / "twice", TWICE)
    equal = duet(folder, once, once, *plan, "--record", "samples.csv", clock=clock)
    expect("equal builds", equal, 0, "linked anew in each layout", "3 points in 12 layouts of 4 rounds",
           "would be found 19 times of 20", "A change counts beyond 25.0 %")
    if len(verdicts(equal)) != 3 or set(verdicts(equal)) & {"SLOWER", "FASTER"}:
        faults.append(f"equal builds: {verdicts(equal)}")
    with open(folder / "samples.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kinds = {column: len({row[column] for row in rows}) for column in ("layout", "point", "first", "loaded_first")}
    paddings = {row["padding_a"] for row in rows} | {row["padding_b"] for row in rows}
    if len(rows) != 3 * LAYOUTS * 4 or kinds != {"layout": LAYOUTS, "point": 3, "first": 2, "loaded_first": 2} or \
            len(paddings) < LAYOUTS:
        faults.append(f"samples: {len(rows)} rows, {kinds}, {len(paddings)} paddings")
    loads = [float(row["others_cores"]) for row in rows if row["others_cores"]]
    if loads and not 0.0 <= min(loads) <= max(loads) <= 1.1 * len(os.sched_getaffinity(0)):
        faults.append(f"other load: {loads}")
    slower = duet(folder, once, twice, *plan, clock=clock)
    expect("twice the work", slower, 1, "3 of 3 points are slower in B")
    if verdicts(slower) != ["SLOWER"] * 3:
        faults.append(f"twice the work: {verdicts(slower)}")
    faster = duet(folder, twice, once, *plan, clock=clock)
    if faster.returncode != 0 or verdicts(faster) != ["FASTER"] * 3:
        faults.append(f"half the work: {faster.returncode}, {verdicts(faster)}")


def busy(folder):
    """Beside a busy loop per hardware thread, the last line says so."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    try:
        done = duet(folder, BUILD, BUILD, "--layouts", 6, "--rounds", 40, "--margin", 0.9)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    last = done.stdout.rstrip().split("\n")[-1]
    if not re.match(r"SUSPECT: during [1-6] of 6 layouts other programs kept up to \d", last):
        faults.append(f"busy: {done.stdout}{done.stderr}")


def verifies(folder):
    plan = SMALL
    expect("a wrong build", duet(folder, BUILD, plant(folder / "wrong", WRONG), *plan), 1, "output of B is wrong: ",
           "the output of 3 points is wrong")
    expect("a build that changes its mind", duet(folder, BUILD, plant(folder / "unsteady", UNSTEADY), *plan), 1,
           "output of B is wrong: its output is another one")
    lacking = plant(folder / "lacking", LACKING)
    expect("an operation is missing", duet(folder, BUILD, lacking, *plan), 0, "matmul_serial.* only in A",
           "2 points in 6 layouts", "1 only in A, 0 only in B")
    expect("a point that no build has", duet(folder, BUILD, BUILD, *plan, filter="/nowhere.npy"), 0,
           "2 points left out: libmaxpool has no filter=/nowhere.npy", "1 point in 6 layouts")
    expect("a point that neither build makes",
           duet(folder, BUILD, BUILD, *plan, experiment=EXPERIMENT + EPILOGUE), 0, "3 points in 6 layouts",
           "1 point that neither build makes: the library's convolution ends with the bias")
    expect("every operator", duet(folder, BUILD, BUILD, *plan, experiment=OPERATORS), 0, *PROGRAMS,
           f"{len(PROGRAMS)} points in 6 layouts", "gradient=weights", "0 only in A, 0 only in B")


def builds(folder):
    """A commit and a tree are compiled by their own CMake files, which here only copy the built files."""
    tree = folder / "tree"
    (tree / "library").mkdir(parents=True)
    (tree / "library/operation.h").write_text("")
    (tree / "CMakeLists.txt").write_text(TREE.format(folder=folder, build=BUILD))
    git = ["git", "-C", str(tree), "-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    run(*git, "init", "--quiet")
    run(*git, "add", ".")
    run(*git, "commit", "--quiet", "--message", "tree")
    small = SMALL
    many = "-O1" + " -g" * 700
    expect("a commit and a tree", duet(folder, "HEAD", ".", "--flags-b", many, *small, where=tree), 0,
           "A  HEAD: linked anew", "B  [.] -O1( -g)+: linked anew", "3 points in 6 layouts")
    flags = (folder / "flags.txt").read_text().splitlines()
    if flags != ["Release -O3 -DNDEBUG", "Release " + many]:
        faults.append(f"flags: {flags}")
    trees = run(*git, "worktree", "list").stdout.decode().splitlines()
    if len(trees) != 1:
        faults.append(f"worktrees are left: {trees}")
    expect("no commit", duet(folder, "nowhere", ".", *small, where=tree), 2, "nowhere is not a build")
    expect("flags beyond all bounds", duet(folder, ".", ".", "--flags-a", 2 * many, *small, where=tree), 2,
           r"-DCMAKE_C_FLAGS_RELEASE=-O1 -g.*\.\.\.' is too long: at most \d+ bytes")
    (tree / "CMakeLists.txt").write_text("message(FATAL_ERROR \"planted\")\n")
    expect("a tree that does not compile", duet(folder, "HEAD", ".", *small, where=tree), 2, "planted",
           "[.] does not compile")


def refuses(folder):
    small = SMALL
    expect("five layouts", duet(folder, BUILD, BUILD, "--layouts", 5), 2, "must be at least 6, not 5")
    expect("one round", duet(folder, BUILD, BUILD, "--rounds", 1), 2, "--rounds must be at least 2")
    expect("a margin", duet(folder, BUILD, BUILD, "--margin", 1), 2, "--margin must be from 0 to below 1")
    expect("no build", duet(folder, BUILD, folder, *small), 2, "is not a build", "libmaxpool.so", "a commit")
    expect("flags of a build", duet(folder, BUILD, BUILD, "--flags-b", "-O0", *small), 2, "is built already")
    (folder / "text.so").write_text("no library\n")
    expect("no library", duet(folder, BUILD, "text.so", *small), 2, "b.so")
    expect("another library", duet(folder, BUILD, shutil.which("true"), *small), 2, "b.so")
    expect("an old build", duet(folder, BUILD, plant(folder / "old", OLD), *small), 2, "is version 0.0.9")
    expect("one operand", subprocess.run([STUDY, "duet", str(BUILD)], capture_output=True, text=True, check=False), 2)
    bare = duet(folder, BUILD, BUILD / "lib/libmaxpool.so", *small)
    expect("a library alone", bare, 0, "B .*libmaxpool.so: its code keeps its place")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for test in (decides, busy, verifies, builds, refuses):
            test(folder)
        left = list(folder.glob("duet-*"))
        if left:
            faults.append(f"left behind: {left}")
    return finish("study duet is as it is described")


sys.exit(main())
