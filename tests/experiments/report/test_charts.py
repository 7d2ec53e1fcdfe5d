#!/usr/bin/env python3
"""Which charts a page has, and that they are readable: none has fewer than three places on its axis, a quick study has
at most thirteen, nothing is cut off at the edges of a PNG, and letters are large enough on a telephone. Usage:
tests/support/commands.py."""
import gzip
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[0] / "support"), str(HERE.parents[1] / "support")]
from checks import expect
from commands import DIR, SOURCE, done, main, need, need_program, read_npy, write
from maker import Maker, gpu, network_point, point, powers

REFERENCE = SOURCE / "results/reference/amd-epyc-zen4-2-cores"

# ---- made-up studies ------------------------------------------------------------------------------------------------


def add(results, experiment, truth, seconds):
    results.add_exact(experiment, truth, 9, 6,
                      lambda launch, sample: seconds * (1 + 0.002 * ((launch + sample) % 3)))


def make_sizes(name, sizes):
    """Writes only the experiment window_count: literal at `sizes` sizes, the first 512, each twice the one before."""
    shutil.rmtree(DIR / name, ignore_errors=True)
    results = Maker(DIR / name)
    for i in range(sizes):
        add(results, "window_count", point("serial", "literal", rows=512 << i, cols=512 << i), 1e-3 * 4 ** i)


def report(name, language="en"):
    """Makes the report of a study. Returns report.md, and its pages as one text."""
    done(f"./study report --charts svg --lang {language} --results $DIR/{name}")
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((DIR / name).glob("report*.html")))
    return (DIR / name / "report.md").read_text(encoding="utf-8"), pages


def has(text, *parts, never=()):
    for part in parts:
        expect(f"{part!r} is there", part in text)
    for part in never:
        expect(f"{part!r} is not there", part not in text)


def chart(name):
    return (DIR / name).read_text(encoding="utf-8")


def charts(name):
    return {path.stem for path in (DIR / name / "charts").glob("*.svg")}


# ---- places ---------------------------------------------------------------------------------------------------------


def two_places_are_a_sentence_and_a_table():
    need_program("gnuplot")
    make_sizes("few", 2)
    text, pages = report("few")
    has(text, "4 times as many windows", "maxpool\\_serial | literal | 1024 |")
    has(pages, "fewer than three values along its axis")
    expect("no chart", "window_count" not in charts("few"))
    has(report("few", "es")[1], "menos de tres valores en su eje")
    make_sizes("few", 3)
    report("few")
    expect("a chart of three", "window_count" in charts("few"))


def one_row_is_not_the_best():
    add(Maker(DIR / "one"), "methods", point("serial", "literal"), 1e-3)
    has(report("one")[0], "maxpool\\_serial | literal | 1024 |", never=["the best"])
    has(report("one", "es")[0], never=["el mejor"])


def times_far_apart_have_an_axis():
    """Methods whose times differ by three powers of ten: the axis of times has numbers."""
    need_program("gnuplot")
    results = Maker(DIR / "far")
    for i, method in enumerate(("tiles", "winograd", "literal")):
        add(results, "conv_gradients", point("serial", method, error_ulps_rms=2.0 + i), 2e-5 * 40 ** i)
    report("far")
    has(chart("far/charts/conv_gradients-errors.svg"), ">100 µs<", ">10 ms<")


def networks_have_charts_at_quick():
    """At least three values at quick scale, in a definition of the suite, among points that one processor computes."""
    for name, pattern in (("devices", r" (\d+)x\d+"), ("batch", r" batch=(\d+)")):
        lines = [line for line in done(f"./study plan {name} --quick").out.splitlines() if "network_omp" in line]
        values = {value for line in lines for value in re.findall(pattern, line)}
        expect(f"three values of {name}", len(values) >= 3, lines)


# ---- thirteen charts ------------------------------------------------------------------------------------------------


def a_quick_study_has_thirteen_charts():
    need_program("gnuplot")
    done("mkdir $DIR/all && ./make_results $DIR/all")
    for name in ("brain", "matmul_growth", "isa", "overhead"):
        write(f"all/{name}.csv", gzip.decompress((REFERENCE / f"{name}.csv.gz").read_bytes()))
    row = "maxpool_serial,maxpool,serial,literal,1,1024,1024,2,2,0,zero,identity,35,9,random"
    for scale in ("standard", "quick"):
        write("all/ladder.journal.csv",
              "program,operator,space,method,planes,rows,cols,kernel,stride,padding,pad_mode,filter,seed,max_value,"
              f"input,scale,status\n{row},{scale},done\n")
        shutil.rmtree(DIR / "all/charts", ignore_errors=True)
        text, _ = report("all")
        expect("the main chart", "threads" in charts("all"))
        if scale == "standard":
            all_of_them = charts("all")
    expect("thirteen of more", len(charts("all")) == 13 < len(all_of_them), charts("all"))
    has(text, "a quick study shows 13 charts; 'study plot ")
    done("./study plot --charts svg --results $DIR/all")
    expect("the others can be drawn", len(charts("all")) >= len(all_of_them), charts("all"))


# ---- edges ----------------------------------------------------------------------------------------------------------

MARGIN = 4  # pixels


def darkest_at_edges(path):
    """Returns the darkest value within MARGIN pixels of the picture's edges; 255 if they are blank."""
    done(f"./maxpool_serial -i {path} -k 1 -s 1 --samples 1 --verify none -o $DIR/pixels.npy")
    shape, pixels = read_npy("pixels.npy")
    rows, cols = shape[-2:]
    return min(min(line[:MARGIN] + line[-MARGIN:] if MARGIN <= i % rows < rows - MARGIN else line)
               for i, line in enumerate(pixels[start:start + cols] for start in range(0, len(pixels), cols)))


def drawings_are_not_cut_off():
    """Three charts that used to be cut off, and one with a long key."""
    need_program("gnuplot")
    need("png")
    (DIR / "real").mkdir()
    for name in ("overhead", "hyperparameters", "communication", "isa"):
        shutil.copy(REFERENCE / f"{name}.csv.gz", DIR / "real")
    done("./study plot --charts png --results $DIR/real")
    for name in ("overhead", "hyperparameters-stride_padding", "communication", "isa"):
        darkest = darkest_at_edges(f"$DIR/real/charts/{name}.png")
        expect(f"{name} is whole", darkest >= 250, darkest)


# ---- the image of a chart -------------------------------------------------------------------------------------------


def spaces_are_compared_where_all_were_measured():
    """A GPU that offloads windows is measured only up to smaller images than processors are. The page distinguishes two
    places of one method."""
    need_program("gnuplot")
    results = Maker(DIR / "spaces")
    for n in powers(1024, 4096):
        side = {"rows": n, "cols": n}
        add(results, "speedup", point("serial", "literal", **side), 1e-8 * n * n)
        add(results, "speedup", point("omp", "literal", threads=2, **side), 0.5e-8 * n * n)
        if n <= 2048:
            add(results, "speedup", point("cuda", "tiled", isa="", offload="window", filter_memory="transferred",
                                          **gpu(throttle="", **side)), 1e-6 * n * n)
    text, _ = report("spaces")
    has(chart("spaces/charts/speedup-spaces.svg"), "cuda tiled window", "omp literal")
    has(text, "Where serial literal takes one minute, literal with 2 threads takes about 30 s.",
        never=["Each experiment"])  # a heading with nothing below it


def networks_are_lines_over_the_side():
    """ResNet-18 against the side of its image is one line per device, not one row per size."""
    need_program("gnuplot")
    results = Maker(DIR / "sides")
    for side in powers(128, 1024):
        add(results, "devices_resnet", network_point("omp", "resnet18", 1, side, threads=2), 1e-7 * side * side)
        add(results, "devices_resnet", network_point("cuda", "resnet18", 1, side, "own", **gpu(throttle="")),
            1e-9 * side * side)
    report("sides")
    has(chart("sides/charts/devices_resnet-devices_side.svg"), "side of the image", "2 workers", "GPU own")


# ---- letters on a telephone -----------------------------------------------------------------------------------------


def letters_are_large_enough_on_a_telephone():
    """A page 360 pixels wide shows a chart at least as wide as the style of narrow pages sets. Black or axis-gray
    letters are names of rows and numbers of axes."""
    need_program("gnuplot")
    make_sizes("phone", 3)
    _, pages = report("phone")
    svg = chart("phone/charts/window_count.svg")
    narrow = pages[pages.index("(max-width:40rem)"):]
    width = 16 * float(re.search(r"figure svg\{min-width:([0-9.]+)", narrow).group(1))
    letters = [float(size) for size in re.findall(
        r'<[^<]*fill="(?:black|rgb\(68,68,68\))[^<]*?font-size="([0-9.]+)', svg)]
    size = min(letters) * max(width, 360) / float(re.search('viewBox="0 0 ([0-9.]+)', svg).group(1))
    expect("letters of nine pixels", width > 0 and size >= 9, size)


if __name__ == "__main__":
    sys.exit(main(
        two_places_are_a_sentence_and_a_table, one_row_is_not_the_best, times_far_apart_have_an_axis,
        networks_have_charts_at_quick, a_quick_study_has_thirteen_charts, drawings_are_not_cut_off,
        spaces_are_compared_where_all_were_measured, networks_are_lines_over_the_side,
        letters_are_large_enough_on_a_telephone))
