"""Hostile input of the commands that read or write the files of others: duet, import, export, the graph of a network,
augmented training; and records that are cut anywhere in their last two lines."""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from common import GOOD, LIMIT_S, kill
from mutants import mutate

EVERY_CUT = 300  # cases from which on the record is cut at every byte, in order
LIBRARIES = {
    "other": "int maxpool_nothing;",
    "exits": "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(0); }",
    "crashes": "__attribute__((constructor)) static void f(void) { *(volatile int *)8 = 1; }",
    "prints": "#include <stdio.h>\nconst char *maxpool_version(void) { for (int i = 0; i < 99999; i++) puts(\"0,0,x\"); return \"?\"; }",
    "lies": "const char *maxpool_version(void) { return \"9.9\\n\\033[2J\"; }",
}


def libraries(drill):
    """Libraries that are no libmaxpool, and files that are no libraries."""
    made = []
    for name, text in LIBRARIES.items():
        source = drill.folder / f"{name}.c"
        source.write_text(text)
        if subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", drill.folder / f"{name}.so", source], check=False,
                          capture_output=True).returncode == 0:
            made.append(drill.folder / f"{name}.so")
    for name, data in (("empty.so", b""), ("junk.so", b"junk" * 1000)):
        (drill.folder / name).write_bytes(data)
        made.append(drill.folder / name)
    return made


def duets(drill):
    """A strange library compared with ours, or with itself; and a duet that is ended: no worker and no folder stays."""
    temporary = drill.folder / "tmp"
    temporary.mkdir()
    own = drill.bin.parent / "lib" / "libmaxpool.so"
    made = libraries(drill)
    environment = {**os.environ, "TMPDIR": str(temporary)}
    for case in drill.each():
        library = made[case % len(made)]
        pair = [own, library] if case % 2 and own.exists() else [library, library]
        drill.run([drill.program("study"), "duet", *pair, "--layouts", "6", "--rounds", "2"], [1, 2, 3], env=environment)
        if own.exists() and case % 3 == 2:
            child = drill.start([drill.program("study"), "duet", own, own, "--rounds", "2"], env=environment)
            time.sleep(drill.chance.random() * 2.0)
            child.send_signal(signal.SIGTERM)
            child.wait(LIMIT_S)
            kill(child)
        if list(temporary.iterdir()):
            drill.fail(f"{library.name}: {[path.name for path in temporary.iterdir()]} stay")
            shutil.rmtree(temporary)
            temporary.mkdir()


def good_record(drill):
    record = drill.folder / "good.csv"
    drill.run([drill.program("maxpool_serial"), "-n", "48", "--method", "fused", "--samples", "4", "--experiment", "x",
               "--record", record], [0])
    return record.read_bytes()


def imports(drill):
    """Mutants of a record, imported, then analyzed, exported and drawn: a status, and no file outside of the results."""
    good = good_record(drill)
    for case in drill.each():
        path, results = drill.folder / "mutant.csv", drill.folder / "results"
        path.write_bytes(mutate(drill.chance, good, len(good)))
        status, _, _ = drill.run([drill.program("study"), "import", path, "--results", results], [0, 2])
        if status == 0:
            for words in (["analyze", "x"], ["export", "x"], ["export", "x", "--tidy", "-o", drill.folder / "out.csv"]):
                drill.run([drill.program("study"), *words, "--results", results], [0, 2])
        if (drill.folder / "out.csv").exists():
            with open(drill.folder / "out.csv", encoding="utf-8", newline="") as table:
                rows = list(csv.reader(table))
            if any(len(row) != len(rows[0]) for row in rows):
                drill.fail(f"case {case}: the exported table has a row that is not whole")
            (drill.folder / "out.csv").unlink()
        shutil.rmtree(results, ignore_errors=True)
    drill.expect_no_temporaries()


def graphs(drill):
    """The graph of a network, written to places of all kinds; and a mutated one, which the peers in Python read."""
    words = [drill.program("network_serial"), "--network", "mlp:8-4", "--samples", "1", "--warmup", "0", "--graph"]
    places = ["whole.json", "a name\n with a line.json", "/dev/full", "/dev/null", ".", "none/there.json", "x" * 300 + ".json",
              "\xff\u202e.json", "full"]
    (drill.folder / "full").symlink_to("/dev/full")
    drill.run([*words, drill.folder / "whole.json"], [0], cwd=drill.folder)
    good = (drill.folder / "whole.json").read_bytes()
    for case in drill.each():
        place = places[case % len(places)]
        status, _, _ = drill.run([*words, place], [0, 2, 5], cwd=drill.folder)
        written = drill.folder / place
        if status == 0 and place != "/dev/null" and json.loads(written.read_bytes()) != json.loads(good):
            drill.fail(f"{place!r} is another graph")
        mutant = drill.folder / "mutant.json"
        mutant.write_bytes(mutate(drill.chance, good, len(good)))
        reader = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "peers"
        done = subprocess.run(["python3", "-c", "import sys\nsys.path.insert(0, sys.argv[1])\nimport json\n"
                               "json.load(open(sys.argv[2], encoding='utf-8', errors='replace'))", reader, mutant],
                              capture_output=True, check=False)
        if done.returncode not in (0, 1):
            drill.fail(f"a mutated graph: status {done.returncode}")
    drill.expect_no_temporaries()


def augmentations(drill):
    """--augment with values that nobody needs, on images of one pixel and of many; what is accepted trains."""
    values = ["rotate", "rotate=5", "rotate=1e308", "rotate=nan", "rotate=-1", "rotate=", "rotate=360,flip=1,crop=1", "flip=2",
              "flip=-0", "flip=0x1p-1", "crop=0", "crop=99999999999999999999", "crop=-3", "crop=1e9", "none", ",", "rotate,,flip",
              "flip=0.5=0.5", "\xff", "a" * 5000, "rotate,rotate,rotate", "crop=2,crop=2"]
    for case in drill.each():
        network = ["solar_cnn", "mlp:8-4", "lenet5"][case % 3]
        drill.run([drill.program("network_serial"), "--network", network, "--task", "train", "--steps", "1", "--batch", "2",
                   "--warmup", "0", "--verify", "none", "--augment", values[case % len(values)]], GOOD)


def torn_records(drill):
    """A record cut at every byte of its last two lines: the next execution appends, and only the torn row is missing."""
    good = good_record(drill)
    lines = good.splitlines(keepends=True)
    first = len(good) - len(lines[-1]) - len(lines[-2])
    path = drill.folder / "torn.csv"
    cuts = range(first, len(good) + 1)
    every = drill.cases >= EVERY_CUT
    drill.cases = len(cuts) if every else drill.cases
    words = [drill.program("maxpool_serial"), "-n", "48", "--method", "fused", "--samples", "1", "--warmup", "0",
             "--experiment", "x", "--record", path]
    for case in drill.each():
        cut = cuts[case] if every else drill.chance.choice(cuts)
        path.write_bytes(good[:cut])
        drill.run(words, [0])
        whole = [line for line in good[:cut].splitlines(keepends=True) if line.endswith(b"\n")]
        now = path.read_bytes()
        with open(path, encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
        kept = all(line in now for line in whole)
        sound = [row for row in rows if None not in row and row["total_s"] and None not in row.values()]
        # The torn row may be there, but is no sample.
        if not kept or len(sound) < len(whole):  # the header of the whole lines, the new row
            drill.fail(f"cut at byte {cut}: {len(sound)} rows of {len(whole)}")
        results = drill.folder / "results"
        _, out, err = drill.run([drill.program("study"), "import", path, "--results", results], [0])
        _, out, err = drill.run([drill.program("study"), "analyze", "x", "--results", results], [0])
        if b"samples" not in out:
            drill.fail(f"cut at byte {cut}: {out[-200:]!r} {err[-200:]!r}")
        imported = sum(1 for row in csv.DictReader(open(results / "samples.csv", encoding="utf-8", newline=""))
                       if row.get("total_s") and None not in row)
        if imported < len(whole):
            drill.fail(f"cut at byte {cut}: {imported} rows were imported of {len(whole)}")
        shutil.rmtree(results, ignore_errors=True)
