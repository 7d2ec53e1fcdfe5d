"""Killed at any moment, programs go on as if they had not been."""
import csv
import os
import re
import time

from common import kill

DEFINITION = """[experiment]
title = A drill
question = Does it hold?
samples = 4
launches = 3
[points]
programs = maxpool_serial
method = fused direct simd
size = 32 64 128
"""


def hash_of(drill, words):
    """That of the parameters which a training comes to."""
    _, out, _ = drill.run(words, [0])
    found = re.findall(rb"Parameters +([0-9a-f]{16}) after", out)
    return found[-1] if found else None


def trainings(drill):
    """Killed while they train and save; resumed they come to the same bits."""
    steps, path = 400, drill.folder / "saved.safetensors"
    words = [drill.program("network_serial"), "--network", "mlp:200-100", "--task", "train", "--batch",
             "10", "--steps", steps, "--verify", "none", "--warmup", "0"]
    data = drill.folder / "data"
    drill.run([*words[:-6], "--steps", "1", "--verify", "none", "--warmup", "0", "--save-data", data], [0])
    words += ["--data", f"{data}.images.npy", "--labels", f"{data}.targets.npy"]
    began = time.monotonic()
    whole = hash_of(drill, words)
    seconds = time.monotonic() - began
    for _ in drill.each():
        path.unlink(missing_ok=True)
        child = drill.start([*words, "--save", path])
        time.sleep(seconds * drill.chance.random())
        over = child.poll() is not None
        kill(child)
        if not path.exists() or over:
            continue
        status, out, err = drill.run([*words, "--resume", path], [0, 2])
        if status == 2 and b"are done already" in err:
            continue
        found = re.findall(rb"Parameters +([0-9a-f]{16}) after", out)
        if status != 0 or found[-1] != whole:
            drill.fail(f"after a kill: {found} and not {whole}: {err[-200:]!r}")


def rows_of(path):
    """Launches of a sample file, each with its rows; a torn line is left out."""
    launches = {}
    if not path.exists():
        return launches
    text = path.read_text(errors="replace")
    for row in csv.DictReader(text[:text.rfind("\n") + 1].splitlines()):
        launches.setdefault((row["run_id"], row["method"], row["rows"]), []).append(row["sample"])
    return launches


def killed_run(drill, words, results, most_s):
    """Starts it, kills all of it at some moment, and expects that no row of a whole launch is lost."""
    before = rows_of(results)
    child = drill.start(words)
    time.sleep(drill.chance.random() * most_s)
    kill(child)
    after = rows_of(results)
    lost = [launch for launch, rows in before.items() if len(after.get(launch, [])) < len(rows)]
    if lost:
        drill.fail(f"lost rows of {lost[0]}")


def studies(drill):
    """`study run` killed again and again; then every launch is there once."""
    definition = drill.folder / "drill.ini"
    definition.write_text(DEFINITION)
    for case in drill.each():
        results = drill.folder / f"results{case}"
        words = [drill.program("study"), "run", definition, "--results", results]
        for _ in range(3):
            killed_run(drill, words, results / "drill.csv", 0.6)
        _, out, _ = drill.run(words, [0])
        if b"0 failed, 0 missing" not in out:
            drill.fail(f"not whole: {out[-200:]!r}")
        drill.run([drill.program("study"), "analyze", "--definitions", drill.folder, "--results",
                   results], [0])


def hours(drill):
    """`study run --all` in a loop under random kills, and at the end to its end."""
    results = drill.folder / "results"
    words = [drill.program("study"), "run", "--all", "--quick", "--results", results]
    end = time.monotonic() + 3600.0 * drill.hours
    kills = 0
    while time.monotonic() < end:
        before = {path.name: rows_of(path) for path in results.glob("*.csv")
                  if "points" not in path.name and path.name != "ceilings.csv"} if results.exists() else {}
        child = drill.start(words)
        over = time.monotonic() + min(drill.chance.expovariate(1 / 20.0), end - time.monotonic())
        while time.monotonic() < over and child.poll() is None:
            time.sleep(0.1)
        ended = child.poll() is not None
        kill(child)
        kills += not ended
        for name, launches in before.items():
            after = rows_of(results / name)
            if any(len(after.get(launch, [])) < len(rows) for launch, rows in launches.items()):
                drill.fail(f"lost rows of {name}")
        drill.run([drill.program("study"), "status", "--results", results])
        if ended: # all of it is there: begin anew
            os.system(f"rm -rf '{results}'")
    drill.done = 1
    drill.run(words, [0], limit_s=7200)
    print(f"{drill.name}: {kills} kills in {drill.hours:g} hours", flush=True)
