"""Samples are stored once per folder of results, and an experiment is a query.

usage: test_one_store.py SOURCE_DIR BIN_DIR

Two experiments that share points are measured: each row is there once, and each experiment has its points. Folders of
earlier versions, with a file for each experiment, are imported into one store: every point of every experiment keeps
its launches, its median and its verdict. What a study that was killed left is added once.
"""

import csv
import io
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from checks import expect, finish, run  # noqa: E402

ROWS = 4  # of a launch: its samples and a warm-up
HEAD = "[experiment]\ntitle = T\nquestion = Q?\nsamples = 3\nlaunches = 2\n[points]\nprograms = maxpool_serial\n"
OLD = ("amd-epyc-zen4-2-cores-long", "amd-epyc-zen4-2-cores-peers-layers", "amd-epyc-zen4-2-cores-peers-batches",
       "amd-epyc-zen3-2-cores-simulated", "intel-xeon-emerald-rapids-2-cores-thesis")


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def exported(study, folder, name, *options):
    return table(run(folder, study, "export", name, "--results", ".", *options).stdout)


def identity(row):
    return row["run_id"], row["method"], row["warmup"], row["sample"]


def measured_twice(study, folder):
    """Two experiments have the point of `fused` in common."""
    (folder / "left.ini").write_text(HEAD + "method = fused literal\nsize = 16\n")
    (folder / "right.ini").write_text(HEAD + "method = fused simd\nsize = 16\n")
    first = run(folder, study, "run", "left.ini", "--results", ".").stdout
    expect("left is measured", "0 of 4 launches were there, 4 done now" in first, first)
    second = run(folder, study, "run", "right.ini", "--results", ".").stdout
    expect("right shows the launches of left", "2 taken from other experiments" in second, second)
    rows = table((folder / "samples.csv").read_text())
    expect("each row once", len({identity(r) for r in rows}) == len(rows) == ROWS * (4 + 2), len(rows))
    for name, methods in (("left", {"fused", "literal"}), ("right", {"fused", "simd"})):
        own = exported(study, folder, name, "--samples")
        expect(f"points of {name}", {r["method"] for r in own} == methods, own)
        expect(f"rows of {name}", len(own) == ROWS * 4 and {r["experiment"] for r in own} == {name}, len(own))
        points = exported(study, folder, name)
        expect(f"launches of {name}", [p["launches"] for p in points] == ["2", "2"], points)
    again = run(folder, study, "run", "left.ini", "right.ini", "--results", ".").stdout
    expect("nothing is measured again", "8 of 8 launches were there, 0 done now" in again, again)
    expect("no row is added", table((folder / "samples.csv").read_text()) == rows)


def killed(study, bin_dir, folder):
    """A study was killed while it copied the rows of a process of a point that two experiments show."""
    for name in ("left", "right"):
        (folder / f"{name}.ini").write_text(HEAD + "method = fused\nsize = 16\n")
    run(folder, f"{bin_dir}/maxpool_serial", "-n", "16", "-k", "2", "-s", "2", "--method", "fused", "--samples", "3",
        "--warmup", "0", "--relative-ci", "0", "--experiment", "left", "--round", "0", "--record",
        "under_way.samples.csv")
    rows = (folder / "under_way.samples.csv").read_text().splitlines(keepends=True)
    (folder / "samples.csv").write_text("".join(rows[:2]))
    run(folder, study, "run", "right.ini", "--results", ".")
    run(folder, study, "run", "left.ini", "--results", ".")
    now = table((folder / "samples.csv").read_text())
    expect("what was left is there once", len({identity(r) for r in now}) == len(now), len(now))
    expect("all of it", (folder / "samples.csv").read_text().startswith("".join(rows)))
    for name in ("left", "right"):
        (point,) = exported(study, folder, name)
        expect(f"{name} has both launches", point["launches"] == "2", point)


def cut(path, columns):
    """Writes a file of rows without its last columns, as an earlier version would have written it."""
    rows = list(csv.reader(io.StringIO(path.read_text())))
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(row[:-columns] for row in rows)


def older(study, folder):
    """A store of an earlier version, whose columns are fewer, is gone on with; none of its rows is lost for that."""
    (folder / "left.ini").write_text(HEAD + "method = fused literal\nsize = 16\n")
    run(folder, study, "run", "left.ini", "--results", ".")
    samples, journal = folder / "samples.csv", folder / "journal.csv"
    headers = [path.read_text().splitlines()[0] for path in (samples, journal)]
    before = table(samples.read_text())
    cut(samples, 5)
    cut(journal, 1)
    (folder / "left.ini").write_text(HEAD + "method = fused literal simd\nsize = 16\n")
    again = run(folder, study, "run", "left.ini", "--results", ".")
    expect("an older store goes on", "4 of 6 launches were there, 2 done now" in again.stdout, again)
    expect("with the present columns", [p.read_text().splitlines()[0] for p in (samples, journal)] == headers)
    now = table(samples.read_text())
    kept = list(before[0])[:-5]
    expect("and all rows", [[r[c] for c in kept] for r in now[:len(before)]] == [[r[c] for c in kept] for r in before])
    cut(samples, 5)
    torn = samples.read_text().replace(",samples,", ",samples,x,", 1)
    samples.write_text(torn)
    refused = run(folder, study, "run", "left.ini", "--results", ".", "--retry-failed")
    expect("a row that would be lost is kept", refused.returncode == 2 and samples.read_text() == torn, refused)


def medians(study, folder):
    """What does not depend on how other points of an experiment vary."""
    run(folder, study, "analyze", "--quiet", "--results", ".")
    found = {}
    for path in sorted((folder / "analysis").glob("*.points.csv")):
        for row in table(path.read_text()):
            columns = list(row)
            point = tuple(row[c] for c in columns[columns.index("program"):columns.index("submit") + 1])
            found[path.name, point] = tuple(row[c] for c in ("launches", "samples", "compute_s", "total_s", "total_min_s"))
    return found


def imported(study, source, folder):
    """A folder of files of one experiment each, and the same rows in one file."""
    for name in OLD:
        old, new = folder / name, folder / f"{name}.new"
        shutil.copytree(pathlib.Path(source) / "results/reference" / name, old)
        new.mkdir()
        for kept in ("environment.json", "ceilings.csv.gz", *(p.name for p in old.glob("*.ini"))):
            if (old / kept).exists():
                shutil.copy(old / kept, new)
        run(folder, study, "import", old, "--results", new)
        before, after = medians(study, old), medians(study, new)
        different = [key for key in before if after.get(key) != before[key]]
        expect(f"{name}: every point", not different and before.keys() == after.keys() and len(before) > 0,
               (len(before), len(after), different[:3], [(before[k], after.get(k)) for k in different[:3]]))
        again = run(folder, study, "import", old, "--results", new).stdout
        expect(f"{name}: a second import adds nothing", again.startswith("0 samples"), again)


def main(source, bin_dir):
    study = f"{bin_dir}/study"
    os.environ["MAXPOOL_WAIT"] = "0"
    with tempfile.TemporaryDirectory() as place:
        for name, test in (("twice", lambda f: measured_twice(study, f)), ("killed", lambda f: killed(study, bin_dir, f)),
                           ("older", lambda f: older(study, f)),
                           ("imported", lambda f: imported(study, source, f))):
            folder = pathlib.Path(place) / name
            folder.mkdir()
            test(folder)
    finish()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
