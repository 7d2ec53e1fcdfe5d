#!/usr/bin/env python3
"""study duet of commands, commits and functions: times that programs print have the known verdicts, launches are
interleaved and resume, an output that differs counts as wrong, and no worktree stays, also after Ctrl-C.
Usage: test_duet_commands.py FOLDER_OF_PROGRAMS PAGE      PAGE: docs/ci.md, whose options are looked up"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import FOREVER_S, PATIENCE_S, expect, faults, finish, rows_in, run, wait_until

STUDY = str(pathlib.Path(sys.argv[1]).resolve() / "study")
PAGE = pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(tempfile.mkdtemp(prefix="duet_commands-"))
os.environ.update(MAXPOOL_WAIT="0", TMPDIR=str(HERE))
CC = os.environ.get("CC", "cc").split()

# Prints a time of its own: `base` thousandths and a remainder that the number of the launch decides. No clock decides.
TIMED = """#!/bin/sh
n=0; [ ! -e {log} ] || read -r n < {log}.n
n=$((n + 1)); echo $n > {log}.n; echo "{name} ${{#MAXPOOL_DUET_PADDING}}" >> {log}
{more}
echo "Elapsed: $(({base} + (n * 2654435761 >> 9) % 97))e-3"
echo "result {result}"
"""
TIME = ["--seconds", r"Elapsed: (\d+e-3)"]


def program(path, base=1000, result=42, more=":", log=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    log = log or path.parent / "log"
    path.write_text(TIMED.format(name=path.name, base=base, result=result, more=more, log=log))
    path.chmod(0o755)
    return path


def duet(where, *arguments, status=0, texts=(), **more):
    done = subprocess.run([STUDY, "duet", *map(str, arguments)], cwd=where, text=True, capture_output=True,
                          timeout=PATIENCE_S, check=False, **more)
    seen = f"{done.returncode}\n{done.stdout}{done.stderr}"
    expect(f"{where.name}: status of {arguments}", done.returncode == status, seen)
    for text in texts:
        expect(f"{where.name}: {text}", re.search(text, " ".join((done.stdout + done.stderr).split())), seen)
    return done


def answer(where, *arguments, status=0):
    done = duet(where, "--format", "json", *arguments, status=status)
    try:
        return json.loads(done.stdout)["benchmarks"]
    except (ValueError, KeyError):
        return [{"verdict": "", "b_over_a": {"ratio": 0}, "a_over_a": {"ratio": 0}}]


def rows(where, pattern="*.csv"):
    (path,) = (where / "results/local/duet").glob(pattern)
    return rows_in(path)


def commands():
    """A planted change has its verdict, both ways round and through both spellings; three launches make a round."""
    where = HERE / "commands"
    program(where / "a")
    program(where / "b", base=1300)
    (one,) = answer(where, *TIME, "--check", "result 42", "--rounds", 12, "./a -n 1", "./b -n 1", status=1)
    expect("slower", one["verdict"] == "SLOWER" and 1.2 < one["b_over_a"]["lower"] < 1.3 <
           one["b_over_a"]["upper"] < 1.4, one)
    expect("A/A", one["a_over_a"]["alone"] not in ("SLOWER", "FASTER") and one["rounds"] == 12, one)
    seen = rows(where)
    groups = [sorted(r["arm"] for r in seen[i:i + 3]) for i in range(0, 36, 3)]
    expect("rounds", len(seen) == 36 and groups == [["A", "A again", "B"]] * 12, groups)
    expect("orders", len({tuple(r["arm"] for r in seen[i:i + 3]) for i in range(0, 36, 3)}) > 3)
    log = [line.split() for line in (where / "log").read_text().splitlines()]
    expect("who was launched", [name for name, _ in log] == ["b" if r["arm"] == "B" else "a" for r in seen])
    expect("environment", [int(size) for _, size in log] == [int(r["padding"]) for r in seen] and
           len({size for _, size in log}) > 20, log)
    (one,) = answer(where, *TIME, "--rounds", 8, "--", "./b", "---", "./a")
    expect("faster", one["verdict"] == "FASTER", one)
    program(where / "my.sorter")
    (one,) = answer(where, *TIME, "--rounds", 5, "./my.sorter", "./b")
    expect("too few rounds", one["verdict"] == "UNDECIDED", one)
    (one,) = answer(where, *TIME, "--rounds", 8, "./a", "./a --same")
    expect("no difference", one["verdict"] in ("no difference shown", "SAME"), one)
    done = duet(where, *TIME, "--rounds", 12, "--format", "markdown", "./a -n 1", "./b -n 1", "--check", "result 42",
                status=1, texts=["1 of 1 benchmarks are slower in B"])
    expect("markdown", re.search(r"^\| a, b \| 1\.\d+ s \| 1\.\d+ s \| 1\.\d+ \[1\.\d+, 1\.\d+\] \| \+\d+\.\d % \| "
                                 r"[01]\.\d+ \[.*\] \| SLOWER", done.stdout, re.M), done.stdout)
    expect("nothing was launched again", len((where / "log").read_text().splitlines()) == 36 + 3 * (8 + 5 + 8))
    duet(where, *TIME, "--rounds", 12, "--lang", "es", "./a -n 1", "./b -n 1", "--check", "result 42", status=1,
         texts=["veredicto", "MÁS LENTO", "12 rondas"])
    wait = ["--rounds", 6, "sleep 0.05", "sleep 0.0500"]
    (wall,), (cpu,) = answer(where, *wait), answer(where, "--cpu", *wait)
    known = sorted(float(r["cpu_s"]) for r in rows(where, "sleep-*.csv") if r["arm"] == "A")
    expect("--cpu", wall["seconds_a"] >= 0.05 > cpu["seconds_a"] and len(known) == 6 and
           abs(cpu["seconds_a"] - (known[2] + known[3]) / 2) < 1e-6, (wall, cpu, known))
    duet(where, "--rounds", 1, "echo 'a  b' \"c\" | grep -q 'a  b c'", "echo $HOME", texts=["UNDECIDED"])


def several():
    """Benchmarks of a file are decided together."""
    where = HERE / "several"
    for name, base in (("a", 1000), ("b", 1300)):
        program(where / name / "slow", base=base)
        program(where / name / "even")
    (where / "list").write_text("# two\nslow: {}/slow\n\neven: {}/even -n 2\n")
    both = answer(where, *TIME, "--rounds", 8, "--file", "list", "./a", "./b", status=1)
    expect("several", [(b["name"], b["verdict"]) for b in both][0] == ("slow", "SLOWER") and
           both[1]["verdict"] in ("SAME", "no difference shown"), both)
    (where / "twice").write_text("x: {}/slow\nx: {}/even\n")
    duet(where, "--file", "twice", "./a", "./b", status=2, texts=["twice:2: the name x is there twice"])
    (where / "none").write_text("no command\n")
    duet(where, "--file", "none", "./a", "./b", status=2, texts=["none:1: 'no command' is not NAME: COMMAND"])


def resumes():
    """Ctrl-C keeps what was launched, and the same command goes on."""
    where = HERE / "resumes"
    stop = f"[ $n != 10 ] || {{ kill -INT $PPID; sleep {FOREVER_S}; }}"
    program(where / "a", more=stop)
    done = run(where, STUDY, "duet", *TIME, "--rounds", "8", "./a", "./a")
    expect("ended by the signal", done.returncode == -signal.SIGINT, f"{done.returncode} {done.stderr}")
    expect("kept", len(rows(where)) == 9 and "15 launches are missing" in done.stderr, done.stderr)
    duet(where, *TIME, "--rounds", 8, "./a", "./a")
    expect("went on", len(rows(where)) == 24 and len((where / "log").read_text().splitlines()) == 25, rows(where))
    duet(where, *TIME, "--rounds", 2, "--again", "./a", "./a")
    expect("--again", len(rows(where)) == 6 and len(rows(where, "*.before")) == 24, rows(where))


def bad_launches():
    where = HERE / "bad"
    program(where / "a")
    program(where / "b", result=43)
    quick = ["--rounds", "2"]
    duet(where, *quick, *TIME, "--same-output", "./a", "./b", status=1,
         texts=["its output differs from that of the first launch", "result 4[23]", "an output was wrong"])
    duet(where, *quick, *TIME, "--check", "result 42", "./a", "./b x", status=1, texts=["--check"])
    duet(where, *quick, "./a", "sh -c 'echo seen; exit 3'", status=4, texts=["exit status 3", "seen"])
    duet(where, *quick, "--seconds", "T=([0-9])", "./a", "./b", status=4, texts=["no match of --seconds"])
    duet(where, *quick, "./a", "./nowhere x", status=2, texts=["cannot be started"])
    duet(where, *quick, "./a", f"sh -c 'sleep {FOREVER_S} &'", status=4, texts=["processes that it had started were running"])
    duet(where, *quick, "--timeout", "1", "./a", f"sleep {FOREVER_S}", status=4, texts=["not done within 1 s"])
    duet(where, *quick, "--prepare", "echo one >> p", "--cleanup", "echo one >> c", "./a", "./a x y")
    expect("--prepare and --cleanup", len((where / "p").read_text().split()) == 6 and
           len((where / "c").read_text().split()) == 2)
    for words, text in ((["./a -n 1"], "A and B are two, not 1"), (["--", "./a"], "study duet -- A --- B"),
                        (["./a", "x ' y"], "a quote is not closed"), (["--with", "n=1", "./a", "./b"], "--function"),
                        (["--layouts", "9", "./a", "./b"], "--layouts is of builds of libmaxpool"),
                        (["--bin", ".", "./a", "./b"], "--bin is of builds of libmaxpool"),
                        (["true", "false"], "commands of one word follow --"),
                        (["--same-output", "x", "y"], "--same-output is of commands"),
                        (["--cpu", *TIME, "./a", "./b"], "the time is what --seconds finds here"),
                        (["--build", "make", "./a", "./b"], "--build is of commits")):
        duet(where, *words, status=2, texts=[text])


def git(where, *words):
    return subprocess.run(["git", "-C", str(where), "-c", "user.name=nobody", "-c", "user.email=nobody@localhost",
                           *words], check=True, capture_output=True, text=True).stdout


def commits():
    """Two commits are built in worktrees, which are removed; a cache builds each once."""
    where, built = HERE / "repository", HERE / "built"
    for base in (1000, 1400):
        program(where / "bench.in", base=base, log=HERE / "log-commits")
        if base == 1000:
            git(HERE, "init", "--quiet", str(where))
        git(where, "add", "bench.in")
        git(where, "commit", "--quiet", "--message", str(base))
    build = f"echo built here; pwd >> {built}; cp bench.in bench"
    plan = ["--commits", "HEAD~1", "HEAD", "--repository", where, "--rounds", 8, *TIME]
    outside = HERE / "outside"
    outside.mkdir()

    def clean(what):
        expect(f"{what}: worktrees", len(git(where, "worktree", "list").splitlines()) == 1, git(where, "worktree", "list"))
        expect(f"{what}: folders", not list(HERE.glob("duet-*")), list(HERE.glob("duet-*")))

    (one,) = answer(outside, *plan, "--build", build, "--", "./bench", status=1)
    expect("commits", one["verdict"] == "SLOWER" and 1.25 < one["b_over_a"]["ratio"] < 1.5, one)
    expect("each is built in a place of its own", len(set(built.read_text().split())) == 2, built.read_text())
    logs = [p.read_text() for p in (outside / "results/local/duet").glob("build-*.log")]
    expect("logs", logs == ["built here\n"] * 2, logs)
    clean("commits")
    duet(outside, *plan, "--build", build, "--", "./bench", status=1)
    expect("nothing is missing, so nothing is built", len(built.read_text().split()) == 2)
    for _ in range(2):
        duet(outside, *plan, "--again", "--build", build, "--cache", "cache", "--", "./bench", status=1)
    expect("the cache builds once", len(built.read_text().split()) == 4, built.read_text())
    clean("cache")
    duet(outside, *plan, "--build", "echo planted; false", "--", "./bench", status=2,
         texts=["planted", "failed for HEAD~1", r"build-\w+\.log"])
    clean("a build that fails")
    duet(outside, "--commits", "HEAD", "nowhere", "--repository", where, "--", "./bench", status=2,
         texts=["nowhere is no commit"])
    duet(outside, "--commits", "HEAD", "HEAD", "--repository", where, status=2, texts=["after --"])
    before = {p.name for p in outside.iterdir()}
    duet(outside, *plan, "--again", "--build", build, "--cache", "./" * 2040 + "kept", "--", "./bench", status=2,
         texts=[r"'(\./)+\.?\.\.\.' is too long: at most \d+ bytes"])
    seen = {p.name for p in outside.iterdir()} - before
    expect("a path is not cut", not seen, seen)
    for line in (f"touch started; sleep {FOREVER_S}", "cp bench.in bench"):
        stopped(outside, where, line)
        clean(f"Ctrl-C: {line}")


def stopped(outside, where, line):
    """Ctrl-C while a commit is built, or while it is launched."""
    child = subprocess.Popen([STUDY, "duet", "--commits", "HEAD", "HEAD~1", "--repository", str(where), "--build", line,
                              "--", "sh", "-c", f"touch started; sleep {FOREVER_S}"], cwd=outside, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    expect(f"began: {line}", wait_until(lambda: list(HERE.glob("duet-*/*/started")), child))
    child.send_signal(signal.SIGINT)
    expect(f"ended: {line}", child.wait(PATIENCE_S) == -signal.SIGINT, child.returncode)


FUNCTION = "float pool(const float *in, float *out, int n, double scale)"


def functions():
    """One function of two shared objects."""
    where = HERE / "functions"
    where.mkdir()
    for name, line in (("old", "out[i] = in[i] * (float)scale"), ("new", "out[i] = (float)scale * in[i]"),
                       ("wrong", "out[i] = in[i]")):
        (where / f"{name}.c").write_text(f"{FUNCTION};\n{FUNCTION}\n{{\n    for (int i = 0; i < n; i++)\n        {line};\n"
                                         "    return out[0] + out[n - 1];\n}\n")
        subprocess.run([*CC, "-O1", "-shared", "-fPIC", "-o", f"{name}.so", f"{name}.c"], cwd=where, check=True)
    call = ["--function", FUNCTION, "--with", "n=1000", "--with", "out=2*n", "--with", "scale=0.5"]
    (one,) = answer(where, "--rounds", 2, "--same-output", *call, "old.so", "./new.so")
    expect("function", one["name"] == "pool" and 0 < one["seconds_a"] < 60, one)
    duet(where, "--rounds", 2, "--same-output", *call, "old.so", "wrong.so", status=1, texts=["differs"])
    duet(where, "--rounds", 2, "--function", FUNCTION, "--with", "n=9", "old.so", "new.so", status=2,
         texts=["what is scale\\? --with 'scale=1000' says it"])
    duet(where, "--rounds", 2, "--function", "void f(struct s *x)", "old.so", "new.so", status=2,
         texts=["'struct s \\*x' is no parameter"])
    duet(where, "--rounds", 2, "--function", "int nothing(int n)", "--with", "n=1", "old.so", "new.so", status=4,
         texts=["undefined symbol: nothing"])
    duet(where, *call, "old.so", "gone.so", status=2, texts=["gone.so: No such file"])


def page():
    """Options that docs/ci.md names in a command of study duet are options of it."""
    known = set(re.findall(r"--[a-z-]+", duet(HERE, "--help").stdout))
    blocks = re.findall(r"^```(?:sh|yaml)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    lines = [line.split(" -- ")[0] for block in blocks for line in block.splitlines() if "study duet" in line]
    named = {option for line in lines for option in re.findall(r"(?<![^ ])--[a-z-]+", re.sub(r"'[^']*'", "", line))}
    expect("commands of the page", len(lines) >= 8 and len(named) > 8, (lines, named))
    expect("options of the page", named <= known, named - known)


def main():
    for test in (commands, several, resumes, bad_launches, commits, functions, page):
        test()
    if not faults:
        subprocess.run(["rm", "-rf", str(HERE)], check=True)
    return finish("study duet of commands is as it is described")


sys.exit(main())
