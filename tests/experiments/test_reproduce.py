#!/usr/bin/env python3
"""Compares published numbers with made-up measurements of known truth: value, interval, ratio and trust word of each
kind of measure. Every number and figure is in the table exactly once; a bad counterpart is refused with file, line and
column. Usage: tests/support/commands.py."""
import csv
import math
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "support"), str(HERE.parent / "support")]
from checks import expect, rows_in
from commands import DIR, SOURCE, done, fails, main
from maker import Maker, network_point, point, powers

PUBLISHED = SOURCE / "data/published"
MIB = 1048576.0

# ---- samples with a regular scatter ---------------------------------------------------------------------------------

# Launch i takes 1 + (i - 4) / 1000 times the time. The interval of nine medians is from the second to the eighth: 3
# thousandths to either side.
LAUNCHES, SAMPLES, HALF_WIDTH = 9, 10, 0.003


def add(results, experiment, truth, seconds, share=0.0, update=0.25, drift=0.0):
    """Writes the samples of a point: `seconds` in total, of which the product takes the fraction `share`, and the
    update the fraction `update`; from launch to launch both grow by `drift`."""
    rows = []
    for launch in range(LAUNCHES):
        own, factor = seconds * (1 + 0.001 * (launch - 4)), 1 + drift * (launch - 4)
        of_launch = {**truth, "experiment": experiment, "seed": 35, "run_id": f"{experiment}-{launch}", "round": launch,
                     "total_s": own, "compute_s": own, "product_s": share * factor * own, "distribute_s": 0,
                     "collect_s": 0, "forward_s": 0.6 * own, "update_s": update * factor * own}
        rows += [{**of_launch, "warmup": int(i < 0), "sample": max(i, 0),
                  "stop_reason": "relative_ci" if i == SAMPLES - 1 else ""} for i in range(-1, SAMPLES)]
    results.append(experiment, "", rows)


def step(network, images, /, **others):
    return network_point("omp", network, images, 50, task="train", **others)


def add_pooling(results):
    """Two sizes: the larger one is reported."""
    for n, seconds, share in ((1024, 0.01, 0.5), (2048, 0.04, 0.7)):
        add(results, "tesina_speedup", point("serial", "staged", rows=n, cols=n), seconds, share)
    for ranks, seconds in ((1, 0.08), (2, 0.05)):
        add(results, "tesina_processes", point("mpi", "literal", ranks=ranks), seconds, 0.5)


def add_technologies(results):
    """A window takes 6 us in Python, and a thousandth of that with vectors."""
    for i, (space, method) in enumerate((("python", "python"), ("numba", "numba"), ("serial", "literal"),
                                         ("serial", "simd"))):
        add(results, "tesina_technologies", point(space, method, rows=128, cols=128), 64 * 64 * 6e-6 * 0.1 ** i)


def add_networks(results):
    """The GPU takes longer for the network with fewer parameters, and less time for the other."""
    on_gpu = {"program": "network_cuda", "space": "cuda", "method": "own", "ranks": None, "threads": None,
              "nodes": None}
    for network, processor, device in (("mlp:3200", 0.5, 0.6), ("mlp:800-400-208", 0.2, 0.1)):
        of_both = step(network, 1000, data="random")
        add(results, "solar_mlp_training", of_both, processor)
        add(results, "solar_mlp_training", {**of_both, **on_gpu}, device)
    add(results, "solar_mlp_training", step("mlp:800-400-208", 100), 0.01)
    for threads in (1, 2):
        add(results, "solar_threads", step("solar_cnn", 512, threads=threads), 1.2 / threads)


def training_row(launch, images, **others):
    return {"program": "network_omp", "network": "mlp:100-50", "data": "solar", "what": "epoch", "images": images,
            "run_id": f"{launch}-{images}", **others}


def days(row):
    """Ten days with the same number of samples, whose mean square error equals the epoch's: the squares vary by a
    quarter at batch 100, and not at all at batch 1000."""
    change = 0.25 if row["images"] == 100 else 0.0
    return [{**row, "what": "day", "count": 100, "step": day,
             "test_error": math.sqrt(row["test_error"] ** 2 * (1 + change if day % 2 else 1 - change))}
            for day in range(1, 11)]


def add_forecasts(results):
    """A step takes 0.1 s. One training was interrupted in its second epoch: its days belong to an epoch that was never
    scored. The other has two epochs of eight whole steps and one step of the remaining images."""
    for images in (100, 1000):
        add(results, "solar_accuracy", step("mlp:100-50", images, data="solar"), 0.1)
        interrupted = training_row("interrupted", images, epoch=1, persistence=0.1, test_error=0.09)
        epochs = [training_row(
            "batch", images, epoch=epoch, step=9 * epoch, seconds=1.0, wall_seconds=1.002, whole_steps=8,
            rest_seconds=0.2, persistence=0.1, test_error=0.04 if images == 100 else 0.05, test_absolute_error=0.03,
            test_mean=0.5) for epoch in (1, 2)]
        results.append("solar_accuracy", ".training", [
            interrupted, *days({**interrupted, "epoch": 2, "test_error": 0.08}), *epochs, *days(epochs[1])])


def add_faces(results):
    """20 of 500 pictures go through the network at once."""
    for i, structure in enumerate(("reload", "once", "split")):
        add(results, "faces_structures", network_point(
            "omp", "resnet18", 20, 224, structure, images=500, program="faces_omp", operator="faces"),
            178.984 / (i + 1))
    results.append("faces_structures", ".timeline", (
        {"label": label, "seconds": i + 2, "cpu_share": 1, "resident_bytes": bytes_held * (1 + 0.1 * i)}
        for label, bytes_held in (("reload", 512 * MIB), ("once", 256 * MIB)) for i in (-1, 0, 1)))


# ---- rows -----------------------------------------------------------------------------------------------------------


class Table:
    """The rows that `study reproduce` writes of a folder of results, each by its id."""

    def __init__(self, place="made", options=""):
        options += f" --results $DIR/{place}" if place else ""
        done(f"cd $DIR && $OLDPWD/study reproduce {options} --format csv -o $DIR/rows.csv")
        self.all = rows_in(DIR / "rows.csv")
        self.by_id = {row["id"]: row for row in self.all}
        expect("each id is there once", len(self.by_id) == len(self.all))

    def near(self, name, column, value):
        """Expects a number, or with None nothing."""
        shown = self.by_id[name][column]
        expect(f"{name}: {column} is {value}", not shown if value is None else shown and math.isclose(
            float(shown), value, rel_tol=1e-6), shown)

    def text(self, name, column, value):
        expect(f"{name}: {column} is {value!r}", self.by_id[name][column] == value, self.by_id[name])

    def has(self, name, column, *parts):
        for part in parts:
            expect(f"{name}: {column} has {part!r}", part in self.by_id[name][column], self.by_id[name])

    def measured(self, name, value, scatter=0.0, unit="", trust=None):
        """Checks value, interval and unit; `scatter`: half the interval over the value, None: no interval."""
        self.text(name, "state", "measured")
        self.near(name, "ours", value)
        for end, sign in (("lower", -1), ("upper", 1)):
            self.near(name, end, None if scatter is None else value * (1 + sign * scatter))
        self.text(name, "ours_unit", unit)
        if trust:
            self.text(name, "trust", trust)

    def verdict(self, part, state):
        """Expects the verdict on the claim that has the part in its text."""
        claim = next(row for row in self.all if row["id"].startswith("claims:") and part in row["quantity"])
        expect(f"{part}: {state}", claim["state"] == state, claim)


def page_of(form, options=""):
    """Returns the page of a format."""
    done(f"./study reproduce --results $DIR/made --format {form} {options} -o $DIR/page")
    return (DIR / "page").read_text(encoding="utf-8")


def times():
    """A number is named by its published file and its line. An equal protocol, or no ratio."""
    ROWS.measured("faces:3", 178.984, HALF_WIDTH, "s", "PRECISE")
    ROWS.near("faces:3", "ratio", None)
    ROWS.has("faces:3", "sentence", "No ratio: other data, another network.")
    ROWS.text("faces:3", "published", "1789.84")
    ROWS.measured("faces:5", 89.492, HALF_WIDTH, "s")
    ROWS.text("faces:5", "experiment", "faces_structures")
    ROWS.measured("tesina:20", 0.04, HALF_WIDTH, "s")  # compute; without a unit to compare with
    ROWS.near("tesina:20", "ratio", None)
    ROWS.measured("tesina:19", 0.028, HALF_WIDTH, "s")  # product


def launches_are_counted():
    """The number of launches stands beside each measured value, and beside no other."""
    ROWS.text("faces:3", "launches", str(LAUNCHES))
    ROWS.text("faces:3", "samples", str(LAUNCHES * SAMPLES))
    without = [row for row in ROWS.all if row["launches"] and row["state"] in ("answer", "fact", "absent", "missing")]
    expect("no launches of what was not measured", not without, without)
    expect("the page has them", f"| 179 \\[178, 180\\] s PRECISE, {LAUNCHES} launches |" in page_of("markdown"))


def ratios():
    """A ratio is paired within rounds, so that differences between rounds cancel."""
    ROWS.measured("solar_mlp:73", 2.5, trust="PRECISE")
    ROWS.has("solar_mlp:73", "sentence", "The programs compute 166401 parameters.")  # published
    ROWS.measured("solar_mlp:74", 0.4)
    ROWS.measured("tesina:54", 1.6)  # two ranks over one


def shares():
    ROWS.measured("tesina:21", 0.7)  # of the larger image
    for column in ("ratio", "ratio_lower", "ratio_upper"):
        ROWS.near("tesina:21", column, 0.7 / 0.61)
    ROWS.measured("solar_mlp:95", 0.25)  # of the update, equal in all samples
    ROWS.near("tesina:26", "ours", 1 / (0.3 + 0.7 / 640))
    ROWS.near("tesina:26", "ratio", 1 / (0.3 + 0.7 / 640) / 2.5578)


def published_with(file, before, after):
    """Copies the published numbers, in which the first occurrence of a text becomes another one."""
    shutil.rmtree(DIR / "p", ignore_errors=True)
    shutil.copytree(PUBLISHED, DIR / "p")
    text = (DIR / "p" / file).read_text(encoding="utf-8")
    expect(f"{before!r} is in {file}", before in text)
    (DIR / "p" / file).write_text(text.replace(before, after, 1), encoding="utf-8")
    return "--published $DIR/p"


def units_are_converted():
    """The same number gives the same ratio, whether it is printed as 0.61 or as 61 %."""
    line = next(line for line in (PUBLISHED / "tesina.csv").read_text(encoding="utf-8").splitlines()
                if "parallel fraction p,," in line)
    table = Table("made", published_with("tesina.csv", line, line.replace("fraction p,,", "fraction p,%,").replace(
        ",0.61,", ",61,")))
    table.text("tesina:21", "published", "61")
    table.near("tesina:21", "ratio", 0.7 / 0.61)


def one_is_not_above_one():
    """The share of the update is a fourth with either batch: 1, which is not above 1."""
    ROWS.verdict("The update (Adam)", "disagrees")


def suspect_decides_nothing():
    """Times that were throttled are SUSPECT: those of one rank, of a batch of 1000, and of the serial program. A
    speedup and a ratio are as doubtful as the more doubtful of their two points. What is SUSPECT is shown, has no ratio
    and decides nothing."""
    results, hot = Maker(DIR / "doubtful"), {"throttle": "hardware_thermal"}
    add(results, "tesina_processes", point("mpi", "literal", ranks=2), 0.05, 0.5)
    add(results, "tesina_processes", point("mpi", "literal", **hot), 0.08, 0.5)
    add(results, "solar_mlp_training", step("mlp:800-400-208", 100, throttle="none"), 0.2, update=0.5)
    add(results, "solar_mlp_training", step("mlp:800-400-208", 1000, **hot), 0.2, update=0.125)
    add(results, "tesina_speedup", point("serial", "staged", **hot), 0.01, 0.625)
    table = Table("doubtful")
    table.near("tesina:54", "ours", 1.6)
    table.near("tesina:21", "ours", 0.625)
    table.text("tesina:21", "ratio", "")
    table.text("figures_without_numbers:50", "state", "measured")  # of both batches
    for name in ("tesina:54", "tesina:21", "figures_without_numbers:50"):
        table.text(name, "trust", "SUSPECT")
    table.verdict("The update (Adam)", "undecided")  # 4
    table.verdict("The products take 61 %", "undecided")


def intervals_of_shares():
    """The share of the products, and that of the update with two batches, drift by a hundredth from launch to launch.
    Amdahl's speedups at the ends of the share's interval are the ends of its own. Of two shares whose intervals
    overlap, neither is larger."""
    results = Maker(DIR / "drifting")
    add(results, "tesina_speedup", point("serial", "staged"), 0.01, 0.61, 0.0, 0.01)
    for batch, update in ((100, 0.51), (1000, 0.5)):
        add(results, "solar_mlp_training", step("mlp:800-400-208", batch), 0.2, update=update, drift=0.01)
    table = Table("drifting")
    parts = [float(table.by_id["tesina:21"][end]) for end in ("lower", "ours", "upper")]
    expect("an interval", 0 < parts[0] < parts[1] < parts[2], parts)
    for end, part in zip(("lower", "ours", "upper"), parts):
        table.near("tesina:26", end, 1 / (1 - part + part / 640))
    table.verdict("The update (Adam)", "undecided")  # 1.02


def memory():
    for name, value in (("faces:8", 512), ("faces:9", 256), ("figures_without_numbers:67", 1.1 * 512),
                        ("figures_without_numbers:68", 1.1 * 256)):  # the latter are peaks
        ROWS.measured(name, value * MIB, None, "B")
    ROWS.near("faces:8", "ratio", None)
    ROWS.text("figures_without_numbers:69", "state", "missing")  # no timeline of split


def trainings():
    """make_training_results writes seven launches of 50 epochs with six seeds; an epoch of launch i takes 0.5 s and i
    hundredths more, and the accuracies of the seeds are a hundredth apart. Of the first 25 epochs, 24 has the least
    validation loss. It tries 60 learning rates, and the 31st is suggested."""
    learned, selected = (1 - math.exp(-0.12 * epoch) for epoch in (25, 24))
    for line, column, value in (
            (67, "ours", 1 / 3 + 0.6 * selected), (67, "lower", 1 / 3 + 0.6 * selected - 0.025),
            (67, "upper", 1 / 3 + 0.6 * selected + 0.025), (67, "ratio", None),
            (69, "ours", 1 / 3 + 0.6 * (1 - math.exp(-0.12 * 50))), (68, "ours", 25 * 0.5 * 1.03),
            (68, "lower", 25 * 0.5), (68, "upper", 25 * 0.5 * 1.06), (68, "ratio", 25 * 0.5 * 1.03 / 24.87),
            (70, "ours", 50 * 0.5 * 1.03), (71, "ours", 1.1 * (1 - 0.99 * learned)),
            (72, "ours", 1 / 3 + 0.6 * learned), (73, "ours", 2 * 1.2 * (1 - 0.98 * learned)),
            (74, "ours", 1 / 3 + 0.63 * learned), (76, "ours", 0.5 * 1.03), (76, "ratio", None), (89, "ours", 3),
            (30, "ours", 1e-7), (31, "ours", 1e-7 * 10 ** 5.9), (32, "ours", 60), (35, "ours", 1e-4)):
        ROWS.near(f"tesina_training:{line}", column, value)
    ROWS.text("tesina_training:67", "trust", "")  # trust words are of times
    ROWS.has("tesina_training:67", "sentence", "No ratio: other data.")
    ROWS.text("tesina_training:83", "state", "missing")  # 100 epochs


def totals_over_parts():
    """The gap between the steps of an epoch is 0.002 s."""
    ROWS.near("solar_time_ratios:4", "ours", 2.004)
    ROWS.near("solar_time_ratios:4", "ratio", None)
    ROWS.has("solar_time_ratios:4", "sentence", "No ratio: another unit.")
    ROWS.near("solar_time_ratios:7", "ours", 1.002)
    ROWS.near("solar_time_ratios:8", "ours", (1.002 - 0.2) / 8 / 0.1)
    ROWS.text("solar_time_ratios:9", "state", "missing")  # needs a GPU


def what_was_not_measured():
    for name, column, value in (
            ("tesina:2", "state", "answer"), ("solar_cnn:2", "ours", "48x48x32"), ("tesina:17", "state", "absent"),
            ("tesina:57", "state", "missing"),  # 16 ranks
            ("tesina_training:36", "state", "answer"),
            ("solar_mlp:77", "state", "missing"),  # figure 4.9: not a known answer, but of a GPU
            ("solar_mlp:75", "state", "missing"), ("solar_mlp:63", "sentence", "")):
        ROWS.text(name, column, value)
    ROWS.near("tesina:2", "ours", 4)
    ROWS.near("tesina_training:36", "ours", 3)
    ROWS.has("tesina:57", "sentence", "study run --thesis tesina_processes")
    ROWS.has("resnet_devices:14", "sentence", "It needs a GPU")
    ROWS.has("faces:15", "sentence", "garbled")  # from its note
    ROWS.has("solar_mlp:77", "sentence", "The programs compute 166401 parameters.", "It needs a GPU")
    ROWS.has("solar_mlp:75", "sentence", "'study run --thesis solar_mlp_training' measures it.")


def a_gpu_is_asked_for_once():
    """The counterpart does not repeat what describes the missing measurement."""
    asked = [row["sentence"].count("It needs a GPU") for row in ROWS.all]
    expect("a GPU is asked for once", max(asked) == 1, asked)


def figures():
    ROWS.text("figures_without_numbers:8", "state", "measured")
    ROWS.has("figures_without_numbers:8", "ours", "alexnet_tesina is right on")
    ROWS.has("figures_without_numbers:8", "sentence", "medians of 6 trainings", "least validation loss")
    ROWS.text("figures_without_numbers:21", "state", "missing")  # needs a GPU
    ROWS.has("figures_without_numbers:46", "ours", "a skill of 0.6 at batch 100")
    ROWS.has("figures_without_numbers:46", "sentence", "(RMSE 0.04, MAE 0.03, nRMSE 8.0 %); skill 0.5",
             "skill 0.60 [0.56, 0.64] at batch 100", "minus that at 1000, on the same days, is 0.0623 to 0.138: these "
             "two trained networks differ significantly. Intervals are over the 10 days")
    ROWS.has("figures_without_numbers:51", "ours", "at batch 100; 0.5", "0.60 [0.56, 0.64] at batch 100")  # by hand
    ROWS.has("figures_without_numbers:50", "ours", "The update takes 25 % of a step at batch 100, 25 % at 1000")
    ROWS.measured("figures_without_numbers:60", 2)  # two threads, each half


def findings_of_devices():
    """A finding about both devices is reported for a figure of the GPU only if it rests on a GPU's points; it is also
    reported for a printed number of parameters."""
    names = ("figures_without_numbers:55", "figures_without_numbers:56", "solar_mlp:91", "solar_mlp:92")
    for name in names:
        ROWS.text(name, "state", "measured")
        ROWS.text(name, "ours", "Crossover of the processor and the GPU between 166401 and 444817 parameters")
        ROWS.near(name, "ratio", None)
    ROWS.text("figures_without_numbers:58", "state", "missing")  # only one pair of networks
    ROWS.has("figures_without_numbers:58", "sentence", "It needs a GPU")
    done("mkdir $DIR/processor && grep -v ,network_cuda, $DIR/made/solar_mlp_training.csv > "
         "$DIR/processor/solar_mlp_training.csv")
    processor = Table("processor")
    for name in names:
        processor.text(name, "state", "missing")


def findings_of_points():
    """A finding that rests on no points of the required kind does not count."""
    Table("made", published_with("counterparts.csv", ",,claim training_parts,",
                                 ",program=network_cuda task=train,claim training_parts,")).text(
                                     "figures_without_numbers:50", "state", "missing")


def sentences_are_translated():
    """The catalogue translates the suite's own sentences, like all others."""
    page = page_of("markdown", "--lang es")
    for text, is_there in (("No hay tiempo publicado.", True), ("No time is published.", False),
                           ("Lo nuestro es un paso de entrenamiento de la red de 50 neuronas", True),
                           ("Ours is a training step of the network of 50 neurons", False)):
        expect(f"{text} {is_there}", (text in page) == is_there)


def figures_have_their_own_batches():
    """A figure (4.3, 4.15 and 4.16) has the network and the batches that it draws, not those of another one."""
    results = Maker(DIR / "batches")
    for batch in (100, 1000):
        for network, scale in (("mlp:50", 1), ("mlp:3200-1600-832", 100 / batch)):
            add(results, "solar_mlp_training", step(network, batch), (0.1 if batch == 100 else 0.5) * scale)
    for batch in powers(2, 1024):
        add(results, "solar_cnn_inference", network_point("omp", "solar_cnn", batch, 50, task="infer"),
            0.1 if batch < 512 else 0.01 * batch)
    table = Table("batches")
    for line, value in ((52, 2), (64, 32), (65, 1)):
        table.near(f"figures_without_numbers:{line}", "ours", value)


def counts():
    """What the page says of the published numbers, counted again from the rows. Of what was measured and has no ratio,
    the rows that were to be compared say why."""
    numbers = [row for row in ROWS.all if not row["id"].startswith(("claims:", "figures_without_numbers:"))]
    of_state = {state: sum(row["state"] == state for row in numbers)
                for state in ("measured", "answer", "fact", "absent", "missing")}
    results = sum(row["state"] == "measured" and bool(row["ratio"]) for row in numbers)
    shown = sum(row["id"].startswith("figures_") and row["state"] in ("measured", "answer") for row in ROWS.all)
    found = re.search(
        r"Results compared with ours here: (\d+); settings that were run here: (\d+); recomputed without a clock: "
        r"(\d+); none of these: (\d+) \(facts about the documents: (\d+); results of another protocol or SUSPECT, "
        r"shown without a ratio: (\d+); not measurable here: (\d+); not measured: (\d+)\)\. Figures without printed "
        r"numbers: 70; with an answer here: (\d+)\.", page_of("markdown"))
    expect("the page counts", found)
    compared, settings, answers, none, facts, other, absent, missing, with_answer = map(int, found.groups())
    expect("the counts", (compared, answers, facts, absent, missing, with_answer) == (
        results, *(of_state[state] for state in ("answer", "fact", "absent", "missing")), shown), found.group())
    expect("the rest", settings + other == of_state["measured"] - results and none == facts + other + absent + missing,
           found.group())
    expect("settings", settings == sum(row["state"] == "measured" and not row["ratio"] and
                                       "No ratio" not in row["sentence"] for row in numbers), found.group())
    expect("none is empty", min(compared, settings, other) > 0, found.group())


# ---- all rows -------------------------------------------------------------------------------------------------------


def every_row_once():
    """Each published line occurs once, whatever was measured; without results, nothing is measured."""
    shown = [row["id"] for row in ROWS.all if not row["id"].startswith("claims:")]
    lines = []
    for file in dict.fromkeys(name.split(":")[0] for name in shown):
        with open(PUBLISHED / f"{file}.csv", newline="", encoding="utf-8") as stream:
            rows = csv.reader(stream)
            next(rows)
            lines += [f"{file}:{rows.line_num}" for _ in rows]
    expect("every line, in order", shown == lines and len(lines) == 439 + 70, len(lines))
    expect("and the claims", len(ROWS.all) >= len(lines) + 60, len(ROWS.all))
    (DIR / "bare").mkdir()
    done("cd $DIR/bare && $OLDPWD/study reproduce --format csv -o $DIR/bare.csv")
    bare = rows_in(DIR / "bare.csv")
    expect("the same rows", [row["id"] for row in bare] == [row["id"] for row in ROWS.all])
    wrong = [row for row in bare if row["state"] == "measured" or
             row["id"].startswith("claims:") and not row["published"] and row["state"] != "not comparable"]
    expect("nothing is measured", not wrong, wrong)


def formats_have_the_published_digits():
    for form in ("text", "html", "markdown", "latex"):
        page = page_of(form)
        expect(f"{form}: digits and words", "1641.84765625" in page and "PRECISE" in page and "%{" not in page)
    fails(2, "./study reproduce --format pdf")
    fails(2, "./study reproduce --results $DIR/nothing")


def answers_have_decimals():
    """A known answer with as many digits as were printed, though truncated there: 0.9 of 273, and 2.562496."""
    page = page_of("markdown")
    for text in ("| 245 images known answer |", "| 4 windows known answer |", "The programs compute 2.562497 times."):
        expect(f"{text} is reported", text in page)
    expect("not rounded up", "246 images" not in page)


def the_committed_page():
    """It agrees with the committed samples, and no label of a point is cut."""
    check = '"$SOURCE/scripts/reproduction_page.sh" --check "${PWD%/bin}"'
    for page in (SOURCE / "docs/details").glob("reproduction_*.md"):
        expect(f"no label is cut in {page.name}", "..." not in page.read_text(encoding="utf-8"))
    done(check)
    done("cp -r $SOURCE/docs $DIR/typed && grep -q '1789.84' $DIR/typed/details/reproduction_*.md && "
         "sed -i 's/1789.84/1789.85/' $DIR/typed/details/reproduction_*.md")
    fails(1, f"{check} $DIR/typed")


def the_report_links_to_the_page():
    done("./study report --charts none --results $DIR/made")
    for page, *texts in (
            ("report.html", '<a href="reproduction.html">'),
            ("reproduction.html", "Published numbers: 439. ", '<a href="report.html">', "563 MiB", "1641.84765625 MB",
             '<section id="solar">', '<section id="glossary">'),
            ("report.md", "](reproduction.html)", "the tesina's Python loop to vector",
             "Peak memory in MiB: reload 563, once 282.", "| simd, maxpool\\_serial | 6"),
            ("reproduction.tex", "1641.84765625 MB", "\\end{longtable}")):
        content = (DIR / "made" / page).read_text(encoding="utf-8")
        for text in texts:
            expect(f"{page} has {text!r}", text in content)


# ---- bad counterparts -----------------------------------------------------------------------------------------------


def bad_counterparts_are_refused():
    for before, after, said in (
            ("{cores},ratio,", "{cores} 2,ratio,", "column 'measure': 'amdahl {cores} 2' has too many"),
            (",slowest,", ",slow,", "column 'measure': 'slow' is no measure"),
            ("phase update", "phase lunch", "column 'measure': 'phase lunch' names no phase"),
            ("rates first", "rates third", "column 'measure': 'rates third' is not 'rates'"),
            ("claim confusion", "claim confused", "column 'measure': 'claim confused' names no chart"),
            ("loss {epochs}", "loss {part}", "column 'measure': 'loss {part}' has a word that is no"),
            ("rows=10000", "rowz=10000", "column 'point': 'program=matmul_omp rowz=10000' names no"),
            ("rows=10000", "rows=many", "column 'point': 'program=matmul_omp rows=many' has a value"),
            ("rows=10000", "rows=", "column 'point': 'program=matmul_omp rows=' has a word"),
            ("task=infer,slowest,limit", "task=infer,count,limit", "column 'compare': 'limit'"),
            ("task=infer,slowest,limit", "task=infer,slowest,bound", "column 'compare': 'bound'"),
            ("matmul_omp rows=10000,total", "matmul_omp rows=10000,ratio", "has not as many points"),
            ("share 0.5267 0.8604,tesina", "share 0.5267,tesina", "column 'answer': 'share 0.5267'"),
            ("image_ratio,result,", "image_ratio,ratio,", "column 'protocol': 'unit' does not suit"),
            ("no longer falls.,unit", "no longer falls.,", "column 'protocol': '' does not suit"),
            ("no longer falls.,unit", "no longer falls.,clock", "column 'protocol': 'clock' has an")):
        options = published_with("counterparts.csv", before, after)
        fails(2, f"./study reproduce {options}", said, "/p/counterparts.csv:")


if __name__ == "__main__":
    done("./make_training_results $DIR/made")
    MADE = Maker(DIR / "made")
    for make in (add_pooling, add_technologies, add_networks, add_forecasts, add_faces):
        make(MADE)
    ROWS = Table()
    sys.exit(main(
        times, launches_are_counted, ratios, shares, units_are_converted, one_is_not_above_one, suspect_decides_nothing,
        intervals_of_shares, figures_have_their_own_batches, counts, memory, trainings, what_was_not_measured,
        figures, findings_of_devices, findings_of_points, sentences_are_translated, every_row_once,
        formats_have_the_published_digits, the_report_links_to_the_page, the_committed_page,
        bad_counterparts_are_refused, totals_over_parts, a_gpu_is_asked_for_once, answers_have_decimals))
