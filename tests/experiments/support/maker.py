"""Result sets of made-up samples that scatter about times of a known law, for tests, never for results. A point is a
dictionary by the names of columns; a law returns the seconds of a point's phases by theirs. A program of such sets is
    make_NAME.py FOLDER [equal]
With "equal" every point takes the same time, whatever the law says."""
import csv
import math
import pathlib
import random
import re
import sys

RECORDS = pathlib.Path(__file__).resolve().parents[3] / "harness/records"
LAUNCHES, EQUAL_LAUNCHES, SAMPLES = 5, 8, 10
EQUAL_S = 1e-3  # the total time of every point, if all are equal
LAUNCH_NOISE, SAMPLE_NOISE, OUTLIERS = 0.008, 0.01, 0.02  # two standard deviations and a probability
SCATTERED = "distribute_s compute_s product_s collect_s allocate_s total_s".split()


def columns(file, pattern):
    """Returns the names of the columns that a file of harness/records declares, and their numbers if they have any."""
    found = re.findall(pattern, (RECORDS / file).read_text(encoding="utf-8"), re.M)
    if not found:
        sys.exit(f"maker.py: {file} declares no column as {pattern}")
    return found


NUMBERED = columns("columns.inc", r'^(?:TEXT|INTEGER|REAL|PHASE|LAUNCH_PHASE)\((?:\w+, )+"(\w+)", (\d+)')
COLUMNS = {
    "": [name for name, number in sorted(NUMBERED, key=lambda column: int(column[1]))],
    ".layers": columns("layer_record.c", r"^    (?:TEXT|INT|REAL)\((\w+), "),
    ".training": columns("training_record.c", r"^    (?:TEXT|INT|REAL)\((\w+),"),
    ".timeline": columns("timeline.c", r"^    COLUMN\((\w+), COLUMN_")}


def powers(first, last, factor=2):
    """Returns first, first * factor, ... up to last."""
    return [first] + powers(first * factor, last, factor) if first <= last else []


def point(space, method, /, **others):
    """Returns a point of maxpool_SPACE with one worker, 1024 x 1024, k = s = 2, except for the `others`."""
    return {"program": f"maxpool_{space}", "space": space, "method": method, "operator": "maxpool", "pad_mode": "zero",
            "filter": "identity", "input": "random", "launch": "plain", "bind": "none", "isa": "x86-64",
            "host": "example", "commit": "0123456789ab", "time_utc": "2026-01-01T00:00:00Z", "verified": "exact",
            "planes": 1, "rows": 1024, "cols": 1024, "kernel": 2, "stride": 2, "padding": 0, "max_value": 9, "ranks": 1,
            "threads": 1, "nodes": 1, "setup_s": 0.001, **others}


def network_point(space, network, images, side, method="auto", /, **others):
    """Returns a point of network_SPACE with one worker: a batch of images of side x side, in colour from 64 pixels on,
    or of vectors of `side` values."""
    vectors = network.startswith("mlp")
    planes = 1 if vectors else images * (3 if side >= 64 else 1)
    return point(space, method, **{
        "program": f"network_{space}", "operator": "network", "weights": "seeded", "verified": "bound",
        "network": network, "pad_mode": "", "filter": "", "kernel": None, "stride": None, "padding": None,
        "batch": images, "planes": planes, "rows": images if vectors else side, "cols": side, **others})


def gpu(**others):
    """Returns what a point on the made-up GPU has instead of workers."""
    return {"ranks": None, "threads": None, "nodes": None, "device": "made-up GPU", "throttle": "none", **others}


class Noise:
    """The random numbers of synthetic.c: GSL's Mersenne Twister and its polar method."""

    def __init__(self, seed):
        state = [seed]
        for i in range(1, 624):
            state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) % 2**32)
        self.generator = random.Random()
        self.generator.setstate((3, (*state, 624), None))

    def uniform(self):
        return self.generator.getrandbits(32) / 2**32

    def positive(self):
        return self.uniform() or self.positive()

    def gaussian(self, sigma):
        while True:
            x, y = 2 * self.positive() - 1, 2 * self.positive() - 1
            square = x * x + y * y
            if 0 < square <= 1:
                return sigma * y * math.sqrt(-2 * math.log(square) / square)

    def launch(self):
        """Returns the samples of a launch whose true time is 1."""
        level = math.exp(self.gaussian(LAUNCH_NOISE))
        self.uniform()
        values = []
        for _ in range(SAMPLES):
            value = level * math.exp(self.gaussian(SAMPLE_NOISE))
            values.append(value * (1.5 + 3.5 * self.uniform()) if self.uniform() < OUTLIERS else value)
        return values


def seed_of(experiment):
    """Returns a seed for the images of an experiment, so that no two experiments measure the same point: such a point
    would have the launches of both."""
    seed = 35
    for byte in experiment.encode():
        seed = (31 * seed + byte) % 100003
    return seed


def equal_launch(number, launch):
    """A scatter of at most 0.8 % that differs between points and rounds, in which no point is faster than another in
    more than two rounds together, nor in its even or its odd ones."""
    own = 0.002 * (1 + number % 5)
    return [1 + (own if launch // 2 % 2 else -own)] * SAMPLES


def text_of(value):
    if isinstance(value, str):
        return value
    return "" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value)


def cells_of(rows, kind):
    """Turns rows, dictionaries that may lack columns, into the cells of a file of the kind."""
    places = {name: place for place, name in enumerate(COLUMNS[kind])}
    for row in rows:
        cells = [""] * len(places)
        for name, value in row.items():
            cells[places[name]] = text_of(value)
        yield cells


class Maker:
    def __init__(self, folder, equal=False):
        self.folder, self.equal = pathlib.Path(folder), equal
        self.launches = EQUAL_LAUNCHES if equal else LAUNCHES
        self.noise = Noise(35)
        self.runs = self.points = 0
        self.folder.mkdir(parents=True, exist_ok=True)

    def append(self, experiment, kind, rows):
        """Appends rows to the experiment's file of a kind of COLUMNS."""
        path = self.folder / f"{experiment}{kind}.csv"
        begins = not path.exists()
        with open(path, "a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            if begins:
                writer.writerow(COLUMNS[kind])
            writer.writerows(cells_of(rows, kind))

    def add(self, experiment, law, points, launches=None, images_of=None):
        """Writes the launches of points with 1 % noise; their images are those of the experiment `images_of`, or its
        own."""
        seed = seed_of(images_of or experiment)
        for each in points:
            truth = {**each, **law(each), "experiment": experiment, "seed": seed}
            if self.equal:
                truth.update(scaled(truth, EQUAL_S / truth["total_s"]))
            self.points += 1
            for launch in range(launches or self.launches):
                self.append(experiment, "", self.launch(truth, experiment, launch))

    def add_exact(self, experiment, truth, launches, samples, seconds):
        """Writes launches of a point whose samples take seconds(round, sample)."""
        for launch in range(launches):
            of_launch = {**truth, "experiment": experiment, "seed": 35, "round": launch, "warmup": 0,
                         "run_id": f"{self.folder.name}-{experiment}-{self.runs}"}
            self.append(experiment, "", ({
                **of_launch, "sample": i, "total_s": seconds(launch, i), "compute_s": seconds(launch, i),
                "stop_reason": "samples" if i == samples - 1 else ""} for i in range(samples)))
            self.runs += 1

    def launch(self, truth, experiment, launch):
        values = equal_launch(self.points, launch) if self.equal else self.noise.launch()
        texts = {name: text_of(value) for name, value in truth.items()}
        texts.update(run_id=f"{experiment}-{self.runs}", round=str(launch))
        self.runs += 1
        for sample in range(-1, SAMPLES):  # first a warm-up
            yield {**texts, **scaled(truth, values[max(sample, 0)]), "warmup": int(sample < 0),
                   "sample": max(sample, 0), "stop_reason": "relative_ci" if sample == SAMPLES - 1 else ""}


def scaled(truth, factor):
    """Scales all phases of a sample by the same factor as its total."""
    return {name: factor * truth[name] for name in SCATTERED if truth.get(name) is not None}


def main(make):
    """Runs a program that makes results up by make(maker)."""
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["equal"]):
        sys.exit(f"usage: {sys.argv[0]} FOLDER [equal]")
    make(Maker(sys.argv[1], len(sys.argv) == 3))
