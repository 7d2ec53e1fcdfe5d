"""Recomputes every number in every sentence of a report from the samples and the derived files. It shares no code
with the program that wrote the report. A time is the median over launches of each launch's median; a ratio is the
median of the ratios within rounds, and its interval contains the quotient of the two times. A point has the launches
of all experiments of the folder. A number that no rule explains fails, and so does a sentence.
Usage: test_report_numbers.py BUILD_FOLDER [RESULTS]; RESULTS is a folder, of which a copy is read, or the name of a
program in BUILD_FOLDER/bin that makes results up (default make_results)."""

import collections
import csv
import functools
import glob
import gzip
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "%": 0.01, "": 1.0}
IDENTITY = (
    "operator space method offload filter_memory distribution host_memory input network task data strategy gradient "
    "isa_limit planes rows cols kernel stride padding ranks threads images batch").split()
NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?"
UNIT = r"(?: (?:ms|µs|ns|s|%)(?![\w%]))?"
SHOWN = rf"{NUMBER}(?: \[{NUMBER}, {NUMBER}\]| to {NUMBER})?{UNIT}"  # "19.2 [18.7, 19.8] ms", "12.1 to 20.8", "7"
DOUBT = r"(?: \((?:SUSPECT|INVALID)\))?"
PAIRS_LEAST = 6  # with fewer, the median of pairs has no 95 % interval


class Wrong(Exception):
    """Raised if a number differs from the data."""


class Roughly(float):
    """An end of an interval that the program draws at random: known to a few percent of the value or of the interval."""


def number(text):
    """Returns the number in a table cell; NaN if it is empty."""
    return float(text) if text else math.nan


def agrees(shown, value):
    """True if the printed digits are those of the rounded value; if it lies halfway, the last one may differ."""
    digits = len(shown.split("e")[0].split(".")[1]) if "." in shown else 0
    exponent = int(shown.split("e")[1]) if "e" in shown else 0
    half = 0.5 * 10.0 ** (exponent - digits)
    return abs(float(shown) - value) <= half * 1.02 + 2e-9 * abs(value)


def expect(what, shown, value):
    """Checks one number."""
    if math.isnan(value) or not agrees(shown, value):
        raise Wrong(f"{what}: {shown} is reported where the data give {value:.6g}")


DRAWN = []  # ends of intervals found in the current sentence that are known only roughly


def near(shown, end, value):
    """True if a drawn end is within a fifth of its distance from the value, plus 3 %."""
    DRAWN.append(end)
    if min(shown, end, value) > 0.0:
        return abs(math.log(shown / end)) <= 0.03 + 0.2 * abs(math.log(end / value))
    return abs(shown - end) <= 0.03 * abs(value) + 0.2 * abs(end - value)


def expect_shown(what, text, value, interval=(math.nan, math.nan)):
    """Checks a value with its interval, the ends alone, or the value alone, in the printed unit."""
    unit = text.split(" ")[-1] if text.split(" ")[-1] in UNITS else ""
    numbers = re.findall(NUMBER, text)
    scaled = [x / UNITS[unit] for x in (value, *interval)]
    if " to " in text:
        numbers.insert(0, None)
    if numbers[0]:
        expect(what, numbers[0], scaled[0])
    if len(numbers) == 1:
        return
    if isinstance(interval[0], Roughly):
        for shown, end in zip(numbers[1:], scaled[1:]):
            if not near(float(shown), end, scaled[0]):
                raise Wrong(f"an end of {what}: {shown} is reported where about {end:.3g} is to be expected")
        return
    expect(f"lower end of {what}", numbers[1], scaled[1])
    expect(f"upper end of {what}", numbers[2], scaled[2])


def median_ranks(count, confidence=0.95):
    """Returns the ranks, from 1, of the ends of the exact interval of a median with at least this coverage."""
    rank, below = 0, 0.0
    while rank < count // 2:
        below += math.comb(count, rank) / 2.0**count
        if 1.0 - 2.0 * below < confidence:
            break
        rank += 1
    return rank, count + 1 - rank


class Launch:
    """One start of a program for one point: medians of its samples."""

    def __init__(self, rows):
        self.run, self.round, self.host = rows[0]["run_id"], rows[0]["round"], rows[0]["host"]
        phases = ("compute", "total", "exchange", "forward", "loss", "backward", "update")
        self.samples = {c: [number(r.get(c + "_s")) for r in rows] for c in phases}
        self.seconds = {c: statistics.median(values) for c, values in self.samples.items()}


class Point:
    """A row of the derived points with its launches."""

    def __init__(self, row, launches):
        self.row, self.launches = row, launches
        self.method, self.workers = row["method"], number(row["workers"])
        self.usable = row["status"] not in ("INVALID", "SIMULATED") and self.value("total_s") > 0.0
        self.shares = row["shares_cores"] == "1"

    def value(self, column):
        """Returns a derived column as a number."""
        return number(self.row[column])

    def seconds(self, metric):
        """Returns the time, computed from the samples, and its derived interval."""
        times = [launch.seconds[metric] for launch in self.launches]
        value = statistics.median(times) if times else self.value(f"{metric}_s")
        return value, (self.value(f"{metric}_lower_s"), self.value(f"{metric}_upper_s"))

    def common(self, metric):
        """Returns the effect that rounds share: how much wider the interval is than that of its launches, in
        logarithms."""
        times = sorted(launch.seconds[metric] for launch in self.launches)
        if len(times) < PAIRS_LEAST:
            return 0.0
        value, (_, upper) = self.seconds(metric)
        own = math.log(times[median_ranks(len(times))[1] - 1] / value)
        return math.sqrt(max(math.log(upper / value) ** 2 - own**2, 0.0))

    def problem(self):
        """Returns the problem as sentences name it."""
        r = self.row
        if r["network"]:
            side = f", {r['rows']} × {r['cols']}" if r["planes"] != "1" or r["rows"] == r["cols"] else ""
            return r["network"] + side + (f", batch {images_of(r)}" if number(images_of(r)) > 1 else "")
        if r["input"] not in ("random", ""):
            text = r["input"].split("/")[-1]
        elif r["rows"] == r["cols"] and number(r["planes"]) <= 1:
            text = f"n = {r['rows']}"
        else:
            text = (f"{r['planes']} × " if number(r["planes"]) > 1 else "") + f"{r['rows']} × {r['cols']}"
        if number(r["kernel"]) > 0:
            text += f", k = {r['kernel']}" + (f", s = {r['stride']}" if r["stride"] != r["kernel"] else "")
        text += f", p = {r['padding']}" if number(r["padding"]) > 0 else ""
        return text + {"image": ", data gradient", "weights": ", weight gradient"}.get(r["gradient"], "")

    def same_problem(self, other):
        """True if image, window and filter are the same."""
        return all(self.row[c] == other.row[c] for c in (
            "operator", "input", "planes", "rows", "cols", "kernel", "stride", "padding", "gradient", "network",
            "platform"))

    def team(self):
        """Returns the workers as sentences name them."""
        ranks, threads = number(self.row["ranks"] or "1"), number(self.row["threads"] or "1")
        if math.isnan(self.workers):
            return "a GPU"
        if self.workers == 1:
            return "1 worker"
        if ranks > 1 and threads > 1:
            return f"{ranks:.0f} ranks × {threads:.0f} threads"
        return f"{self.workers:.0f} {'ranks' if ranks > 1 else 'threads'}"

    def program(self):
        """Returns the first word of its label."""
        return self.row["label"].split()[0]

    def asked(self, column):
        """Returns its own value of a column of the samples."""
        return self.program() if column == "program" else self.row[column]

    def way(self):
        """Returns method and distribution."""
        return f"{self.method} {self.row['distribution']}".strip()


class Choice:
    """The fastest of several points, timed by the rounds of the half that did not choose it."""

    def __init__(self, point, timed):
        self.point, self.timed, self.row, self.launches = point, timed, point.row, point.launches
        self.method, self.workers = point.method, point.workers

    def team(self):
        """Returns the workers of the named point."""
        return self.point.team()

    def seconds(self, metric):
        """Returns the median over the rounds of both halves, and its interval."""
        times = sorted(launch.seconds[metric] for half in (0, 1) for launch in self.timed[half].launches
                       if half_of(launch) == half)
        lower, upper = median_ranks(len(times), 0.975 if len(times) > 6 else 0.95)
        value, width = statistics.median(times), self.point.common(metric)
        ends = [math.hypot(math.log(times[i - 1] / value), width) for i in (lower, upper)]
        return value, (value * math.exp(-ends[0]), value * math.exp(ends[1]))


def half_of(launch):
    """0 for even rounds, 1 for odd ones."""
    return int(launch.round) & 1


def choose(points, first=min):
    """Returns the fastest point (max: the slowest) if both halves of the rounds choose the same point, otherwise a
    Choice."""
    if not points:
        raise Wrong("no point of the experiment may be the fastest")
    sure = [p for p in points if p.row["status"] != "SUSPECT"] or points
    best = first(sure, key=lambda p: p.value("total_s"))
    if any(len(p.launches) < PAIRS_LEAST or any(not launch.round for launch in p.launches) for p in points):
        return best
    chosen = []
    for half in (0, 1):
        times = [[x.seconds["total"] for x in p.launches if half_of(x) == half] for p in sure]
        if not all(times):
            return best
        chosen.append(sure[first(range(len(sure)), key=lambda i: statistics.median(times[i]))])
    return chosen[0] if chosen[0] is chosen[1] else Choice(best, (chosen[1], chosen[0]))


def partner(launch, mine, other):
    """Returns the launch of `other` that `launch`, one of `mine`, is compared with, or None."""
    near = [o for o in other if o.round == launch.round and o.host == launch.host]
    together = [o for o in near if o.run and o.run == launch.run]
    if together:
        return together[0]
    place = [m for m in mine if m.round == launch.round and m.host == launch.host].index(launch)
    return near[place] if launch.round and place < len(near) else None


RESAMPLES = 1000


def deviations(launches, metric):
    """Returns deviations of the logarithm of a time, for launches drawn with replacement or the samples of a single
    launch, and the degrees of freedom."""
    rng = random.Random(1)
    if len(launches) == 1:
        values = sorted(math.log(x) for x in launches[0].samples[metric])
        half = 0.5 * (len(values) + 1)
        drawn = [values[min(len(values) - 1, int(rng.betavariate(half, half) * len(values)))] for _ in range(RESAMPLES)]
        widen = 1.0
    else:
        values = [math.log(launch.seconds[metric]) for launch in launches]
        drawn = [statistics.median(rng.choices(values, k=len(values))) for _ in range(RESAMPLES)]
        widen = math.sqrt(len(values) / (len(values) - 1))
    middle = statistics.median(values)
    return [widen * (x - middle) for x in drawn], len(values) - 1


@functools.lru_cache(maxsize=None)
def student(freedom):
    """Returns the 97.5 % quantile of Student's distribution; with t = sqrt(v) tan(angle) the density is cos^(v-1)."""
    steps = 20000
    heights = [math.cos(math.pi / 2 * (i + 0.5) / steps) ** (freedom - 1.0) for i in range(steps)]
    below, total = 0.0, sum(heights)
    for i, height in enumerate(heights):
        below += height
        if below >= 0.95 * total:
            return math.sqrt(freedom) * math.tan(math.pi / 2 * (i + 1) / steps)
    return math.inf


@functools.lru_cache(maxsize=None)
def rough_ratio(p, q, metric):
    """Returns the ratio of two independent medians and the quantiles for resampled launches, widened like Student's
    distribution if there are few launches."""
    value = p.seconds(metric)[0] / q.seconds(metric)[0]
    if not p.launches or not q.launches:
        return value, (math.nan, math.nan)
    (over_p, free_p), (over_q, free_q) = deviations(p.launches, metric), deviations(q.launches, metric)
    if min(free_p, free_q) < 1:
        return value, (math.nan, math.nan)
    random.Random(2).shuffle(over_q)
    u, v = statistics.pvariance(over_p, 0.0), statistics.pvariance(over_q, 0.0)
    parts = u * u / free_p + v * v / free_q
    widen = student((u + v) ** 2 / parts if parts > 0.0 else min(free_p, free_q)) / 1.959963984540054
    logs = sorted(x - y for x, y in zip(over_p, over_q))
    ends = (logs[RESAMPLES // 40], logs[-1 - RESAMPLES // 40])
    return value, tuple(Roughly(value * math.exp(widen * end)) for end in ends)


def ratios_within_rounds(p, q, metric="total"):
    """Returns the sorted logarithms of seconds of p over those of q, half by half for a Choice, and whether one is a
    Choice."""
    logs, split = [], isinstance(p, Choice) or isinstance(q, Choice)
    for half in (0, 1) if split else (None,):
        over, under = (x.timed[half] if isinstance(x, Choice) else x for x in (p, q))
        for launch in over.launches:
            other = partner(launch, over.launches, under.launches) if half in (None, half_of(launch)) else None
            if other:
                logs.append(math.log(launch.seconds[metric] / other.seconds[metric]))
    return sorted(logs), split


def ratio(p, q, metric="total"):
    """Returns seconds of p over those of q: the median within rounds with its exact interval, or the ratio of medians."""
    logs, split = ratios_within_rounds(p, q, metric)
    if p is q:
        return 1.0, (1.0, 1.0)
    if len(logs) < PAIRS_LEAST:
        return rough_ratio(p, q, metric)
    lower, upper = median_ranks(len(logs), 0.975 if split and len(logs) > 6 else 0.95)
    named = [getattr(x, "point", x).seconds(metric)[0] for x in (p, q)]
    quotients = [p.seconds(metric)[0] / q.seconds(metric)[0], named[0] / named[1]]
    ends = (min(math.exp(logs[lower - 1]), *quotients), max(math.exp(logs[upper - 1]), *quotients))
    return math.exp(statistics.median(logs)), ends


def as_now(row):
    """Converts a row of samples of earlier versions, which stored the batch of a network in another column."""
    if row.get("operator") == "network" and row.get("images"):
        row["batch"], row["images"] = row["images"], ""
    return row


def images_of(row):
    """Returns the number of images of a sample: pictures that are compared, or else those of a batch."""
    return row["images"] or row["batch"]


def read(path):
    """Returns the rows of a CSV file; none if it is missing."""
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            return [as_now(row) for row in csv.DictReader(file)]
    if os.path.exists(path + ".gz"):
        with gzip.open(path + ".gz", "rt", encoding="utf-8", newline="") as file:
            return [as_now(row) for row in csv.DictReader(file)]
    return []


read_once = functools.lru_cache(maxsize=None)(read)

# Columns in which launches of one point may differ; all other columns before run_id name the point.
OF_A_LAUNCH = {"experiment", "isa", "binding", "pages", "row_s", "epoch", "step", "device", "cache"}


def point_of(row):
    """Returns what rows of the same point have in common, across experiments."""
    columns = list(row)[: list(row).index("run_id")]
    return tuple(row[c] for c in columns if c not in OF_A_LAUNCH)


POINT_NUMBERS = {}  # numbers of all points found so far


def number_of_point(row):
    """Returns the number of the row's point."""
    return POINT_NUMBERS.setdefault(point_of(row), len(POINT_NUMBERS))


@functools.lru_cache(maxsize=None)
def measured_once(path):
    """Returns the samples of a file in order, without warm-ups and simulated ones: each with the number of its point, the
    words that name it, and its launch. Cached, since all experiments of the folder read each file."""
    measured = []
    for row in read_once(path):
        if row["warmup"] == "0" and row["platform"] == "":
            key = tuple(row.get(c) or "" for c in IDENTITY)
            measured.append((number_of_point(row), key, (row["run_id"], row["round"]), row))
    return measured


class Experiment:
    """The samples and derived files of one experiment, and launches of its points from other experiments of the
    folder."""

    def __init__(self, folder, name, names):
        self.name = name
        self.ratios = read(f"{folder}/analysis/{name}.ratios.csv")
        self.training = read(f"{folder}/{name}.training.csv")
        self.timeline = read(f"{folder}/{name}.timeline.csv")
        launches = collections.defaultdict(lambda: collections.defaultdict(list))
        self.samples = read_once(f"{folder}/{name}.csv")
        own = {}  # host and commit of each point's first sample: others' launches count if these are the same
        for row in self.samples:
            own.setdefault(number_of_point(row), (row["host"], row["commit"]))
        for other in [name] + [n for n in names if n != name]:
            known = {key: set(of) for key, of in launches.items()}
            for point, key, launch, row in measured_once(f"{folder}/{other}.csv"):
                alike = other == name or own.get(point) == (row["host"], row["commit"])
                if alike and launch not in known.get(key, ()):
                    launches[key][launch].append(row)
        rows = read(f"{folder}/analysis/{name}.points.csv")
        counts = collections.Counter(tuple(row[c] for c in IDENTITY) for row in rows)
        self.points = []
        for row in rows:
            key = tuple(row[c] for c in IDENTITY)
            known = [Launch(r) for r in launches[key].values() if r[-1]["stop_reason"]] if counts[key] == 1 else []
            self.points.append(Point(row, known if len(known) == number(row["launches"]) else []))

    def find(self, **wanted):
        """Returns usable points with these attributes: problem, team, way, method."""
        return [p for p in self.points if p.usable and all(
            (getattr(p, k)() if callable(getattr(p, k)) else getattr(p, k)) == v for k, v in wanted.items())]

    def one(self, what, points):
        """Returns the fastest of the points; there must be at least one."""
        if not points:
            raise Wrong(f"no point of {self.name} is {what}")
        return min(points, key=lambda p: p.value("total_s"))


# ---- the rules: a sentence, and what its numbers are -----------------------------------------------------------

RULES = []


def rule(pattern):
    """Registers a function for the sentences that match the pattern; <T> stands for a printed value."""

    def register(function):
        RULES.append((re.compile("(?:" + pattern.replace("<T>", SHOWN).replace("<D>", DOUBT) + r")\Z"), function))
        return function

    return register


def rivals(e, problem, kind=None, team=None, serial=False):
    """Returns our points from which a sentence about the fastest chooses."""
    peers = {row["peer"] for row in e.ratios}
    return [p for p in e.find(problem=problem, shares=False)
            if not p.row["isa_limit"] and p.method not in peers and kind in (None, p.row["kind"])
            and (team is None or (p.workers > 1) == (team != "1 worker"))
            and (not serial or p.row["space"] == "serial")]


def expect_gain(e, shown, best, kind="named"):
    """Checks the gain over the named baseline; for a Choice, by other rounds than those that chose."""
    if isinstance(best, Choice):
        expect_shown(f"gain of {best.method}", shown, *ratio(baseline(e, best, f"{kind}_baseline"), best))
    else:
        expect_speedup(e, shown, best, kind)


def over(point, column):
    """Returns a derived speedup with its interval."""
    return point.value(column), (point.value(column + "_lower"), point.value(column + "_upper"))


def baseline(e, p, column):
    """Returns the point with a baseline's label."""
    return e.one(p.row[column], [q for q in e.points if q.row["label"] == p.row[column]])


def expect_speedup(e, shown, p, kind):
    """Checks a speedup of the total time over a baseline: against the derived file, and from the samples."""
    value, interval = over(p, f"{kind}_total")
    expect_shown(f"{kind} of {p.row['label']}", shown, value, interval)
    if kind == "one":
        base = [q for q in e.points if q.workers == 1 and q.same_problem(p) and q.way() == p.way() and
                q.row["space"] == p.row["space"]]
    else:
        base = [q for q in e.points if q.row["label"] == p.row[f"{kind}_baseline"]]
    if len(base) == 1 and base[0].launches and p.launches:
        expect_shown(f"{kind} of {p.row['label']} by the samples", shown, *ratio(base[0], p))


# ---- what Amdahl's law allows ---


def bound(serial):
    """Returns Amdahl's bound for a serial fraction; infinite if it is zero or less."""
    return 1.0 / serial if serial > 0.0 else math.inf


def expect_bound(shown, serial, interval):
    """Checks a bound with the interval that follows from that of the serial fraction, or its lower end alone."""
    if shown.startswith("at least"):
        expect_shown("bound", shown.removeprefix("at least "), bound(interval[1]))
    elif shown != "none":
        expect_shown("bound", shown, bound(serial), (bound(interval[1]), bound(interval[0])))


def seconds_shown(text):
    return float(re.findall(NUMBER, text)[0]) * UNITS[text.split(" ")[-1]]


# ---- the first screen ---


def alike(e, points, shown, column="total_s"):
    """Returns the point whose time has the printed digits."""
    unit = shown.split(" ")[-1]
    fits = [p for p in points if agrees(re.findall(NUMBER, shown)[0], p.value(column) / UNITS[unit])]
    return e.one(shown, fits)


@rule(
    r"(?P<time><T>) (?P<method>[\w-]+), (?P<team>[^:]+): (?P<status>[A-Z]+)(?: ±(?P<spread>[\d.]+ %))?; (?:the baseline|"
    r"(?P<gain><T>) times as fast as (?P<base>[\w-]+))"
)
def card(e, m):
    """A time of the first screen, its interval, and its gain over the baseline."""
    p = None
    for problem in {q.problem() for q in e.points}:
        there = rivals(e, problem, "product", m["team"], m["team"] == "1 worker")
        q = choose(there) if there and m["gain"] else None
        if q and agrees(re.findall(NUMBER, m["time"])[0], q.seconds("total")[0] / UNITS[m["time"].split(" ")[-1]]):
            p = q if (q.method, q.team()) == (m["method"], m["team"]) else p
    p = p or alike(e, e.find(method=m["method"], team=m["team"], shares=False), m["time"])
    expect_shown("time", m["time"], p.seconds("total")[0])
    if p.row["status"] != m["status"]:
        raise Wrong(f"it is {p.row['status']}")
    if m["spread"]:
        expect_shown("spread", m["spread"], getattr(p, "point", p).value("half_width"))
    if m["gain"]:
        expect_gain(e, m["gain"], p)


@rule(
    rf"(?P<gain>{NUMBER}(?: to {NUMBER})?) × as fast as the baseline: the same product at (?P<problem>.+)"
)
def best_card(e, m):
    """The fastest method that computes the product, with several workers if there are some."""
    several = rivals(e, m["problem"], "product", "several")
    points = several or rivals(e, m["problem"], "product", "1 worker", True)
    expect_gain(e, m["gain"], choose(points or [e.one(m["problem"], [])]))


@rule(
    r"All times are of (?P<problem>.+?), from the experiment \"[^\"]+\"\. Taking the maximum alone, without the product, "
    r"(?P<method>\S+) needs (?P<time><T>) with (?P<team>[^()]+?)<D>\."
)
def alone(e, m):
    """The fastest method that computes the maximum alone."""
    best = choose(rivals(e, m["problem"], "maximum") or [e.one(m["method"], [])])
    if (best.method, best.team()) != (m["method"], m["team"]):
        raise Wrong(f"{best.method} with {best.team()} is the fastest")
    expect_shown("time", m["time"], *best.seconds("total"))


def amdahl(share, count):
    """Returns the speedup of `count` workers."""
    return 1.0 / (1.0 - share + share / count)


@rule(r"\| (?P<method>[\w-]+), (?P<program>\w+) \| (?P<time><T>)<D> \| (?P<times><T>) \|")
def stair(e, m):
    """A step from the Python loop to vectors: the time of one window, and the ratio within rounds."""
    first = e.one("python", [p for p in e.find(method="python") if p.program() == "maxpool_python"])
    steps = [p for p in e.find(method=m["method"]) if p.program() == m["program"] and p.same_problem(first)]
    step = e.one(m["method"], steps)
    value, interval = step.seconds("total")
    windows = (number(step.row["rows"]) // 2) ** 2
    expect_shown("time of a window", m["time"], value / windows, tuple(end / windows for end in interval))
    expect_shown("times as fast", m["times"], *ratio(first, step))


@rule(r"\| (?P<what>[^|]+) \| (?P<tesina>[^|]+) \| (?P<here>[^|]+) \|")
def beside(e, m):
    """A row of the table that compares the tesina's figures with ours."""
    staged = [p for p in e.find(team="1 worker") if p.row["space"] == "serial" and p.row["product_share"]]
    if not staged:
        raise Wrong(f"no point of {e.name} has a product")
    what, count = m["what"], re.match(r"\d+", m["what"])
    fixed = {"product": 0.5267, "compute": 0.8604, "f, the parallel fraction": 0.61, "Amdahl's bound": 2.5641}
    reasons = []
    if count and "by Amdahl" in what:
        fixed[what] = amdahl(0.61, int(count[0]))
    printed = m["tesina"].removesuffix(" (computed here)")
    if (printed != m["tesina"]) != (what == "Amdahl's bound" or "by Amdahl" in what):
        raise Wrong(f"'{m['tesina']}' of {what}: the tesina prints f and what f is made of, nothing else of this table")
    if printed != "-":
        if not re.fullmatch(NUMBER, printed):
            raise Wrong(f"'{printed}' of {what}: the tesina prints no unit")
        expect_shown("the tesina's", printed, fixed.get(what, math.nan))
    for p in staged:
        share = p.value("product_share")
        try:
            if what == "product":
                expect_shown(what, m["here"], p.value("product_s"))
            elif what == "compute":
                expect_shown(what, m["here"], *p.seconds("compute"))
            elif what == "f, the parallel fraction":
                expect_shown(what, m["here"], share, (p.value("product_share_lower"), p.value("product_share_upper")))
            elif what == "Amdahl's bound":
                lower, upper = p.value("product_share_lower"), p.value("product_share_upper")
                expect_bound(m["here"], 1.0 - share, (1.0 - upper, 1.0 - lower))
            elif "by Amdahl" in what:
                expect_shown(what, m["here"], amdahl(share, int(count[0])))
            else:
                team, method = re.fullmatch(r"(.+), measured with (.+)", what).groups()
                many = [q for q in e.find(team=team, method=method)
                        if q.same_problem(p) and q.row["one_total"] and not q.shares]
                expect_speedup(e, m["here"], e.one(what, many), "one")
            return
        except Wrong as why:
            reasons.append(str(why))
    raise Wrong("; ".join(reasons))


@rule(
    r"f is the product's share of the compute time of serial (?P<method>\S+) at (?P<problem>.+?)\. The tesina's f is "
    r"(?P<product>[\d.]+) / (?P<compute>[\d.]+) = (?P<share>[\d.]+), rounded to (?P<rounded>[\d.]+); the unit is not "
    r"printed there\. The bound is (?P<one>1) / "
    r"\((?P<same>1) - f\)\.(?: The measured speedup is [^.\d]*?that of (?P<team>.+?), within rounds\.)?(?P<more> The [^\d]*)?"
)
def explained(e, m):
    """The tesina's own figures."""
    for name, value in (("product", 0.5267), ("compute", 0.8604), ("share", 0.5267 / 0.8604), ("rounded", 0.61)):
        expect(name, m[name], value)
    e.one(m["problem"], e.find(problem=m["problem"], method=m["method"], team="1 worker"))
    if m["team"]:
        e.one(m["team"], [p for p in e.find(problem=m["problem"], team=m["team"]) if p.row["one_total"]])


PUBLISHED_FACES = {"reload": 1789.84, "once": 1350.054, "split": 760.707}  # seconds

# ---- selections -------------------------------------------------------------------------------------------------


FIXED = ("its 95 % interval", "at least 1 % of the time", "on rank 0 alone", "of 100 images that it has")  # numbers of texts, whatever the data


class Selection:
    """The rows of a chart's selection, and the points of its experiment by name."""

    def __init__(self, experiment, path):
        self.rows = [{**row, "label": row["label"].replace("‚", ",")} for row in read(path) if row["role"]]
        self.points = {p.row["point"]: p for p in experiment.points}
        self.training, self.timeline = experiment.training, experiment.timeline
        self.listed = [self.points[row["of"]] for row in self.rows if row["role"] == "listed"]
        self.name = os.path.basename(path)

    def timed(self, names):
        """Returns the point of a row, or the choice that was timed by the points after it."""
        points = [self.points[name] for name in names.split()]
        return Choice(points[0], points[1:]) if len(points) > 1 else points[0]

    def expected(self, row):
        """Returns value and interval of a time or of a ratio of times, from the samples, or the skill of a forecast after
        its last epoch; None: neither."""
        if row["role"] in ("skill", "further_skill"):
            scored = [r for r in self.training if r["what"] == "epoch" and r["persistence"] and r["images"] == row["x"]]
            last = max(scored, key=lambda r: int(r["epoch"]))
            return 1.0 - number(last["test_error"]) / number(last["persistence"]), None
        if self.name == "faces.faces.csv" and row["role"] in ("best", "minute", "other", "published", "memory", "more_memory"):
            return self.expected_of_faces(row)
        metric, _, kind = row["quantity"].partition("_")
        if not row["of"] or metric not in ("total", "compute", "image"):
            return None
        points = [self.timed(row[c]) for c in (("of", "against") if kind == "ratio" else ("of",))]
        value, ends = (ratio if kind == "ratio" else lambda p, metric: p.seconds(metric))(*points, metric.replace("image", "total"))
        images = [number(images_of(p.row) or "1") if metric == "image" else 1.0 for p in points]
        by = images[0] / (images[1] if kind == "ratio" else 1.0)
        return value / by, tuple(type(end)(end / by) for end in ends)

    def expected_of_faces(self, row):
        """Returns value and interval of a structure's gain over the first, of its peak memory in MiB, or of the seconds that
        the best takes for a minute of the first; a published gain is that of the published times."""
        if row["role"].endswith("memory"):
            of_structure = [r for r in self.timeline if r["label"] == self.points[row["of"]].method]
            return max(number(r["resident_bytes"]) for r in of_structure) / 1048576.0, None
        first, *others = self.listed
        structure = self.points.get(row["of"]) if row["role"] in ("other", "published") else choose(others)
        if row["role"] == "published":
            published = PUBLISHED_FACES[first.method] / PUBLISHED_FACES[structure.method]
            if not agrees(row["label"], published):
                return published, None
        gain, ends = ratio(first, structure)
        return (60.0 / gain, tuple(60.0 / end for end in reversed(ends))) if row["role"] == "minute" else (gain, ends)

    def fault(self):
        """Returns the first row whose number differs from that of the samples, or None."""
        for row in self.rows:
            expected = self.expected(row)
            if not expected:
                continue
            value, ends = expected
            shown = [number(row[c]) for c in ("y", "lower", "upper")]
            close = lambda a, b: math.isclose(a, b, rel_tol=1e-6) or (isinstance(b, Roughly) and near(a, b, value))
            DRAWN.clear()
            if not close(shown[0], value) or not all(map(close, shown[1:], ends or ())):
                return f"{self.name}: {row['role']} is {shown} where the data give {value:.6g} {ends}"
        return None

    def expect_number(self, shown):
        """Checks that a printed number, with its interval, is that of a row, to two digits at least; a percentage to
        those that are printed."""
        first, unit = float(re.findall(NUMBER, shown)[0]), shown.split(" ")[-1]
        for row in self.rows:
            y, ends = number(row["y"]), (number(row["lower"]), number(row["upper"]))
            alone = (math.nan, math.nan)
            label = number(row["label"] if re.fullmatch(NUMBER, row["label"]) else "")
            for value, interval in ((number(row["x"]), alone), (y, ends), (ends[0], alone), (ends[1], alone), (label, alone)):
                printed = (ends[0] if " to " in shown else value) / UNITS.get(unit, 1.0)
                rounded = 0.55 * 10.0 ** (len(shown) - len(shown.rstrip("0")))  # "about 19000"
                try:
                    if not shown.isdigit() or rounded < 1.0 or abs(first - value) > rounded:
                        expect_shown("number", shown, value, interval)
                except Wrong:
                    continue
                if unit == "%" or math.isclose(first, printed, rel_tol=0.048):
                    return
        raise Wrong(f"{self.name}: no row is {shown}")

    def expect_sentence(self, sentence):
        """Checks that every number of a sentence is of a row, or in a row's label."""
        words = {row["label"] for row in self.rows}
        words |= {text for row in self.rows if row["of"] for p in [self.timed(row["of"])]
                  for text in (getattr(p, "point", p).problem(), p.team(), p.method, p.row["network"],
                               f"{p.row['rows']} × {p.row['cols']}")}
        for text in sorted(words | set(FIXED), key=len, reverse=True):
            sentence = sentence.replace(text, "") if re.search("[A-Za-z×]", text) else sentence
        for shown in re.finditer(r"(?<![\w.-])" + SHOWN, sentence):
            try:
                self.expect_number(shown[0])
            except Wrong:
                if " to " not in shown[0]:
                    raise
                for end in re.findall(NUMBER, shown[0]):  # no interval: from one place to another
                    self.expect_number(end)


def selections_of(folder, experiments):
    """Returns all selections of a folder."""
    found = []
    for e in experiments:
        for path in sorted(glob.glob(f"{glob.escape(folder)}/analysis/{e.name}.*.csv")):
            with open(path, encoding="utf-8") as file:
                if file.readline().startswith("role,"):
                    found.append(Selection(e, path))
    return found


def explaining(sentence):
    """Returns the selections of which each explains every number of a sentence and of its plain words."""
    found = []
    for selection in SELECTIONS:
        try:
            selection.expect_sentence(sentence)
            found.append(selection)
        except Wrong:
            pass
    return found


SELECTIONS = []


# ---- tables of points -------------------------------------------------------------------------------------------


def tables_of(page):
    """Returns each table of points: the finding above it ("" if it is above its section), the header, the rows."""
    found, finding, open_ = [], "", False
    for line in re.sub(r"\\(.)", r"\1", page).splitlines():
        cells = [cell.strip("* ") for cell in line.strip("|").split(" | ")] if line.startswith("|") else []
        finding = "" if line.startswith("#") else line.strip("*") if re.fullmatch(r"\*\*.+\*\*", line) else finding
        if cells[:2] == ["program", "method"]:
            found.append((finding, cells, []))
        elif cells and open_ and not line.startswith("|-"):
            found[-1][2].append(cells)
        open_ = cells[:2] == ["program", "method"] or (open_ and bool(cells))
    return found


def expect_last(header, shown, p, best):
    """Checks the last cell of a row against its point; intervals of several comparisons are simultaneous ones."""
    compared = re.match(rf"(?P<more>{NUMBER}) % longer|(?P<less>{NUMBER}) % shorter|(?P<times>{NUMBER}) times as long", shown)
    if header == "compared with the best" and compared:
        value = ratio(p, best)[0]
        for kind, percent in (("more", 100.0 * (value - 1.0)), ("less", 100.0 * (1.0 - value)), ("times", value)):
            if compared[kind]:
                expect(shown, compared[kind], percent)
    elif header == "total per image":
        expect_shown(header, shown, p.value("image_s"))
    elif header.startswith("compute per "):
        expect_shown(header, shown, p.seconds("compute")[0] / p.value("windows"))
    elif header == "of the limit":
        expect_shown(header, shown, *over(p, "roof_share"))
    elif header.startswith("times as fast as with one worker"):
        expect_shown(header, shown, *over(p, "one_total"))


def expect_row(header, cells, p, best):
    """Checks that a row of a table shows a point."""
    shown = dict(zip(header, cells))
    time = re.fullmatch(rf"(?:({NUMBER} \S+)(?: ±({NUMBER} %))?|between ({NUMBER} \S+) and ({NUMBER} \S+))"
                        r"\s*(?:\((\w+)\))?", shown["total time"])
    own = (p.program(), p.method, p.team())
    if not time or (shown["program"], re.split("[ ,]", shown["method"])[0], shown["workers"]) != own:
        raise Wrong(f"{cells} is not {own}")
    if time[1]:
        expect_shown("time", time[1], p.seconds("total")[0])
    elif not seconds_shown(time[3]) < p.seconds("total")[0] < seconds_shown(time[4]):
        raise Wrong(f"the median is not between {time[3]} and {time[4]}")
    if time[2]:
        expect_shown("spread", time[2], p.value("half_width"))
    if (time[5] or "") != (p.row["status"] if p.row["status"] in ("SUSPECT", "INVALID") else ""):
        raise Wrong(f"{cells} is {p.row['status']}")
    expect_last(header[-1], cells[-1], p, best)


def expect_table(header, rows, points, whole):
    """Checks that the rows of a table are these points, or, unless `whole`, some of them."""
    left = list(points)
    sure = [p for p in left if p.row["status"] != "SUSPECT"] or left
    best = min(sure, key=lambda p: p.value("total_s"))
    for cells in rows:
        reasons = []
        for p in left:
            try:
                expect_row(header, cells, p, best)
                left.remove(p)
                break
            except Wrong as why:
                reasons.append(str(why))
        else:
            near = [r for r in reasons if "is not" not in r]
            raise Wrong(f"{' | '.join(cells)}: {near[0] if near else 'not a row of its chart'}")
    if whole and left:
        raise Wrong(f"{left[0].row['label']} is not in the table")


def check_tables(page, experiments):
    """Returns what is wrong with tables of points: each has the points that the selection of its finding lists."""
    wrong = []
    for finding, header, rows in tables_of(page):
        lists = [(s.listed, True) for s in (explaining(finding) if finding else SELECTIONS) if s.listed]
        reasons = []
        for points, whole in lists or [(e.points, False) for e in experiments]:
            try:
                expect_table(header, rows, points, whole)
                break
            except Wrong as why:
                reasons.append(str(why))
        else:
            wrong.append(f"the table of {finding or 'a section'}\n    {reasons[0]}")
    return wrong


# ---- sentences --------------------------------------------------------------------------------------------------


def unexplained(match):
    """Returns the numbers of a sentence outside all groups of its match."""
    spans = [match.span(name) for name in match.groupdict() if match[name]]
    return [n[0] for n in re.finditer(r"(?<![\w.-])" + NUMBER, match.string)
            if not any(a <= n.start() and n.end() <= b for a, b in spans)]


PLAIN = "In plain words: "


REPRODUCED = []  # rows of `study reproduce`


@rule(
    r"Verdicts on claims \((?P<claims>\d+)\) by what was measured or computed here: agrees (?P<agrees>\d+), disagrees "
    r"(?P<disagrees>\d+), undecided (?P<undecided>\d+), not comparable (?P<incomparable>\d+), needs a GPU (?P<gpu>\d+)\."
)
def reproduction(_, m):
    """How many claims have each verdict."""
    verdicts = collections.Counter(row["state"] for row in REPRODUCED if row["id"].startswith("claims:"))
    expect("claims", m["claims"], sum(verdicts.values()))
    expect("agrees", m["agrees"], verdicts["agrees"])
    expect("disagrees", m["disagrees"], verdicts["disagrees"])
    expect("undecided", m["undecided"], verdicts["undecided"])
    expect("incomparable", m["incomparable"], verdicts["not comparable"])
    expect("gpu", m["gpu"], verdicts["needs a GPU"])


def counterparts(source):
    """Returns the counterpart of each published row, by `file:line`, with the values in braces filled in."""
    with open(f"{source}/data/published/counterparts.csv", encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    beside = {}
    for name in {c["file"] for c in table}:
        with open(f"{source}/data/published/{name}.csv", encoding="utf-8", newline="") as file:
            for line, row in enumerate(csv.DictReader(file), 2):
                for c in table:
                    where = [x.split("=", 1) for x in c["where"].split(";") if x]
                    if (c["file"] == name and c["item"] in ("*", row["item"]) and
                            c["quantity"] in ("*", row.get("quantity", "")) and
                            all(row[k.strip()] == v for k, v in where)):
                        filled = {k: re.sub(r"{(\w+)}", lambda m, r=row: r[m[1]], v) for k, v in c.items()}
                        beside[f"{name}:{line}"] = filled
    return beside


def wanted_point(e, words):
    """Returns the point of the largest image that meets the words, the fastest among equals."""
    conditions = [word.split("=", 1) for word in words.split()]
    fitting = [p for p in e.points if p.usable and not p.row["isa_limit"] and
               all(p.asked(k) == v for k, v in conditions)]
    if not fitting:
        return None
    largest = [p for p in fitting if p.value("elements") == max(q.value("elements") for q in fitting)]
    return choose(largest)


def reproduced_value(e, c):
    """Returns value and interval of a measure of an experiment; None if it is computed differently, or there is no
    point."""
    name, *words = c["measure"].split()
    points = [wanted_point(e, words) for words in c["point"].split(" / ")]
    images = [number(images_of(p.row) or "1") for p in points if p]
    if not all(points) and name != "speedup":
        return None
    named = getattr(points[0], "point", points[0])
    share = lambda: (named.value("product_share"), (named.value("product_share_lower"), named.value("product_share_upper")))
    if name in ("total", "compute"):
        return points[0].seconds(name)
    if name == "image":
        value, interval = points[0].seconds("total")
        return value / images[0], tuple(end / images[0] for end in interval)
    if name == "share":
        return share()
    if name == "amdahl":
        value, interval = share()
        return amdahl(value, float(words[0])), tuple(amdahl(end, float(words[0])) for end in interval)
    if name in ("ratio", "image_ratio"):
        value, interval = ratio(*points)
        by = images[1] / images[0] if name == "image_ratio" else 1.0
        return value * by, tuple(type(end)(end * by) for end in interval)  # as roughly known as before
    if name == "speedup" and any(points):
        point = [p for p in points if p][0]
        if isinstance(point, Choice) or not point.row["one_total"]:
            return None  # a ratio to a Choice: by the rounds of two baselines
        return over(point, "one_total")
    return None


def check_reproduced(row, c, experiments):
    """Returns what is wrong with the measured value of a row, or None."""
    by_name = {e.name: e for e in experiments}
    for name in c["experiments"].split():
        expected = reproduced_value(by_name[name], c) if name in by_name else None
        if not expected:
            continue
        value, interval = expected
        if row["state"] != "measured" or row["experiment"] != name:
            return f"{row['id']}: {name} has such a point, and the row is {row['state']}"
        shown = (number(row["ours"]), number(row["lower"]), number(row["upper"]))
        if not math.isclose(shown[0], value, rel_tol=1e-5):
            return f"{row['id']}: {shown[0]} is reported where the data give {value:.6g}"
        for end, expected_end in zip(shown[1:], interval):
            rough = isinstance(expected_end, Roughly)
            if math.isnan(end) != math.isnan(expected_end) or (
                    not rough and not math.isnan(end) and not math.isclose(end, expected_end, rel_tol=1e-5)):
                return f"{row['id']}: an end is {end} where the data give {expected_end:.6g}"
        if row["ratio"] and not 0.0 < number(row["ratio"]) < math.inf:
            return f"{row['id']}: the ratio is {row['ratio']}"
        return None
    return None


def check_reproduction(build, folder, experiments):
    """Checks every row of `study reproduce` whose value follows from the derived points; returns the faults."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
    text = subprocess.run([f"{build}/bin/study", "reproduce", "--results", folder, "--format", "csv"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    REPRODUCED.extend(csv.DictReader(text.splitlines()))
    beside = counterparts(source)
    printed = [row for row in REPRODUCED if not row["id"].startswith("claims:")]
    measured = [row for row in printed if beside[row["id"]]["kind"] == "measured"]
    wrong = [why for why in (check_reproduced(row, beside[row["id"]], experiments) for row in measured) if why]
    for row in printed:
        kind = beside[row["id"]]["kind"]
        if kind != "measured" and row["state"] != kind:
            wrong.append(f"{row['id']} is {row['state']}, and its counterpart {kind}")
    return wrong


def check_sentence(sentence, experiments):
    """Returns None if one experiment explains every number, otherwise the reason."""
    reasons = []
    if explaining(sentence):
        return None
    sentence, _, plain = sentence.partition(PLAIN)
    sentence = sentence.removeprefix("SUSPECT: ")  # test_causes checks who carries the word
    for pattern, function in RULES:
        match = pattern.match(sentence)
        if not match:
            continue
        if unexplained(match):
            return f"no rule explains {', '.join(unexplained(match))}"
        for e in experiments:
            try:
                function(e, match)
                return "no selection explains its plain words" if re.search(r"\d", plain) else None
            except Wrong as why:
                reasons.append(f"{e.name}: {why}")
    near = [r for r in reasons if "no point of" not in r and "has no fit" not in r]
    return "; ".join(near or reasons) or "no rule fits the sentence"


def sentences_of(page):
    """Returns the findings in bold letters, each followed by its plain words, and the sentences of the first screen that
    contain a number, except how it was measured."""
    page = page.replace("**\n\n" + PLAIN, PLAIN)
    first, _, _ = page.partition("\n## ")
    lines = [line.strip("*") for line in page.splitlines() if re.fullmatch(rf"\*\*.+(\*\*|{PLAIN}.+)", line)]
    lines += [line[2:].replace("**", "") for line in first.splitlines() if line.startswith("- **")]
    lines += [line for line in first.splitlines() if re.match(r"(All times are of|f is) |\| [^|]+ \| [^|]+ \| [^|]+ \|\Z", line)]
    lines = [re.sub(r"\\(.)", r"\1", line) for line in lines]
    return [line for line in lines if re.search(r"\d", line) and not line.startswith("Every execution is timed")]


def check_trust(page, experiments):
    """Checks that the counts of the trust bar are those of the points; a point that several experiments show counts
    once."""
    shown = re.search(r"^((?:\d+ [A-Z]+(?:, )?)+)$", page, re.M)
    if not shown:
        return "the page counts no points"
    words = collections.defaultdict(set)
    for e in experiments:
        for p in e.points:
            words[p.row["point"]].add(p.row["status"])
    if any(len(several) > 1 for several in words.values()):
        return "a point has two words for its trust"
    counts = collections.Counter(next(iter(word)) for word in words.values())
    for count, word in re.findall(r"(\d+) ([A-Z]+)", shown[1]):
        if counts.pop(word, 0) != int(count):
            return f"{shown[1]}: not so many are {word}"
    return f"{dict(counts)} are not reported" if counts else None


def check_times(experiments):
    """Checks that the derived times are those of the samples, and that their intervals contain the exact ones of the
    launches: they may be wider by what rounds share."""
    for e in experiments:
        for p in e.points:
            for metric in ("compute", "total") if p.launches else ():
                value, interval = p.seconds(metric)
                if not math.isclose(value, p.value(f"{metric}_s"), rel_tol=1e-6):
                    return f"{e.name}, {p.row['label']}: {metric}_s is {p.value(metric + '_s')}, not {value}"
                if len(p.launches) < PAIRS_LEAST:
                    continue
                times = sorted(launch.seconds[metric] for launch in p.launches)
                lower, upper = (times[rank - 1] for rank in median_ranks(len(times)))
                if not (interval[0] <= lower * 1.000001 and upper <= interval[1] * 1.000001):
                    return f"{e.name}, {p.row['label']}: {metric}_s is within {interval}, not {lower} to {upper}"
    return None


def check_page(page, experiments):
    """Returns what is wrong with a page."""
    wrong = [why for why in (check_trust(page, experiments), check_times(experiments)) if why]
    wrong += check_tables(page, experiments)
    for sentence in sentences_of(page):
        why = check_sentence(sentence, experiments)
        if why:
            wrong.append(f"{sentence}\n    {why}")
    return wrong


def seeded(page, experiments):
    """Returns wrong sentences that are not noticed. In every sentence each number is changed by a tenth or by 1; more if
    it is an end known only roughly, or became the number of another row of a selection."""
    missed = []
    for sentence in sentences_of(page):
        fixed = [text.span() for words in FIXED for text in re.finditer(re.escape(words), sentence)]
        for n in re.finditer(r"(?<![\w.-])(\d+\.\d+|\d+)(?![\w-]|\.\w)", sentence):
            if any(begin <= n.start() < end for begin, end in fixed):
                continue
            digits = len(n[0].split(".")[1]) if "." in n[0] else 0
            for factor in (1.1, 2.0, 3.7, 7.3):
                changed = f"{max(float(n[0]) * factor, float(n[0]) + 10.0**-digits):.{digits}f}"
                other = sentence[: n.start()] + changed + sentence[n.end() :]
                DRAWN.clear()
                found = check_sentence(other, experiments)
                if found or not (DRAWN or explaining(other)):
                    break
            if not found:
                missed.append(other)
    return missed


def numbers_in(line, decimal):
    """Returns the numbers of a line, sorted, since languages put them in different orders."""
    if decimal == ",":
        line = re.sub(r"(?<=\d),(?=\d)", ".", line)
    return sorted(re.findall(r"\d+(?:\.\d+)?", line))


def check_translation(english, spanish):
    """Returns lines of the Spanish page whose numbers differ from the English ones, which are known to be right."""
    if len(english.splitlines()) != len(spanish.splitlines()):
        return ["the Spanish page has other lines than the English one"]
    return [f"{there}\n    has other numbers than: {here}"
            for here, there in zip(english.splitlines(), spanish.splitlines())
            if numbers_in(here, ".") != numbers_in(there, ",")]


def make_page(build, folder, language):
    """Makes the report and returns its Markdown text."""
    subprocess.run([f"{build}/bin/study", "report", "--results", folder, "--charts", "none", "--lang", language],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(f"{folder}/report.md", encoding="utf-8") as file:
        return file.read()


def main():
    """Runs the test."""
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        results = sys.argv[2] if len(sys.argv) > 2 else "make_results"
        if os.path.isdir(results):
            shutil.copytree(results, folder, dirs_exist_ok=True)
        else:
            subprocess.run([f"{build}/bin/{results}", folder], check=True)
        page = make_page(build, folder, "en")
        names = sorted(f[: -len(".points.csv")] for f in os.listdir(f"{folder}/analysis") if f.endswith(".points.csv"))
        experiments = [Experiment(folder, name, names) for name in names]
        SELECTIONS.extend(selections_of(folder, experiments))
        wrong = check_reproduction(build, folder, experiments)
        wrong += [why for why in (selection.fault() for selection in SELECTIONS) if why]
        translated = os.path.exists(f"{build}/share/locale/es/LC_MESSAGES/maxpool.mo")
        spanish = make_page(build, folder, "es") if translated else page
    wrong += check_page(page, experiments)
    if translated:
        wrong += check_translation(page, spanish)
        planted = re.sub(r"(?<=\d),\d", lambda m: f",{(int(m[0][1]) + 1) % 10}", spanish, count=1)
        if len(check_translation(page, planted)) != len(check_translation(page, spanish)) + 1:
            wrong.append("another number of the Spanish page is not seen")
    if len(sentences_of(page)) < 5:
        wrong.append("the page has hardly a sentence")
    wrong += [f"a wrong number is not seen: {sentence}" for sentence in ([] if wrong else seeded(page, experiments))]
    print(f"{len(sentences_of(page))} sentences of {len(experiments)} experiments")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
