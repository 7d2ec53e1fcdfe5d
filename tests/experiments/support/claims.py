"""Made-up samples of one experiment, in a folder of the test's own, and what a report claims about a chart of it."""
import collections
import itertools
import re

from checks import expect, rows_in
from commands import DIR, done, write
from maker import Maker

Claim = collections.namedtuple("Claim", "title answer plain rows page")  # rows: those that the claim lists
FOLDERS = itertools.count()
ROUNDS, SAMPLES = 9, 6
STEADY = [1.0] * ROUNDS


def scatter(number, launch):
    """A small scatter of at most 1 % that differs between points and rounds."""
    return 1 + 0.004 * ((number + 2) * (launch + 1) % 5 - 2)


class Made:
    """An experiment of a machine that becomes slower from round to round, threefold from the first to the last."""

    def __init__(self, experiment):
        self.experiment, self.folder = experiment, f"{experiment}-{next(FOLDERS)}"
        self.results = Maker(DIR / self.folder)

    def rounds(self, number, truth, seconds, slow):
        """Writes the samples of a point: `seconds` times those of each round; product_s is a share of them."""
        for launch, slower in enumerate(slow):
            total = seconds * slower * scatter(number, launch)
            row = {"seed": 35, **truth, "experiment": self.experiment, "run_id": f"run-{number}-{launch}",
                   "round": launch, "total_s": total, "compute_s": total, "warmup": 0}
            if "product_s" in truth:
                row["product_s"] = truth["product_s"] * total
            self.results.append(self.experiment, "", ({
                **row, "sample": i, "stop_reason": "samples" if i == SAMPLES - 1 else ""} for i in range(SAMPLES)))

    def point(self, number, truth, seconds, odd=1.0):
        """Writes a point with the drift of the machine; in odd rounds its times are multiplied by `odd`."""
        self.rounds(number, truth, seconds, [(1 + 0.25 * launch) * (odd if launch % 2 else 1)
                                             for launch in range(ROUNDS)])

    def steady(self, number, truth, seconds):
        self.rounds(number, truth, seconds, STEADY)

    def claim(self, chart, language="en"):
        """Returns the claim of a report that has this chart alone."""
        write(f"{self.folder}/{self.experiment}.ini",
              f"[experiment]\ntitle = T\nquestion = Q?\nsection = workers\ncharts = {chart}\n[points]\n"
              "programs = maxpool_serial\nmethod = literal\nsize = 64\n")
        folder = f"$DIR/{self.folder}"
        done(f"./study report {self.experiment} --charts none --results {folder} --definitions {folder} "
             f"--lang {language}")
        page = (DIR / self.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")
        answer, _, after = page.partition("\n## ")[2].partition("\n**")[2].partition("**")
        selected = (DIR / self.folder / "analysis").glob(f"{self.experiment}.{chart}.csv")
        (title, *_) = re.findall(r"^- (?!\*\*)(.*)", page, re.M) or [""]
        return Claim(title, answer, after.strip().partition("\n")[0],
                     [row for path in selected for row in rows_in(path) if row.get("role") == "listed"], page)


def has(text, *parts, never=()):
    for part in parts:
        expect(f"{part!r} is said", part in text, text[:1000])
    for part in never:
        expect(f"{part!r} is not said", part not in text, text[:1000])
