"""Programs that are killed at any moment continue as if they had not been."""
import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from common import LIMIT_S, kill

ROOT = pathlib.Path(__file__).resolve().parents[2]

def hash_of(drill, words):
    """Returns the hash of the parameters with which a training ends."""
    _, out, _ = drill.run(words, [0])
    found = re.findall(rb"Parameters +([0-9a-f]{16}) after", out)
    return found[-1] if found else None


def trainings(drill):
    """Trainings are killed while they train and save; resumed, they end with the same bits."""
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
    """Returns the launches of a sample file, each with its rows, without a torn line."""
    launches = {}
    if not path.exists():
        return launches
    text = path.read_text(errors="replace")
    for row in csv.DictReader(text[:text.rfind("\n") + 1].splitlines()):
        launches.setdefault((row["run_id"], row["method"], row["rows"]), []).append(row["sample"])
    return launches


def rows_in(folder):
    """Returns the rows of the samples of the folder, by file."""
    return {name: rows_of(folder / name) for name in ("samples.csv",) if (folder / name).exists()}


def expect_no_loss(drill, before, after):
    """Checks that each launch still has all of its rows."""
    for name, launches in before.items():
        for launch, rows in launches.items():
            if len(after.get(name, {}).get(launch, [])) < len(rows):
                drill.fail(f"lost rows of {launch} in {name}")
                return


def killed_run(drill, words, results, most_s):
    """Starts a command, kills its group at a random moment, and checks that no row that was in the files is lost."""
    before = rows_in(results)
    child = drill.start(words)
    time.sleep(drill.chance.random() * most_s)
    kill(child)
    expect_no_loss(drill, before, rows_in(results))


def studies(drill):
    """`study run` is killed repeatedly; then every launch is there once."""
    definition = drill.folder / "drill.ini"
    drill.write_definition(definition)
    for case in drill.each():
        results = drill.folder / f"results{case}"
        words = [drill.program("study"), "run", definition, "--results", results]
        for _ in range(3):
            killed_run(drill, words, results, 0.6)
        _, out, _ = drill.run(words, [0])
        if b"0 failed, 0 missing" not in out:
            drill.fail(f"not whole: {out[-200:]!r}")
        drill.run([drill.program("study"), "analyze", "--definitions", drill.folder, "--results",
                   results], [0])


def without_building(drill):
    """Returns the environment in which run.sh finds all packages installed and everything built."""
    stubs = drill.folder / "stubs"
    stubs.mkdir(exist_ok=True)
    for name, line in (("cmake", "exit 0"), ("dpkg-query", "echo install ok installed")):
        (stubs / name).write_text(f"#!/bin/sh\n{line}\n")
        (stubs / name).chmod(0o755)
    return {**os.environ, "PATH": f"{stubs}:{os.environ['PATH']}"}


def is_gone(group):
    """True if no process of the group is left; ending processes get a minute."""
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def interrupted_run(drill, words, environment, after_s):
    """Sends Ctrl-C as a terminal does: to all processes at once. All of them must end, with run.sh's status for it."""
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True, env=environment, cwd=ROOT,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        return child.wait(after_s)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGINT)
    try:
        status = child.wait(LIMIT_S)
    except subprocess.TimeoutExpired:
        drill.fail(f"run.sh goes on {LIMIT_S} s after Ctrl-C")
        kill(child)
        return None
    if status not in (130, -signal.SIGINT):
        drill.fail(f"status {status} after Ctrl-C")
    if not is_gone(child.pid):
        drill.fail("a process outlives Ctrl-C")
        kill(child)
    return status


def interrupts(drill):
    """run.sh gets Ctrl-C at any moment: no process stays, no row is lost, and finally, if there is time, it runs to its
    end."""
    results = drill.folder / "results"
    environment = without_building(drill)
    words = [str(word) for word in (ROOT / "run.sh", "--build", drill.bin.parent, "--results", results,
                                    "--budget", "5s")]
    for _ in drill.each():
        before = rows_in(results)
        status = interrupted_run(drill, words, environment, 0.2 + 8.0 * drill.chance.random())
        drill.statuses[status] = drill.statuses.get(status, 0) + 1
        expect_no_loss(drill, before, rows_in(results))
    if time.monotonic() > drill.end:
        return
    drill.run(words, [0], limit_s=10 * LIMIT_S, env=environment, cwd=ROOT)
    if not (results / "report.html").exists():
        drill.fail("run.sh ended without a report")


def hours(drill):
    """`study run --all` in a loop under random kills, and finally without them to its end."""
    results = drill.folder / "results"
    words = [drill.program("study"), "run", "--all", "--quick", "--results", results]
    end = time.monotonic() + 3600.0 * drill.hours
    kills = 0
    while time.monotonic() < end:
        before = rows_in(results)
        child = drill.start(words)
        over = time.monotonic() + min(drill.chance.expovariate(1 / 20.0), end - time.monotonic())
        while time.monotonic() < over and child.poll() is None:
            time.sleep(0.1)
        ended = child.poll() is not None
        kill(child)
        kills += not ended
        expect_no_loss(drill, before, rows_in(results))
        drill.run([drill.program("study"), "status", "--results", results])
        if ended: # complete: start again
            shutil.rmtree(results)
    drill.done = 1
    drill.run(words, [0], limit_s=7200)
    print(f"{drill.name}: {kills} kills in {drill.hours:g} hours", flush=True)
