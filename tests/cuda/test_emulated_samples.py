"""Samples of an emulated device have verdicts and no seconds: no command of study takes a time from them, not even if
their file has one. Every sample of made-up GPU results is doubled by one of an emulated device, in the same files, that
would be the fastest of all and has seconds that no other sample has; the commands then say the same as without them.

    test_emulated_samples.py BIN"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, finish, run

BIN = pathlib.Path(sys.argv[1]).resolve()
SECONDS = "7.7177e-07"  # of every phase of an emulated sample
DIGITS = re.compile(r"7\.7177|771\.77|\b772 ns|7\.72e-0?7|\b0\.772 µs")
EXPERIMENTS = ("offload", "speedup")
COMMANDS = [["analyze"], ["report", "--charts", "none"], ["report", "--lang", "es", "--charts", "svg"],
            ["plot", "--charts", "svg"], ["export"], ["export", "offload"], ["reproduce"], ["list"],
            ["status"], ["speedup", "--from", "speedup"], ["predict", "speedup"], ["predict", "offload"],
            ["compare", "OTHER"], ["plan", "offload"], ["plot", "offload", "--x", "size", "--y", "total_s"],
            ["import", "SAMPLES"], ["thesis"]]
# These read no samples of a results folder, or measure themselves.
NO_SAMPLES = {"run", "lab", "duet", "roofline", "amdahl", "calibrate", "pack", "class", "audit", "env", "cite"}


def study(folder, words):
    places = {"OTHER": folder.parent / "other", "SAMPLES": folder.parent / "mixed" / "offload.csv"}
    words = [str(places.get(word, word)) for word in words]
    into = folder.with_name(folder.name + "-imported") if words[0] == "import" else folder
    results = words + [str(folder)] if words[0] == "compare" else words + ["--results", str(into)]
    return run(folder.parent, BIN / "study", *results)


def double(path):
    """Adds to each sample of a GPU one of an emulated device."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
        names = list(rows[0])
    added = []
    for row in rows:
        if row["space"] != "cuda":
            continue
        seconds = {name: SECONDS for name in names if name.endswith("_s") and row[name] not in ("", None)}
        added.append({**row, **seconds, "device": "CPU emulation", "run_id": "emulated-" + row["run_id"]})
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows + added)
    return len(added)


def derived(folder):
    """Every file that the commands wrote, as text, without the points of the emulated device."""
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8", errors="replace")
            for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in (".csv", ".md", ".html", ".tex", ".svg")
            and path.parent != folder or path.name.startswith("report")}


def compare_points(plain, mixed):
    """The derived points of a GPU are the same; those of the emulated device are SIMULATED and have no seconds."""
    for path in sorted((plain / "analysis").glob("*.points.csv")):
        with open(path, newline="", encoding="utf-8") as file:
            own = list(csv.DictReader(file))
        with open(mixed / "analysis" / path.name, newline="", encoding="utf-8") as file:
            both = list(csv.DictReader(file))
        if both and "platform" not in both[0]:  # of a chart, not of points: searched for seconds below
            expect(f"{path.name}: the same chart", own == both, both[:2])
            continue
        emulated = [row for row in both if row["platform"]]
        expect(f"{path.name}: emulated points", bool(emulated) == any(row["space"] == "cuda" for row in own), both[:1])
        expect(f"{path.name}: SIMULATED", all(row["status"] == "SIMULATED" for row in emulated), emulated[:1])
        seconds = [(name, row[name]) for row in emulated for name in row
                   if re.search(r"^(total|compute|image|named|best|one|before|device|setup|first|collect|distribute|product)_|window_ns|per_s$|roof_share", name) and row[name] not in ("", "nan", None)]
        expect(f"{path.name}: no seconds", not seconds, seconds[:5])
        differing = [(a, b) for a, b in zip(own, [row for row in both if not row["platform"]]) if a != b]
        expect(f"{path.name}: the GPU's points are the same", not differing, differing[:1])


def digits_are_shown(folder):
    """The chart of seconds against digits has a row for each precision that an emulation computed, with its digits and
    without a time."""
    folder.mkdir()
    if not (BIN / "emulation" / "matmul_cuda").exists():
        return
    for words in (["--method", "registers"], ["--math", "tf32"], ["--math", "bf16"]):
        done = run(folder, BIN / "matmul_cuda", "--device", "cpu", "-n", 40, "--filter", "random", "--max-value", 16777215, *words,
                   "--experiment", "peers", "--record", folder / "peers.csv")
        expect(f"{words}: computed", done.returncode == 0, done.stderr)
    done = run(folder, BIN / "study", "report", "--charts", "none", "--results", folder)
    expect("a report", done.returncode == 0, done.stderr)
    with open(folder / "analysis" / "peers.errors.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    drawn = {row["series"]: row for row in rows if not row["role"]}
    expect("a mark for each precision", set(drawn) == {"registers fp32", "tensor tf32", "tensor bf16"}, drawn)
    expect("hollow, and without a time", all(row["trust"] == "SIMULATED" and row["y"] in ("", "nan") for row in drawn.values()), drawn)
    errors = [float(drawn[name]["x"]) for name in ("registers fp32", "tensor tf32", "tensor bf16") if name in drawn]
    expect("fewer digits, larger errors", len(errors) == 3 and 0 < 100 * errors[0] < 4 * errors[1] < errors[2], errors)
    said = (folder / "report.md").read_text(encoding="utf-8") + "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.html"))
    expect("the report says so", "emulated, which has no times" in said, said[:300])


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folders = {kind: pathlib.Path(temporary, kind) for kind in ("plain", "mixed", "other")}
        for folder in folders.values():
            folder.mkdir()
            subprocess.run([BIN / "make_gpu_results", folder], check=True)
            for unused in set(folder.glob("*.csv")) - {folder / f"{name}.csv" for name in EXPERIMENTS}:
                unused.unlink()
        doubled = sum(double(path) for path in sorted(folders["mixed"].glob("*.csv")))
        expect("samples were doubled", doubled > 100, doubled)
        listed = subprocess.run([BIN / "study", "--help"], capture_output=True, text=True, check=True).stdout
        named = set(re.findall(r"^  ([a-z]+) +[a-z]", listed.split("Examples")[0], re.M))
        expect("every command is tried, or reads no samples", named == {words[0] for words in COMMANDS} | NO_SAMPLES, named)
        for words in COMMANDS:
            plain, mixed = (study(folders[kind], words) for kind in folders if kind != "other")
            said = mixed.stdout + mixed.stderr
            expect(f"{words}: status", plain.returncode == mixed.returncode, (plain.returncode, said, plain.stderr))
            expect(f"{words}: no emulated second", not DIGITS.search(said), said)
        compare_points(folders["plain"], folders["mixed"])
        for path, text in derived(folders["mixed"]).items():
            expect(f"{path}: no emulated second", not DIGITS.search(text), DIGITS.findall(text)[:3])
        plain, mixed = ((folders[kind] / "report.md").read_text(encoding="utf-8").splitlines() for kind in ("plain", "mixed"))
        new = [line for line in mixed if line not in plain and not re.search("/mixed,|SIMULADO", line)]
        expect("the report says nothing new", not new, new)
        digits_are_shown(pathlib.Path(temporary, "digits"))
    sys.exit(finish())


main()
