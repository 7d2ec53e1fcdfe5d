#!/usr/bin/env python3
"""study lab: starters are correct in every language that can be compiled here, samples are recorded, and mistakes in
a file or an option are reported, with their status."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[at] / "support") for at in (0, 1)]
import lab_ceilings
from checks import expect, faults, finish, rows_in, run

STUDY = str(pathlib.Path(sys.argv[1]).resolve() / "study")
QUICK = ["-t", "1", "--samples", "6", "-n", "24"]


def lab(folder, *arguments, environment=None):
    return run(folder, STUDY, "lab", *arguments, **(environment or {}))


def starters(folder):
    """Each starter is correct in each language, and is timed together with our methods."""
    suffixes = {".c": True, ".cpp": shutil.which("c++"), ".f90": shutil.which("gfortran")}
    for operator in ("maxpool", "matmul", "conv", "distances"):
        for suffix, there in suffixes.items():
            name = f"{operator}{suffix}"
            if not there or (suffix == ".f90" and operator != "maxpool"):
                continue
            done = lab(folder, "new", name, "--operator", operator)
            expect(f"new {name}", done.returncode == 0 and (folder / name).exists(), done)
            more = ["--check"] if suffix != ".c" else QUICK
            done = lab(folder, name, "--operator", operator, *more)
            expect(name, done.returncode == 0 and "verdict        CORRECT" in done.stdout, done)


def shapes_of_kernels(folder):
    """A correct kernel may throw and catch, be weak, and have any suffix that its compiler knows; one that reads outside
    is found although it handles the signal."""
    starter = (folder / "maxpool.c").read_text(encoding="utf-8")
    kernels = {"weak.c": starter.replace("\nvoid maxpool(", "\n__attribute__((weak)) void maxpool(")}
    if shutil.which("c++"):
        thrown = (folder / "maxpool.cpp").read_text(encoding="utf-8")
        body = thrown.index("{", thrown.index("void maxpool(")) + 1
        kernels["throws.cpp"] = "#include <stdexcept>\n" + thrown[:body] + (
            "\n    try { throw std::runtime_error(\"caught\"); } catch (const std::exception &) { }\n") + thrown[body:]
        kernels["upper.C"] = kernels["throws.cpp"]
    if shutil.which("gfortran"):
        kernels["upper.F90"] = (folder / "maxpool.f90").read_text(encoding="utf-8")
    for name, text in kernels.items():
        (folder / name).write_text(text, encoding="utf-8")
        done = lab(folder, name, "--check", "-t", "1")
        expect(name, done.returncode == 0 and "verdict        CORRECT" in done.stdout, done)
    body = starter.index("{", starter.index("void maxpool(")) + 1
    (folder / "handles.c").write_text(
        "#include <setjmp.h>\n#include <signal.h>\nstatic sigjmp_buf place;\n"
        "static void handler(int number) { (void)number; siglongjmp(place, 1); }\n" + starter[:body] +
        "\n    if (!sigsetjmp(place, 1)) {\n        signal(SIGSEGV, handler);\n"
        "        for (const float *at = image;; at += 1024)\n            *(volatile const float *)at;\n    }\n" +
        starter[body:], encoding="utf-8")
    done = lab(folder, "handles.c", "--check", "-t", "1")
    expect("it handles SIGSEGV", done.returncode == 1 and "NOT CORRECT (memory)" in done.stdout, done)


def libraries(folder):
    """A library may have the function from another one, which it is linked with."""
    cc = os.environ.get("CC", "cc").split()
    (folder / "nothing.c").write_text("", encoding="utf-8")
    there = folder / "linked"
    there.mkdir()
    run(folder, *cc, "-O2", "-shared", "-fPIC", "-o", there / "libinner.so", "maxpool.c", "-lm")
    run(folder, *cc, "-shared", "-fPIC", "-o", there / "wrapper.so", "nothing.c", "-Wl,--no-as-needed", f"-L{there}",
        "-linner", "-Wl,-rpath,$ORIGIN")
    done = lab(folder, there / "wrapper.so", "--check", "-t", "1")
    expect("a function of a linked library", done.returncode == 0 and "verdict        CORRECT" in done.stdout, done)
    run(folder, *cc, "-shared", "-fPIC", "-o", there / "empty.so", "nothing.c")
    done = lab(folder, there / "empty.so", "--check", "-t", "1")
    expect("a library without the function", done.returncode == 2 and "maxpool" in done.stderr, done)


def long_names(folder):
    """Sanitizers in a folder with a long name, and a long list of folders in the environment, are used as they are."""
    far = folder.joinpath(*["d" * 200] * 7)
    far.mkdir(parents=True)
    where = run(folder, "gcc", "-print-file-name=libasan.so") if shutil.which("gcc") else None
    if not where or where.returncode != 0 or "/" not in where.stdout:
        return
    (far / "libasan.so").symlink_to(pathlib.Path(where.stdout.strip()).resolve())
    (folder / "far_gcc").write_text("#!/bin/sh\ncase \"$*\" in\n*file-name=libasan.so*) echo "
                                    f"{far}/libasan.so ;;\n*) exec gcc \"$@\" ;;\nesac\n", encoding="utf-8")
    (folder / "far_gcc").chmod(0o755)
    folders = ":".join(str(far / name) for name in ("a", "b"))
    done = lab(folder, "maxpool.c", "--check", "-t", "1", environment={"CC": str(folder / "far_gcc"), "LD_LIBRARY_PATH": folders})
    expect("sanitizers with a long name", done.returncode == 0 and "verdict        CORRECT" in done.stdout, done)
    starter = (folder / "maxpool.c").read_text(encoding="utf-8")
    body = starter.index("{", starter.index("void maxpool(")) + 1
    (folder / "beyond.c").write_text(starter[:body] + "\n    volatile float *beyond = map - 1;\n    (void)*beyond;\n" +
                                     starter[body:], encoding="utf-8")
    done = lab(folder, "beyond.c", "--check", "-t", "1", environment={"CC": str(folder / "far_gcc")})
    expect("they check", done.returncode == 1 and "NOT CORRECT (memory)" in done.stdout, done)


def records(folder):
    """Rows of all methods, with equally many samples, under the kernel's name."""
    done = lab(folder, "maxpool.c", *QUICK, "--against", "literal,fused", "--results", "recorded")
    expect("recorded", done.returncode == 0, done)
    rows = rows_in(folder / "recorded" / "lab.csv")
    counts = {}
    for row in rows:
        counts[row["method"]] = counts.get(row["method"], 0) + 1
        good = float(row["total_s"]) > 0.0 and row["rows"] == "24" and row["space"] == "serial"
        expect("row", good and row["company"] == "lab:maxpool+literal+fused", done)
    report = run(folder, STUDY, "report", "--results", "recorded", "--charts", "none", "--lang", "es")
    page = "".join(path.read_text(encoding="utf-8") for path in (folder / "recorded").glob("report*.html"))
    expect("report", report.returncode == 0 and "lab:maxpool" in page and "Kernels from outside" not in page, report)
    expect(f"methods {counts}", counts == {"lab:maxpool": 6, "literal": 6, "fused": 6}, done)


def limit(folder):
    """A time below the limit that ceilings.csv gives is not accepted."""
    lab_ceilings.write(folder / "slow", 1, 1)
    done = lab(folder, "maxpool.c", *QUICK, "--against", "literal", "--results", "slow")
    expect("too fast", done.returncode == 1 and "NOT CORRECT (too_fast)" in done.stdout, done)
    expect("too fast is not recorded", not (folder / "slow" / "lab.csv").exists(), done)


def wrong_output(folder):
    """The first wrong output is shown with its window and the right value."""
    text = (folder / "maxpool.c").read_text(encoding="utf-8").replace("sum > most", "sum < most")
    (folder / "off.c").write_text(text, encoding="utf-8")
    done = lab(folder, "off.c", *QUICK)
    good = done.returncode == 1 and "should be" in done.stdout and "shape          " in done.stdout
    expect("wrong output", good and "x B =" in done.stdout, done)


def grades(folder):
    """Points by the ratio: thresholds far from it are decided, one within its interval is not."""
    (folder / "off.c").write_text("void maxpool(void) {}\n", encoding="utf-8")
    rubric = folder / "rubric.ini"
    head = "[kernel]\noperator = maxpool\nmethod = literal\nsize = 24\nthreads = 1\n[points]\n"

    def graded(kernel, points):
        rubric.write_text(head + points, encoding="utf-8")
        return lab(folder, kernel, "--grade", rubric, "--format", "json", "--max-seconds", "1", "--samples", "10",
                   "--despite-load")

    done = graded("maxpool.c", "10 = 100000\n2 = correct\n")
    reported = json.loads(done.stdout)
    good = done.returncode == 0 and reported["grade"]["verdict"] == "DECIDED" and reported["grade"]["points"] == 10
    expect("fast enough", good and reported["verdict"] == "correct" and reported["seconds"]["n"] >= 6, done)
    done = graded("maxpool.c", "10 = 0.000001\n2 = correct\n")
    expect("too slow", done.returncode == 0 and json.loads(done.stdout)["grade"]["points"] == 2, done)
    done = graded("off.c", "10 = 100000\n2 = correct\n")
    reported = json.loads(done.stdout)["grade"]
    expect("not correct", done.returncode == 1 and reported["points"] == 0 and reported["most"] == 10, done)
    (folder / "sleeps.c").write_text((folder / "maxpool.c").read_text(encoding="utf-8").replace(
        "(void)threads;", """(void)threads;
    if (rows == 24 && cols == 24)
        usleep(calls++ % 2 ? 1 : 300000);""").replace("#include <stddef.h>", """#include <stddef.h>
#include <unistd.h>
static unsigned calls;"""), encoding="utf-8")
    # Some 30 us of literal: the threshold is 30 ms, ten times from either kind of call, so that other load on the
    # machine moves neither to its other side.
    done = graded("sleeps.c", "10 = 1000\n2 = correct\n")
    reported = json.loads(done.stdout)["grade"]
    good = done.returncode == 4 and reported["verdict"] == "UNDECIDED" and reported["points"] == 2 and reported["perhaps"] == 10
    expect("undecided", good, done)
    for points, word in (("ten = 1\n", "ten"), ("10 = fast\n", "fast"), ("", "none"), ("10\n", "rubric.ini:7")):
        done = graded("maxpool.c", points)
        expect(f"rubric {points}", done.returncode == 2 and word in done.stderr, done)
    rubric.write_text("[kernel]\nmethod = magic\n[points]\n1 = correct\n", encoding="utf-8")
    done = lab(folder, "maxpool.c", "--grade", rubric)
    expect("rubric's method", done.returncode == 2 and "magic" in done.stderr, done)


def busy(folder):
    """Beside a busy loop per hardware thread a kernel gets no grade, unless one asks for it; the run tells the load."""
    (folder / "busy.ini").write_text("[kernel]\noperator = maxpool\nmethod = literal\nsize = 24\nthreads = 1\n"
                                     "[points]\n10 = 100000\n2 = correct\n", encoding="utf-8")
    loops_here = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    try:
        asked = [folder, "maxpool.c", "--grade", "busy.ini", "--max-seconds", "1", "--relative-ci", "1e-9"]
        again = lab(*asked, "--format", "json")
        told = lab(*asked, "--lang", "es")
        despite = lab(*asked, "--format", "json", "--despite-load")
    finally:
        for loop in loops_here:
            loop.kill()
            loop.wait()
    reported = json.loads(again.stdout)
    load, all_threads = reported["conditions"]["others_cores"], reported["conditions"]["hardware_threads"]
    expect("no grade under load", again.returncode == 4 and reported["grade"]["verdict"] == "MEASURE AGAIN" and
           reported["grade"]["points"] is None and reported["grade"]["perhaps"] is None and
           reported["conditions"]["disturbed"] is True and "measure again" in again.stderr, again)
    expect(f"others kept {load} of {all_threads} busy", 0.25 * all_threads < load <= 1.1 * all_threads and
           all_threads == len(loops_here), again)
    expect("a grade is asked for all the same", despite.returncode == 0 and
           json.loads(despite.stdout)["grade"]["points"] == 10 and
           json.loads(despite.stdout)["conditions"]["graded_despite_load"] is True, despite)
    expect("in Spanish", "otros programas" in told.stdout and "ninguna" in told.stdout, told)


def loops(folder):
    """The compiler's notes name the lines of the kernel's loops, if CC is GCC."""
    words = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False).stdout
    done = lab(folder, "matmul.c", "--operator", "matmul", "--cflags", "-O3 -ffast-math", *QUICK)
    lines = (folder / "matmul.c").read_text(encoding="utf-8").splitlines()
    reported = re.findall(r"^    line (\d+) +(not )?vectorized", done.stdout, re.M)
    good = reported and all("for (" in lines[int(line) - 1] for line, _ in reported)
    expect("loops", good or "Free Software Foundation" not in words, done)


def watched(folder):
    """A version that is saved while the command runs is checked too."""
    (folder / "saved.c").write_text("void maxpool(void) {}\n", encoding="utf-8")
    with subprocess.Popen([STUDY, "lab", "saved.c", "--watch", "--check"], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as running:
        reported = []
        for line in running.stdout:
            reported += re.findall(r"^  verdict +(NOT )?CORRECT", line)
            if "is watched" in line and len(reported) == 1:
                shutil.copy(folder / "maxpool.c", folder / "saved.c")
            elif "is watched" in line:
                running.terminate()
    if reported != ["NOT ", ""] or running.returncode != -signal.SIGTERM:
        faults.append(f"watch: {reported}, {running.returncode}")


def has_numpy(python):
    return subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0


def steps(folder):
    """The steps of docs/lab.md are correct."""
    files = sorted((pathlib.Path(__file__).resolve().parents[2] / "labs" / "steps").glob("maxpool_*.c"))
    for file in files:
        done = lab(folder, file, "--check", "-t", "2")
        expect(file.name, done.returncode == 0 and "verdict        CORRECT" in done.stdout, done)
    if len(files) < 3:
        faults.append(f"only {len(files)} steps")


SHAPED = """
import numpy

def conv(image, weights, map, batch, channels, rows, cols, filters, k, stride, padding, threads):
    assert image.shape == (batch, channels, rows, cols) and weights.shape == (filters, channels, k, k)
    high, wide = map.shape[2:]
    sides = (padding, padding)
    padded = numpy.pad(image, ((0, 0), (0, 0), sides, sides))
    map[:] = 0
    for i in range(k):
        for j in range(k):
            part = padded[:, :, i:i + stride * (high - 1) + 1:stride, j:j + stride * (wide - 1) + 1:stride]
            map += numpy.einsum("bcrs,fc->bfrs", part, weights[:, :, i, j])

def distances(x, y, map, points_x, points_y, dimensions, threads):
    assert x.shape == (points_x, dimensions) and y.shape == (points_y, dimensions)
    map[:] = numpy.sqrt(((x[:, None] - y[None]) ** 2).sum(2))
"""


def python(folder):
    """A function of numpy arrays: right, wrong, and without numpy."""
    there = [path for path in (sys.executable, "/usr/bin/python3") if pathlib.Path(path).exists() and has_numpy(path)]
    numpy = {"PYTHON": there[0] if there else sys.executable}
    for operator in ("maxpool", "matmul"):
        name = f"{operator}.py"
        lab(folder, "new", name, "--operator", operator)
        done = lab(folder, name, "--operator", operator, *QUICK, environment=numpy)
        good = done.returncode == 0 and "verdict        CORRECT" in done.stdout
        expect(name, good if there else done.returncode == 3 and "numpy" in done.stderr, done)
    text = (folder / "maxpool.py").read_text(encoding="utf-8")
    (folder / "writes.py").write_text(text.replace("    padded", "    image[0] = 1.0\n    padded"), encoding="utf-8")
    (folder / "name.py").write_text(text.replace("def maxpool", "def maxpol"), encoding="utf-8")
    (folder / "starts.py").write_text(text.replace("    padded", "    __import__('os').fork()\n    padded"),
                                      encoding="utf-8")
    (folder / "shaped.py").write_text(SHAPED, encoding="utf-8")
    if there:
        for operator in ("conv", "distances"):
            done = lab(folder, "shaped.py", "--operator", operator, "--check", "-t", "1", environment=numpy)
            expect(f"shapes of {operator}", done.returncode == 0 and "verdict        CORRECT" in done.stdout, done)
        done = lab(folder, "writes.py", "--check", environment=numpy)
        expect("read-only", done.returncode == 1 and "(crashed): it raised ValueError" in done.stdout and
               re.search(r"source line +writes.py:\d+", done.stdout), done)
        done = lab(folder, "starts.py", "--check", environment=numpy)
        expect("fork", done.returncode == 1 and "(process)" in done.stdout, done)
        done = lab(folder, "name.py", "--check", environment=numpy)
        expect("no function", done.returncode == 2 and "maxpol" in done.stderr, done)
    done = lab(folder, "maxpool.py", "--check", environment={"PYTHON": "no-such-python"})
    expect("no Python", done.returncode == 3 and "no-such-python" in done.stderr, done)


EMULATION = pathlib.Path(__file__).resolve().parents[2] / "cuda" / "emulation"
LIBRARY = pathlib.Path(STUDY).parent / "emulation" / "libcuda_emulation.a"
NVCC = f"""#!{sys.executable}
import os, sys
words = [word for word in sys.argv[1:] if word != "-Xcompiler"]
os.execvp("g++", ["g++", "-std=c++17", "-I{EMULATION}", "-I{EMULATION.parents[1]}", "-fPIC", "-xc++",
                  *(w for w in words if w.endswith(".cu")), "-xnone", *(w for w in words if not w.endswith(".cu")), "{LIBRARY}"])
"""
STREAM = """
static cudaStream_t stream(void) /* the emulation has none but those that are made */
{
    static cudaStream_t made;
    if (!made)
        cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
}
"""


def gpu(folder):
    """A GPU kernel: why it cannot run here; and on the emulation, right, wrong and outside its arrays."""
    lab(folder, "new", "gpu.cu")
    done = lab(folder, "gpu.cu", environment={"NVCC": "no-such-nvcc"})
    expect("no nvcc", done.returncode == 3 and "no-such-nvcc" in done.stderr, done)
    if shutil.which("nvcc") and not pathlib.Path("/dev/nvidia0").exists():
        done = lab(folder, "gpu.cu")
        expect("no GPU", done.returncode == 3 and "no GPU" in done.stderr, done)
    if not shutil.which("g++") or not LIBRARY.exists():
        return
    (folder / "nvcc").write_text(NVCC, encoding="utf-8")
    (folder / "nvcc").chmod(0o755)
    text = (folder / "gpu.cu").read_text(encoding="utf-8")
    text = re.sub(r"dim3\(BLOCK\), 0, 0,", "dim3(BLOCK), 0, stream(),", text)
    text = text.replace("struct task {", STREAM + "\nstruct task {", 1)
    kernels = {"right.cu": (text, "CORRECT,"),
               "smallest.cu": (text.replace("sum > most", "sum < most"), "NOT CORRECT (wrong)"),
               "beyond.cu": (text.replace("t.map[output]", "t.map[output + 1]"), "NOT CORRECT (crashed): the GPU")}
    for name, (kernel, verdict) in kernels.items():
        (folder / name).write_text(kernel, encoding="utf-8")
        done = lab(folder, name, "-n", "32", "-k", "3", "--stride", "1", "--samples", "6", "--against", "literal",
                   environment={"NVCC": str(folder / "nvcc")})
        expect(name, f"  verdict        {verdict}" in done.stdout and
               done.returncode == (0 if name == "right.cu" else 1), done)


FAKE_NUMBA = """import os
if os.fork() == 0: # as the real one starts programs when it is loaded: a kernel may not
    os._exit(0)
os.wait()
def njit(*words, **more):
    return words[0] if words and callable(words[0]) else njit
prange = range
"""


def numba(folder):
    """Numba is loaded before the sandbox closes: the real one if Python has it, else a fake one that forks when it is
    loaded."""
    python3 = next((path for path in (sys.executable, "/usr/bin/python3")
                    if pathlib.Path(path).exists() and has_numpy(path)), None)
    if not python3:
        return
    real = subprocess.run([python3, "-c", "import numba"], capture_output=True, check=False).returncode == 0
    (folder / "modules").mkdir()
    if not real:
        (folder / "modules" / "numba.py").write_text(FAKE_NUMBA, encoding="utf-8")
    (folder / "python").write_text(f"#!/bin/sh\nPYTHONPATH={folder}/modules exec {python3} \"$@\"\n", encoding="utf-8")
    (folder / "python").chmod(0o755)
    (folder / "compiled.py").write_text(NUMBA_KERNEL, encoding="utf-8")
    done = lab(folder, "compiled.py", *QUICK, "--against", "literal", environment={"PYTHON": str(folder / "python")})
    expect(f"Numba, real: {real}", done.returncode == 0 and "verdict        CORRECT" in done.stdout, done)


NUMBA_KERNEL = """import numba
@numba.njit
def maxpool(image, filter, map, planes, rows, cols, k, stride, padding, threads):
    for p in range(map.shape[0]):
        for r in range(map.shape[1]):
            for c in range(map.shape[2]):
                for i in range(k):
                    for j in range(k):
                        total = 0.0
                        for q in range(k):
                            row, col = r * stride - padding + i, c * stride - padding + q
                            if 0 <= row < rows and 0 <= col < cols:
                                total += image[p, row, col] * filter[q, j]
                        if (i == 0 and j == 0) or total > map[p, r, c]:
                            map[p, r, c] = total
"""


def bad_input(folder):
    files = {"name.c": "void maxpol(void) {}\nvoid other(void) {}\n", "broken.c": "void maxpool(\n",
             "kernel.rs": "fn main() {}\n"}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = lab(folder, "name.c")
    expect("missing function", done.returncode == 2 and "maxpol" in done.stderr and "other" in done.stderr, done)
    (folder / "hidden.c").write_text("static void maxpool(void) {}\n", encoding="utf-8")
    done = lab(folder, "hidden.c", "--cflags", "-O1")
    expect("no function", done.returncode == 2 and "hidden.c has no function maxpool; it exports nothing" in done.stderr, done)
    more = "".join(f"void z_function_of_a_long_name_{i}(void) {{}}\n" for i in range(500))
    (folder / "many.c").write_text((folder / "maxpool.c").read_text(encoding="utf-8") + more, encoding="utf-8")
    done = lab(folder, "many.c", "--check", "-t", "1")
    expect("many functions", done.returncode == 0 and "CORRECT" in done.stdout, done)
    done = lab(folder, "broken.c")
    expect("broken", done.returncode == 2 and "broken.c:" in done.stderr and "study:" not in done.stderr, done)
    done = lab(folder, "kernel.rs")
    expect("suffix", done.returncode == 2 and "suffix" in done.stderr, done)
    done = lab(folder, "none.c")
    expect("no file", done.returncode == 2 and "none.c" in done.stderr, done)
    done = lab(folder, "new", "maxpool.c")
    expect("starter over a file", done.returncode == 2 and "exists" in done.stderr, done)
    starters_here = folder / "tree/share/maxpool/labs/starters"
    starters_here.mkdir(parents=True)
    (folder / "tree/bin").mkdir()
    shutil.copy(STUDY, folder / "tree/bin/study")
    (starters_here / "maxpool.c").write_text("/* a starter */\n" * 100000, encoding="utf-8")
    done = run(folder, folder / "tree/bin/study", "lab", "new", "cut.c")
    expect("large starter", done.returncode == 2 and "larger than" in done.stderr and not (folder / "cut.c").exists(), done)
    done = lab(folder, "maxpool.c", "--operator", "sort")
    expect("operator", done.returncode == 2 and "--operator sort" in done.stderr, done)
    done = lab(folder, "maxpool.c", *QUICK, "--against", "nothing")
    expect("method", done.returncode == 2 and "nothing" in done.stderr, done)
    done = lab(folder, "maxpool.c", environment={"CC": "no-such-compiler"})
    expect("compiler", done.returncode == 3 and "no-such-compiler" in done.stderr, done)
    far = folder / ("far" * 40)
    done = lab(folder, "maxpool.c", "--check", environment={"TMPDIR": str(far)})
    expect("no TMPDIR of a long name", done.returncode == 5 and f"in {far}:" in done.stderr, done)
    far.mkdir()
    done = lab(folder, "maxpool.c", "--check", environment={"TMPDIR": str(far)})
    expect("a TMPDIR of a long name", done.returncode == 0 and not list(far.iterdir()), done)


def others_methods(folder):
    """The worker of our methods loads those of libraries, and packs what our methods pack anew in each call."""
    for operator, methods in (("matmul", "packed,openblas"), ("conv", "implicit,winograd"), ("distances", "gram")):
        if "openblas" in methods and not (pathlib.Path(STUDY).parent / "peer_openblas.so").exists():
            methods = methods.split(",", maxsplit=1)[0]
        lab(folder, "new", f"{operator}.c", "--operator", operator)
        done = lab(folder, f"{operator}.c", "--operator", operator, "-n", "24", "-t", "1", "--samples", "3", "--against", methods,
                   "--results", "methods")
        expect(f"{operator} against {methods}", done.returncode == 0 and
               all(re.search(rf"^    {method} ", done.stdout, re.M) for method in methods.split(",")), done)


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        lab_ceilings.write(folder / "results" / "local", 1e11, 1e12)  # all except `recorded` have these limits
        for part in (starters, shapes_of_kernels, libraries, long_names, records, limit, wrong_output, grades, busy, loops, watched, steps, python, gpu, numba, bad_input,
                     others_methods):
            part(folder)
    return finish()


sys.exit(main())
