#!/usr/bin/env python3
"""What study lab reports about a kernel: the line of a crash in the timed phase, the chosen size, sweeps of
threads and sizes, the page, and both languages. No times are compared."""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[at] / "support") for at in (0, 1)]
import lab_ceilings
from checks import expect, finish, rows_in, run

STUDY = str(pathlib.Path(sys.argv[1]).resolve() / "study")
QUICK = ["-t", "1", "--samples", "6", "-n", "40", "--against", "literal"]
SIGNATURE = "(const float *image, const float *filter, float *map, int planes, int rows, int cols, int k,\n" \
            "             int stride, int padding, int threads)"
CALL = "(image, filter, map, planes, rows, cols, k, stride, padding, threads)"


def lab(folder, *arguments, environment=None):
    return run(folder, STUDY, "lab", *arguments, **(environment or {}))


def wrap(folder, name, body, before=""):
    """Writes a kernel that does `body` and then the same as the starter."""
    honest = (folder / "maxpool.c").read_text(encoding="utf-8").replace("void maxpool(", "static void honest(")
    text = f"{honest}\n{before}\nvoid maxpool{SIGNATURE}\n{{\n{body}\n    honest{CALL};\n}}\n"
    (folder / name).write_text(text, encoding="utf-8")
    return text.splitlines()


def line_with(lines, word):
    return next(number for number, line in enumerate(lines, 1) if word in line)


def crashes(folder):
    """Only timed images have 40 rows: the sanitizers never saw them."""
    kernels = {
        "reads.c": ("    if (rows == 40 && cols == 40 && k == 2 && stride == 2)\n        map[0] = far_away(image, 1L << 40); /* here */",
                    "static float far_away(const float *p, long far)\n{\n    return p[far]; /* crash */\n}", 11),
        "aborts.c": ("    if (rows == 40 && cols == 40 && k == 2 && stride == 2)\n        __builtin_trap(); /* crash */", "", 4),
        "leaves.c": ("    if (rows == 40 && cols == 40 && k == 2 && stride == 2)\n        abort(); /* crash */", "#include <stdlib.h>", 6),
    }
    for name, (body, before, number) in kernels.items():
        lines = wrap(folder, name, body, before)
        done = lab(folder, name, *QUICK)
        place = re.search(rf"^  source line +{name}:(\d+)$", done.stdout, re.M)
        good = done.returncode == 1 and f"signal {number} " in done.stdout and "40 x 40" in done.stdout
        expect(name, good and place and int(place.group(1)) == line_with(lines, "crash */"), done)
    done = lab(folder, "reads.c", *QUICK, "--lang", "es", "--html", "crash.html")
    page = (folder / "crash.html").read_text(encoding="utf-8")
    expect("the page of a crash", "NO ES CORRECTO" in page and re.search(r"<mark> *\d+ .*crash \*/", page), done)


def chosen_size(folder):
    """With few windows, distributing them costs more than the work: n grows. A kernel that sleeps needs no larger n.
    Convolution begins at n = 128, the size whose images are made fastest."""
    lab(folder, "new", "conv.c", "--operator", "conv")
    wrap(folder, "sleeps.c", "    if (rows > 1000)\n        usleep(100000);", "#include <unistd.h>")
    more = ["-t", "1", "--samples", "6", "--format", "json"]
    few = ["--operator", "conv", "--planes", "1", "--stride", "128", "--against", "implicit"]
    for name, shape, n, grows in (("conv.c", few, 128, True),
                                  ("sleeps.c", ["--stride", "64", "--against", "simd"], 2048, False)):
        done = lab(folder, name, *more, *shape)
        rows = json.loads(done.stdout)["rows"] if done.returncode == 0 else 0
        expect(f"{name}: n = {rows}", rows > n if grows else rows == n, done)


def next_steps(folder):
    """A kernel in vectors is not advised to use vectors, whatever its time; nobody is sent to the first method."""
    source = pathlib.Path(__file__).resolve().parents[2] / "labs/steps/maxpool_lanes.c"
    done = lab(folder, str(source), "-n", "128", "-k", "3", "--stride", "1", "-t", "1", "--samples", "6")
    found = re.search(r"^  what next +(\w+)", done.stdout, re.M)
    vectors = re.search(r"(?<!not )vectorized: ", done.stdout)  # GCC alone reports them
    refused = {"literal", "staged"} | ({"simd"} if vectors else set())
    expect(f"next of lanes, {refused} refused", done.returncode == 0 and found and found.group(1) not in refused, done)


def rows_of(folder, name):
    return rows_in(folder / f"{name}.csv")


def sweeps(folder):
    """Samples of each number of threads and of each size, each only once although the sweep is repeated, and shown by
    the report."""
    threads = ["maxpool.c", "-n", "64", "-t", "2", "--samples", "6", "--sweep", "threads", "--results", "swept"]
    lab(folder, *threads, "--format", "json")
    done = lab(folder, *threads)
    table = re.findall(r"^lab:maxpool +(\d) threads? .*\d", done.stdout, re.M)
    expect("sweep of threads", done.returncode == 0 and table == ["1", "2"], done)
    rows = rows_of(folder / "swept", "lab_maxpool_threads")
    kinds = {(row["method"], row["space"], row["threads"], bool(row["product_s"])) for row in rows}
    expect(f"rows {kinds}", kinds == {("lab:maxpool", "omp", "1", False), ("lab:maxpool", "omp", "2", False),
                                      ("staged", "serial", "", True)} and len(rows) == 18, done)
    done = lab(folder, "maxpool.c", "-n", "64", "-t", "1", "--samples", "6", "--sweep", "size", "--results", "swept",
               "--lang", "es")
    rows = rows_of(folder / "swept", "lab_maxpool_size")
    sizes = {(row["method"], int(row["rows"])) for row in rows}
    expect(f"sizes {sizes}", done.returncode == 0 and sizes == {
        (method, n) for method in ("lab:maxpool", "literal") for n in (8, 16, 32, 64)}, done)
    if shutil.which("gnuplot"):
        charts = sorted(path.name for path in (folder / "swept" / "charts").glob("*.svg"))
        expect(f"charts {charts}", charts == ["lab_maxpool_size-serial_growth.svg", "lab_maxpool_threads-speedup.svg"],
               done)
    done = run(folder, STUDY, "report", "--results", "swept", "--charts", "none")
    page = "".join(path.read_text(encoding="utf-8") for path in (folder / "swept").glob("report*.html"))
    expect("report", done.returncode == 0 and "Speedup of the kernel maxpool" in page and
           "Growth of the kernel maxpool" in page, done)
    done = lab(folder, "maxpool.c", "--sweep", "time")
    expect("sweep of nothing", done.returncode == 2 and "--sweep time" in done.stderr, done)


def page(folder):
    """The page is one file that requests no other; each language has its own words and none of the other's."""
    words = {"en": ("CORRECT", "What to try next", "times as fast as literal"),
             "es": ("CORRECTO", "Qué probar ahora", "veces la velocidad de literal")}
    for code, expected in words.items():
        done = lab(folder, "maxpool.c", *QUICK, "--lang", code, "--html", f"{code}.html")
        text = (folder / f"{code}.html").read_text(encoding="utf-8")
        other = words["es" if code == "en" else "en"][1:]
        good = f'<html lang="{code}">' in text and "width=device-width" in text and "<svg" in text
        expect(f"page {code}", done.returncode == 0 and good and all(word in text for word in expected) and
               not any(word in text + done.stdout for word in other), done)
        asked = re.findall(r'(?:src|href)="(?!data:|#)[^"]*"|https?://|url\((?!data:)', text)
        expect(f"page {code} asks for {asked}", not asked, done)
    done = lab(folder, "maxpool.c", *QUICK, "--html", "nowhere/page.html")
    expect("no such folder", done.returncode == 5 and "nowhere" in done.stderr, done)
    done = lab(folder, "maxpool.c", "--lang", "xx")
    expect("no such language", done.returncode == 2 and "xx" in done.stderr, done)


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        lab_ceilings.write(folder / "results" / "local", 1e11, 1e12)  # sweeps measure the limits in their own folder
        lab(folder, "new", "maxpool.c")
        for part in (crashes, chosen_size, next_steps, sweeps, page):
            part(folder)
    return finish()


sys.exit(main())
