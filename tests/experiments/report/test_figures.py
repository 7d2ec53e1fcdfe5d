#!/usr/bin/env python3
"""The tesina's figures and claims about GPUs, on made-up samples of two GPUs whose answers are known: each figure of 32
to 53 says its own, kernel by kernel, and each claim gets the verdict that the made-up times have. An emulated device
gives no second to any of them. Usage: tests/support/commands.py."""
import math
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent / "support")]
from checks import expect, rows_in
from commands import DIR, SOURCE, done, fails, main
from maker import Maker, gpu, point, powers, scaled

# ---- the made-up GPUs -----------------------------------------------------------------------------------------------

KERNELS = ("naive", "loop", "tiled")
SIZES = powers(4, 64)
TRANSFERRED_S, SERIAL_PRODUCT_S, SERIAL_WINDOW_S = 10e-6, 0.3e-6, 0.5e-6
BLOCKS = {16: 1.5, 32: 1.0}  # the products' times relative to those of the large block


class Gpu:
    """Seconds of the product of a window, by kernel, and to send a window if the filter is constant."""

    def __init__(self, device="Tesla T4", window_s=(1e-6, 2e-6, 3e-6), constant_s=4e-6, throttle="none"):
        self.device, self.window_s, self.constant_s, self.throttle = device, window_s, constant_s, throttle


# On the T4, matmul3 is the slowest and the constant filter pays; on the K20, the other way round. A warm T4 is slowed
# down, so that its times are SUSPECT.
T4, WARM = Gpu(), Gpu(throttle="hardware_thermal")
K20, EMULATED = Gpu("Tesla K20m", (6e-6, 5e-6, 4e-6), 20e-6), Gpu("CPU emulation")


def on_gpu(g, kernel, n, block=32, memory="transferred"):
    windows = (n // 2) ** 2
    products = windows * g.window_s[KERNELS.index(kernel)] * BLOCKS[block]
    sent = windows * (g.constant_s if memory == "constant" else TRANSFERRED_S)
    return point("cuda", kernel, **{
        **gpu(device=g.device, throttle=g.throttle), "isa": "", "offload": "window", "filter_memory": memory,
        "host_memory": "pageable", "streams": 1, "block": block, "rows": n, "cols": n, "compute_s": products,
        "distribute_s": 0.75 * sent, "collect_s": 0.25 * sent, "total_s": products + sent})


def serial(n):
    windows = (n // 2) ** 2
    seconds = windows * SERIAL_WINDOW_S
    return point("serial", "staged", rows=n, cols=n, product_s=windows * SERIAL_PRODUCT_S, distribute_s=0.0,
                 collect_s=0.0, compute_s=seconds, total_s=seconds)


def product(g, n, bend):
    """A matrix product that takes n^3, or, if bent, a power whose exponent rises with n: 3 at n = 16."""
    r = on_gpu(g, "naive", n, 16)
    seconds = 1e-9 * n**3 * math.exp(bend * math.log(n / 16) ** 2)
    return {**r, "program": "matmul_cuda", "operator": "matmul", "offload": "", "pad_mode": "", "kernel": None,
            "stride": None, "padding": None, "compute_s": seconds,
            "total_s": seconds + r["distribute_s"] + r["collect_s"]}


def add(place, experiment, points):
    """Writes a warm-up and four samples of each of six launches; launch i takes i thousandths longer, in all phases."""
    maker = Maker(DIR / place)
    for truth in points:
        for launch in range(6):
            row = {**truth, **scaled(truth, 1 + 0.001 * launch), "experiment": experiment, "seed": 35, "round": launch,
                   "run_id": f"{experiment}-{launch}"}
            maker.append(experiment, "", ({**row, "warmup": int(i < 0), "sample": max(i, 0),
                                           "stop_reason": "relative_ci" if i == 3 else ""} for i in range(-1, 4)))


def kernels(g, blocks=(32,), memories=("transferred",)):
    return [on_gpu(g, kernel, n, block, memory)
            for kernel in KERNELS for n in SIZES for block in blocks for memory in memories]


def make_gpu(place, g):
    add(place, "tesina_gpu", kernels(g, BLOCKS))
    add(place, "tesina_filter", kernels(g, memories=("transferred", "constant")))
    add(place, "tesina_transfers", kernels(g))
    add(place, "tesina_speedup", [r for n in SIZES for r in (on_gpu(g, "tiled", n), serial(n))])
    add(place, "tesina_matmul", [product(g, n, 0.0) for n in SIZES])


MULTIPLES = dict(zip(SIZES, (1.5, 3.0, 1.0, 0.25, 1.0)))  # by which matmul1 is slower in the folder `uneven`


def make_others():
    for experiment in ("tesina_transfers", "tesina_gpu"):
        add("warm", experiment, kernels(WARM))
    # Of the largest size, only matmul3 was measured on the warm GPU; of the others, all kernels.
    add("partly", "tesina_gpu", [on_gpu(T4 if n == SIZES[-1] and kernel != "tiled" else WARM, kernel, n)
                                 for kernel in KERNELS for n in SIZES])
    add("uneven", "tesina_gpu", [{**r, **scaled(r, MULTIPLES[r["rows"]])} if r["method"] == "naive" else r
                                 for r in kernels(T4)])
    add("uneven", "tesina_matmul", [product(T4, n, 0.29) for n in SIZES])


# ---- what is said of them -------------------------------------------------------------------------------------------

ROWS = {}  # of the folders, by their names


def reproduce(places, *options):
    results = " ".join(f"--results $DIR/{place}" for place in places.split())
    return done(" ".join(["./study reproduce", results, "--document tesina", *options]))


def rows_of(places, *options):
    reproduce(places, "--format csv -o $DIR/rows.csv", *options)
    return rows_in(DIR / "rows.csv")


def page_of(places, *options):
    reproduce(places, "--format markdown -o $DIR/page.md", *options)
    return (DIR / "page.md").read_text(encoding="utf-8")


def figure(rows, item):
    return next(r for r in rows if r["id"].startswith("figures_") and r["item"] == item)


def claim(rows, part):
    return next(r for r in rows if r["id"].startswith("claims:") and part in r["quantity"])


def published(name, file, *changes):
    """Copies the published tables and changes them: in lines of the file that begin so, a text becomes another one."""
    shutil.copytree(SOURCE / "data/published", DIR / name)
    lines = (DIR / name / file).read_text(encoding="utf-8").split("\n")
    for begin, old, new in changes:
        changed = [line.replace(old, new, 1) if line.startswith(begin) else line for line in lines]
        expect(f"{file} has {old!r} in {begin}", changed != lines)
        lines = changed
    (DIR / name / file).write_text("\n".join(lines), encoding="utf-8")
    return f"--published $DIR/{name}"


def folders_are_reproduced():
    for place, g in (("t4", T4), ("k20", K20), ("emulated", EMULATED)):
        make_gpu(place, g)
    make_others()
    for places in ("t4 k20", "emulated", "warm", "partly", "uneven"):
        ROWS[places] = rows_of(places)


def of_kernel(kernel, block=32, memory="transferred"):
    return f"{kernel}, block {block} × {block}, filter {memory}, offload window: "


ONE, TWO, THREE = "matmul1 (naive)", "matmul2 (loop)", "matmul3 (tiled)"
TO_64 = "n = 4 to 64. At n = 64"
# A figure, its device, what it says, and a fault in its counterpart: the kernel of another figure, another block,
# filter memories exchanged, a curve for a table. Seconds of the products for those in all, and the other way round, are
# mutants of tests/mutation. Medians are those of launches 2 and 3: 1.0025 times the law. n = 64 has 1024 windows.
SAID = [
    ("4 (first)", "T4", (f"{ONE}, block 16 × 16: {TO_64}: product 263",), ",table,", ",curve,"),
    ("4 (second)", "T4", (f"{ONE}, block 16 × 16: the products' time grows as n^3",), ",curve,", ",table,"),
    ("32", "T4", (of_kernel(ONE) + TO_64 + ", 1024 windows: products 1.03", "in all 11.3"), "=naive", "=loop"),
    ("33", "T4", (of_kernel(ONE) + "the products' time grows as n^2", "from 4.01 µs at n = 4 to 1.03"),
     "=naive", "=loop"),
    ("34", "K20m", ("1024 windows: products 6.16", f"{ONE}, block 32"), "=naive", "=loop"),
    ("35", "K20m", (of_kernel(ONE) + "the", "from 24.1 µs at n = 4 to 6.16"), "=naive", "=loop"),
    ("36", "T4", ("1024 windows: products 2.05", f"{TWO}, block 32"), "=loop", "=tiled"),
    ("37", "T4", (of_kernel(TWO) + "the", "from 8.02 µs at n = 4 to 2.05"), "=loop", "=tiled"),
    ("38", "K20m", ("1024 windows: products 5.13", f"{TWO}, block 32"), "=loop", "=tiled"),
    ("39", "K20m", (of_kernel(TWO) + "the", "from 20.1 µs at n = 4 to 5.13"), "=loop", "=tiled"),
    ("40", "T4", ("1024 windows: products 3.08", f"{THREE}, block 32"), "=tiled", "=naive"),
    ("41", "T4", (of_kernel(THREE) + "the", "from 12.0 µs at n = 4 to 3.08"), "=tiled", "=naive"),
    ("42", "K20m", ("1024 windows: products 4.11", f"{THREE}, block 32"), "=tiled", "=naive"),
    ("43", "K20m", (of_kernel(THREE) + "the", "from 16.0 µs at n = 4 to 4.11"), "=tiled", "=naive"),
    # 0.5 µs against 13 µs
    ("44", "T4", (f"At n = 64, {THREE} is 0.0385 times as fast as serial staged",), "=tiled", "=naive"),
    ("45", "T4", (f"{ONE} 11.3 ms; {TWO} 12.3 ms; {THREE} 13.3 ms", "Block 32 × 32, filter transferred"), "=32", "=16"),
    ("46", "T4", (f"{ONE} is the fastest; {TWO} takes 1.09 times as long; {THREE} takes 1.18 times as long",
                  "Block 32 × 32, filter transferred"), "=32", "=16"),
    ("47", "T4", (f"Block 16 × 16, filter transferred, {TO_64}; {ONE} 11.8 ms; {TWO} 13.3 ms; {THREE} 14.9 ms",),
     "=16", "=32"),
    ("48", "T4", (f"Block 16 × 16, filter transferred, {TO_64}; {ONE} is the fastest; {TWO} takes 1.13",),
     "=16", "=32"),
    ("50", "T4", (f"filter transferred, {TO_64}; {ONE} 11.3 ms",), "=transferred", "=constant"),
    ("51", "T4", (f"filter transferred, {TO_64}; {ONE} is the fastest",
                  f"{TWO} takes 1.09 times as long; {THREE} takes 1.18"), "=transferred", "=constant"),
    ("52", "T4", (f"filter constant, {TO_64}; {ONE} 5.13 ms; {TWO} 6.16 ms; {THREE} 7.19 ms",),
     "=constant", "=transferred"),
    ("53", "T4", (f"filter constant, {TO_64}; {ONE} is the fastest; {TWO} takes 1.20 times",),
     "=constant", "=transferred")]


def is_right(row, device, texts):
    """True if a row says what the made-up times are."""
    return (row["state"] == "measured" and all(text in row["ours"] for text in texts) and
            f"Measured on Tesla {device}." in row["sentence"])


def each_figure_says_its_own():
    for number, device, texts, *_ in SAID:
        row = figure(ROWS["t4 k20"], f"figure {number}")
        expect(f"figure {number} is {texts} on {device}", is_right(row, device, texts), row)
    expect("figure 49", "Moving data takes" in figure(ROWS["t4 k20"], "figure 49")["ours"])


def planted_faults_are_seen():
    """With all faults at once, every figure is wrong: a test that a figure's own answer can fail."""
    faulty = rows_of("t4 k20", published("faulty", "counterparts.csv", *(
        (f"figures_without_numbers,figure {number},", old, new) for number, _, _, old, new in SAID)))
    for number, device, texts, *_ in SAID:
        row = figure(faulty, f"figure {number}")
        expect(f"figure {number} with a fault", not is_right(row, device, texts), row)


def each_figure_has_its_table():
    """The last row of each figure's own table on the page, between its name and the next one's."""
    page = page_of("t4")
    for number, row in ((32, "1024 | 1.03 ms | 11.3 ms |"), (36, "1024 | 2.05 ms | 12.3 ms |"),
                        (40, "1024 | 3.08 ms | 13.3 ms |"), (44, "513 µs | 13.3 ms | 0.0385"),
                        (45, "11.3 ms | 12.3 ms | 13.3 ms |"), (47, "11.8 ms | 13.3 ms | 14.9 ms |"),
                        (52, "5.13 ms | 6.16 ms | 7.19 ms |")):
        own = page.partition(f"Figure {number}: ")[2].partition("\n#")[0]
        expect(f"figure {number} has its own table", f"| 64 | {row}" in own, own)


def findings_differ():
    """But where the same was drawn from another experiment: 45, 46 and 50, 51."""
    ours = {i: figure(ROWS["t4 k20"], f"figure {i}")["ours"] for i in range(32, 54)}
    for i in ours:
        for j in range(32, i):
            expect(f"figures {i} and {j} differ", ours[i] != ours[j] or i - j == 5, ours[i])


def efficiency_is_of_cores():
    """Speedup over the T4's 2560 cores: 0.5 / 13 / 2560."""
    sentence = figure(ROWS["t4 k20"], "figure 44")["sentence"]
    expect("the efficiency", "speedup over the GPU's 2560 cores, is 0.0015 %" in sentence, sentence)


def has_verdicts(rows, *verdicts):
    for part, verdict in verdicts:
        row = claim(rows, part)
        expect(f"{part!r}: {verdict}", row["state"] == verdict, row)


THREE_FASTER = f"{THREE} is faster than matmul1"
CUBIC, EXPONENTIAL = "The time of a matrix product grows as n^3", f"by {ONE} grows exponentially"


def claims_have_verdicts():
    has_verdicts(
        ROWS["t4 k20"], ("A filter in constant memory is faster than a transferred one: matmul1", "agrees"),
        (THREE_FASTER, "disagrees"), (f"{THREE} is faster than matmul2", "disagrees"),
        (f"{THREE} is less effective than matmul1", "agrees"), (EXPONENTIAL, "disagrees"), (CUBIC, "agrees"),
        ("Speedup and efficiency", "not comparable"), ("The products take 61 %", "agrees"),  # 0.3 of 0.5
        ("Padding 2 keeps the size", "agrees"),
        ("The time of the serial program grows as n^5", "undecided"))  # no samples
    has_verdicts(ROWS["emulated"], (THREE_FASTER, "needs a GPU"))
    has_verdicts(ROWS["warm"], (THREE_FASTER, "undecided"))  # SUSPECT


def all_points_are_looked_at():
    """A value is as doubtful as the most doubtful point that it rests on: the second of a ratio, the first, or a small
    size of a growth."""
    has_verdicts(ROWS["partly"], (THREE_FASTER, "undecided"), (f"{THREE} is less effective than matmul1", "undecided"),
                 (EXPONENTIAL, "undecided"))


def laws_that_do_not_hold_decide_nothing():
    """Neither the power in the middle of a curve that bends, nor the better of two laws that describe the times nearly
    as badly."""
    has_verdicts(ROWS["uneven"], (CUBIC, "undecided"), (EXPONENTIAL, "undecided"))
    bent = claim(ROWS["uneven"], CUBIC)
    expect("2.2 to 3.8", float(bent["lower"]) < 2.4 and float(bent["upper"]) > 3.6, bent)


def ratios_are_along_a_column():
    """matmul1 over matmul3: 11 / 13 times the multiples."""
    for measure, multiple in (("least_ratio", 0.25), ("most_ratio", 3.0), ("first_ratio", 1.5), ("last_ratio", 1.0)):
        change = ('tesina,"figure 45, text",', "last_ratio", measure)
        rows = rows_of("uneven", published(measure, "claims.csv", *[change] * (measure != change[1])))
        row = claim(rows, THREE_FASTER)
        expect(f"the {measure}", math.isclose(float(row["ours"]), 11 / 13 * multiple, rel_tol=1e-3), row)


def answers_in_words_agree_with_the_same_words():
    words = "The map of a 4 × 4 image is 2 × 2"
    has_verdicts(ROWS["uneven"], (words, "agrees"))
    has_verdicts(rows_of("uneven", published("words", "claims.csv", ("tesina,figure 22,", "equal 2x2", "equal 2x3"))),
                 (words, "disagrees"))


def an_emulator_has_no_second():
    for i in range(32, 54):
        row = figure(ROWS["emulated"], f"figure {i}")
        expect(f"nothing of figure {i}", (row["state"], row["ours"]) == ("missing", ""), row)
        expect(f"why there is nothing of figure {i}", "It needs a GPU" in row["sentence"] and (
            i == 49 or "an emulated device has no seconds; it computed n = 4 to 64, " in row["sentence"]), row)


def the_report_names_blocks():
    """Two rows of one kernel differ in the report's table by their block."""
    done("./study report --charts none --results $DIR/t4")
    page = (DIR / "t4/report.md").read_text(encoding="utf-8")
    for part in ("| workers | block | filter memory | offload | total time |",
                 "| 16 | transferred | window | 11.8 ms", "| 32 | transferred | window | 11.3 ms"):
        expect(f"{part!r} is in the report", part in page)


def maps_are_answers():
    for number, ours in ((22, "2x2: 9 7 / 8 9"),
                         (24, "5x5: 9 9 5 7 7 / 9 9 5 7 7 / 3 6 6 9 9 / 8 8 7 9 9 / 8 8 7 7 4"),
                         (25, "4x4: 0 0 0 0 / 0 9 7 0 / 0 8 9 0 / 0 0 0 0")):
        row = figure(ROWS["t4 k20"], f"figure {number}")
        expect(f"the map of figure {number}", (row["state"], row["ours"]) == ("answer", ours), row)


def the_page_has_its_order():
    """The page leads with claims, then figures, then numbers, in either language."""
    for language, parts in (("en", ("# The tesina, figure by figure", "Claims", "Figure 32: ", "Numbers")),
                            ("es", ("# La tesina, figura por figura", "Afirmaciones", "Figura 32: ", "Números"))):
        page = page_of("t4", "--lang", language)
        at = 0
        for part in parts:
            at = page.find(part, at)
            expect(f"{language}: {part!r} is in its place", at >= 0)
        for word in ("irradianc", ": -.", "%{"):  # of another document; nothing is published there; no value
            expect(f"{language}: {word!r} is not on the page", word not in page)
    fails(2, "./study reproduce --document thesis")


def of_figure(page, title):
    """The text of one figure: from its heading or first words to the next figure's."""
    own = page.partition(title)[2].partition("Figure ")[0]
    expect(f"{title!r} is on the page", own)
    return own


def nothing_is_said_twice():
    """Of a figure with SUSPECT times the page has the word once, although finding, trust word and sentence each have
    it; what a number means is said at the first figure with the claim; that a GPU is needed is the verdict."""
    page = page_of("warm")
    done("./study reproduce --results $DIR/warm --format markdown -o $DIR/whole.md")
    whole = (DIR / "whole.md").read_text(encoding="utf-8")
    for text in (of_figure(page, "Figure 49: "), whole.partition("| figure 49: ")[2].partition("\n")[0]):
        expect("SUSPECT once", "Moving data takes" in text and text.count("SUSPECT") == 1, text)
    text = of_figure(page, "Figure 52: ")
    expect("a GPU is needed, once", "'study run --thesis tesina\\_filter' measures it. " in text and
           "Verdict: needs a GPU." in text and "It needs a GPU" not in text, text)
    page = page_of("t4 k20")
    verdict = f"by {ONE} grows exponentially with n. Verdict: disagrees, "
    expect("the verdict of the growth twice", page.count(verdict) == 2)
    for title, count in (("Figure 33: ", 1), ("Figure 35: ", 0)):
        text = of_figure(page, title)
        expect(f"what the number of {title}means", text.count(" Ours: as for the serial program.") == count, text)


if __name__ == "__main__":
    sys.exit(main(
        folders_are_reproduced, each_figure_says_its_own, planted_faults_are_seen, each_figure_has_its_table,
        findings_differ, efficiency_is_of_cores, claims_have_verdicts, all_points_are_looked_at,
        laws_that_do_not_hold_decide_nothing, ratios_are_along_a_column, answers_in_words_agree_with_the_same_words,
        an_emulator_has_no_second, the_report_names_blocks, maps_are_answers, the_page_has_its_order,
        nothing_is_said_twice))
