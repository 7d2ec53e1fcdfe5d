#!/usr/bin/env python3
"""study speedup -- COMMAND and --csv FILE: any program is measured in interleaved rounds that resume, known times give
the known fraction, a sentence says why a launch does not count, and Ctrl-C loses nothing.
Usage: test_own_program.py FOLDER_OF_PROGRAMS PAGE      PAGE: docs/own_program.md, whose examples are run"""
import concurrent.futures
import csv
import fnmatch
import hashlib
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import FOREVER_S, PATIENCE_S, expect, finish, rows_in, run, wait_until

STUDY = str(pathlib.Path(sys.argv[1]).resolve() / "study")
PAGE = pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(tempfile.mkdtemp(prefix="own_program-"))
os.environ.update({"MAXPOOL_WAIT": "0", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})

# A program whose printed time has a serial part of 20 %: no clock decides anything.
PLANTED = """#!/bin/sh
echo "$1 $OMP_NUM_THREADS" >> log
echo "Elapsed: $(awk "BEGIN { printf \\"%.6f\\", 0.2 + 0.8 / $1 }")"
echo "result 42"
"""
TIME = ["--seconds", r"Elapsed: (\d+\.\d+)"]


class Folder:
    """A folder of its own with a program ./mine and nothing of the suite."""

    def __init__(self, name, script=PLANTED):
        self.path = HERE / name
        self.path.mkdir()
        self.write(script)

    def write(self, script, name="mine"):
        (self.path / name).write_text(script)
        (self.path / name).chmod(0o755)

    def study(self, *arguments, status=0, charts="none"):
        done = subprocess.run([STUDY, "speedup", "--charts", charts, *map(str, arguments)], cwd=self.path,
                              text=True, capture_output=True, timeout=PATIENCE_S, check=False)
        expect(f"{self.path.name}: status of {arguments}", status is None or done.returncode == status,
               f"{done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def rows(self, pattern="speedup_*"):
        """The samples of an experiment, in the order of the file: of its own one, or of the one of all."""
        rows = []
        for path in sorted((self.path / "results").glob(f"*/{pattern}.csv")):
            if path.name.count(".") == 1:
                rows += rows_in(path)
        for path in (self.path / "results").glob("*/samples.csv"):
            rows += [r for r in rows_in(path) if fnmatch.fnmatch(r["experiment"], pattern)]
        return rows

    def table(self, ending, pattern="*"):
        (path,) = (self.path / "results").glob(f"*/analysis/{pattern}.{ending}")
        return rows_in(path)

    def log(self):
        log = self.path / "log"
        return log.read_text().split("\n")[:-1] if log.exists() else []


def near(value, wanted, error=1e-6):
    return value != "" and abs(float(value) - wanted) < error


# ---- what is measured ------------------------------------------------------------------------------------------------
def rounds_are_interleaved_and_resume():
    f = Folder("rounds")
    command = ["--threads", "1,2,4", *TIME, "--check", "result 42", "--", "./mine", "{threads}"]
    out, _ = f.study("--launches", 2, *command)
    expect("launches", "0 of 6 launches were there, 6 done now, 0 failed, 0 missing" in out, out)
    rows = f.rows()
    for i in (0, 3):
        expect("a round has each worker count once", sorted(r["threads"] for r in rows[i:i + 3]) == ["1", "2", "4"])
    expect("rounds", [r["round"] for r in rows] == ["0"] * 3 + ["1"] * 3, rows)
    expect("threads and OMP_NUM_THREADS", all(line.split()[0] == line.split()[1] for line in f.log()), f.log())
    expect("the times are the printed ones", all(near(r["total_s"], 0.2 + 0.8 / int(r["threads"])) for r in rows))
    expect("who and what", {(r["operator"], r["method"], r["space"], r["verified"]) for r in rows} ==
           {("program", "mine", "omp", "check")}, rows[0])
    out, _ = f.study("--launches", 6, *command)
    expect("goes on", "6 of 18 launches were there, 12 done now" in out, out)
    orders = {tuple(r["threads"] for r in f.rows()[i:i + 3]) for i in range(0, 18, 3)}
    expect("rounds have several orders", len(orders) > 1, orders)


def resumes():
    f = Folder("resumes")
    command = ["--launches", 2, *TIME, "--check", "result 42", "--", "./mine", "{threads}"]
    f.study("--threads", "1,2", *command)
    out, _ = f.study("--threads", "1,2", *command)
    expect("nothing is missing", "4 of 4 launches were there, 0 done now" in out and len(f.log()) == 4, out)
    out, _ = f.study("--threads", "1,3", *command)
    expect("another worker count", "2 of 4 launches were there, 2 done now" in out, out)
    out, _ = f.study("--threads", "1,2,3", "--again", *command)
    expect("--again", "0 of 6 launches were there, 6 done now" in out, out)
    expect("a new set", [(r["set"], r["set_launches"]) for r in f.rows()[-6:]] == [("2", "2")] * 6, f.rows()[-1])
    expect("replaces the old one", {m["launches"] for m in f.table("points.csv", "speedup_mine*") if
                                    m["threads"] in "123"} == {"2"})
    f.write(PLANTED + "# another build\n")
    out, _ = f.study("--threads", "1", *command)
    expect("another build is another program", "0 of 2 launches were there, 2 done now" in out, out)


def outputs():
    f = Folder("outputs")
    shutil.copy(f.path / "mine", f.path / "my program;1")
    out, _ = f.study("--threads", "1,2", "--launches", 6, *TIME, "--check", "result", "--", "./my program;1",
                     "{threads}", charts="svg,pdf,png")
    names = sorted(p.name for p in (f.path / "results/local/charts").iterdir())
    expect("two figures in three formats", [n.split("-")[-1] for n in names] ==
           [f"{chart}.{form}" for chart in ("efficiency", "speedup") for form in ("pdf", "png", "svg")], names)
    tex = next((f.path / "results/local/analysis").glob("*.tex")).read_text()
    expect("LaTeX", r"\caption{Speedup of the program my program 1" in tex and r"\label{tab:speedup_my" in tex and
           "2 threads & 600 ms & 1.67" in tex, tex)
    marks = [r for r in f.table("speedup.csv") if r["row"] == "mark"]
    expect("table as CSV", near(marks[1]["speedup"], 1 / 0.6, 1e-5) and near(marks[1]["karp_flatt"], 0.2, 1e-5), marks)
    expect("no law of another's program", not [r for r in f.table("speedup.csv") if r["law"] == "tesina"])
    expect("table as text", re.search(r"2 threads +600 ms +1\.67", out), out)
    expect("paragraph", "With 2 threads, my program 1 is 1.67 times as fast" in out.replace("\n", " "), out)
    out, _ = f.study("--lang", "es", "--threads", "1,2", "--launches", 6, *TIME, "--check", "result", "--",
                     "./my program;1", "{threads}")
    expect("Spanish", "la misma entrada" in out.replace("\n", " ") and "hilos" in out, out)
    tex = next((f.path / "results/local/analysis").glob("*.tex")).read_text()
    expect("LaTeX in Spanish", r"\caption{Aceleración del programa my program 1: tiempo total" in tex, tex)
    point = pathlib.Path(STUDY).parent / "maxpool_serial"  # what study records of a program is English
    _, errors = f.study("--lang", "es", "--threads", "1", "--launches", 2, "--", point, "--metod", status=4)
    expect("study's language", "Su estado de salida es 2, y su salida:\n"
           "maxpool_serial: unknown option '--metod'" in errors, errors)
    report = run(f.path, STUDY, "report")
    expect("report", report.returncode == 0 and "922337" not in (f.path / "results/local/report.md").read_text(),
           report.stderr)


def ranks_workers_and_titles():
    f = Folder("ranks", "#!/bin/sh\necho \"$@ $OMP_NUM_THREADS\" >> log\n")
    f.study("--ranks", "1,2", "--threads", "1,3", "--launches", 1, "--title", "Heat", "--same-output", "--",
            "./mine", "{ranks}x{threads}={workers}", "{other}", "{size")
    expect("places", sorted(f.log()) == ["1x1=1 {other} {size 1", "1x3=3 {other} {size 3", "2x1=2 {other} {size 1",
                                         "2x3=6 {other} {size 3"], f.log())
    rows = f.rows()
    expect("ranks", {(r["space"], r["method"]) for r in rows} == {("mpi", "Heat")}, rows)


def weak_scaling():
    f = Folder("weak", "#!/bin/sh\necho \"$1 $2\" >> log\necho \"t=$(awk \"BEGIN { print $2 / 100 / "
               "(0.1 + 0.9 * $1) }\")\"\n")
    out, _ = f.study("--weak", "--threads", "1,2", "--size", 100, "--launches", 2, "--seconds", "t=([0-9.]+)", "--",
                     "./mine", "{threads}", "{size}")
    expect("sizes grow", sorted(f.log()) == ["1 100", "1 100", "2 200", "2 200"], f.log())
    expect("scaled speedup", re.search(r"2 threads .* 1\.90", out), out)


def prepare_and_cleanup():
    f = Folder("prepare", "#!/bin/sh\necho run >> log\n")
    f.study("--threads", "1,2", "--launches", 3, "--prepare", "echo prepare {threads} >> log", "--cleanup",
            "echo cleanup {threads} >> log", "--", "./mine")
    log = f.log()
    expect("--prepare before each launch", all(log[i].startswith("prepare") and log[i + 1] == "run"
                                               for i in range(0, 12, 2)), log)
    expect("--cleanup at the end", log[12:] == ["cleanup 1", "cleanup 2"], log)


def budgets():
    f = Folder("budget")
    out, _ = f.study("--threads", "1,2", "--launches", 2, "--budget", 60, *TIME, "--", "./mine", "{threads}")
    expect("further rounds", "10 done now" not in out and "12 done now (8 of them in further rounds)" in out, out)
    f = Folder("short", "#!/bin/sh\nsleep 0.4\n")
    out, _ = f.study("--threads", "1,2", "--launches", 9, "--budget", 1, "--", "./mine")
    expect("a short budget", "The budget was too short for every launch" in out and len(f.rows()) < 18, out)


# ---- times from a file -----------------------------------------------------------------------------------------------
def times(name, text, *options, status=0):
    f = Folder(name)
    (f.path / "times.csv").write_text(text)
    out, err = f.study("--csv", "times.csv", *options, status=status)
    return f, out, err


def known_times():
    counts = (1, 2, 4, 8, 16)
    text = "workers,seconds,repetition\n" + "".join(
        f"{p},{10 * (0.2 + 0.8 / p):.9f},{r}\n" for r in range(6) for p in counts)
    f, out, _ = times("csv", text)
    laws = [r for r in f.table("speedup.csv") if r["row"] == "law" and r["law"] == "fitted"]
    expect("f is recovered", laws and near(laws[0]["share"], 0.8) and near(laws[0]["bound"], 5.0, 1e-5), laws[:1])
    marks = {r["workers"]: r for r in f.table("speedup.csv") if r["row"] == "mark"}
    expect("Karp-Flatt", all(near(marks[str(p)]["karp_flatt"], 0.2) for p in counts[1:]), marks)
    expect("no cores of this machine", all(m["beyond"] == "0" and m["cores"] == "" for m in marks.values()), marks)
    expect("table", re.search(r"16 threads +2\.50 s +4 +25 % +20 % +4(\.00)?$", out, re.M), out)
    f, out, _ = times("given", "workers,seconds\n1,10\n2,6\n", "--fraction", 0.9)
    laws = [r for r in f.table("speedup.csv") if r["row"] == "law" and r["law"] != "ideal"]
    expect("the law of the given f", {r["law"] for r in laws} == {"given"} and
           all(near(r["speedup"], 1 / (0.1 + 0.9 / float(r["workers"])), 1e-4) and near(r["bound"], 10.0)
               for r in laws), laws[:3])
    words = " ".join(out.split())
    expect("the given f is said", "For the given f = 0.9, Amdahl's law allows 1.82 with 2 threads; its bound is 10"
           in words and "Amdahl: for the given f = 0.9." in words and re.search(r"2 threads +6 s .* 1\.82$", out, re.M), out)
    text = "ranks,seconds\n" + "".join(f"{p},{10 * (0.2 + 0.8 / p):.9f}\n" for p in (4, 8, 16, 32))
    f, out, _ = times("base", text, "--base", 4)
    serial = 0.2 / (0.2 + 0.8 / 4)  # of the time with four
    laws = [r for r in f.table("speedup.csv") if r["row"] == "law" and r["law"] == "fitted"]
    marks = {r["workers"]: r for r in f.table("speedup.csv") if r["row"] == "mark"}
    expect("f over a base", laws and near(laws[0]["share"], 1 - serial) and near(laws[0]["bound"], 4 / serial, 1e-5),
           laws[:1])
    expect("speedups over a base", all(near(marks[str(p)]["speedup"], 4 * 0.4 / (0.2 + 0.8 / p)) for p in (4, 8, 16, 32)),
           marks)
    expect("Karp-Flatt over a base", all(near(marks[str(p)]["karp_flatt"], serial) for p in (8, 16, 32)), marks)
    expect("a law passes the marks", all(near(r["speedup"], 4 * 0.4 / (0.2 + 0.8 / float(r["workers"])), 1e-4)
                                         for r in laws), laws[:3])
    words = out.replace("\n", " ")
    expect("the base is said", "1.78 times as fast as with 4 workers of the same program" in words and
           "Speedups are over 4 workers, which count as 4 times as fast as one" in words, out)
    tex = next((f.path / "results/times/analysis").glob("*.tex")).read_text()
    expect("the base in the caption", "Speedups are over 4 workers" in tex and "over one worker" not in tex, tex)
    _, _, err = times("no_base", text, "--base", 5, status=2)
    expect("a base without times", "--base: there are no times with 5 workers" in err, err)
    text = "sep=;\n# USL\nSeconds; Ranks ;host\n" + "".join(
        f"{(10 * (1 + 0.05 * (p - 1) + 0.01 * p * (p - 1)) / p):.9f};{p};x\n".replace(".", ",") for p in counts)
    f, out, _ = times("usl", text, "--title", "Stencil")
    (fit,) = [r for r in f.table("fits.csv") if r["model"] == "usl" and r["metric"] == "total"]
    parameters = {fit[f"parameter_{i}"]: fit[f"value_{i}"] for i in (1, 2, 3) if f"parameter_{i}" in fit}
    expect("USL", near(parameters.get("sigma", ""), 0.05) and near(parameters.get("kappa", ""), 0.01), fit)
    expect("ranks and title", re.search(r"Stencil +4 ranks", out), out)
    text = "".join(f"{p}\t{10 * p / (0.1 + 0.9 * p):.9f}\n" for p in counts)
    f, out, _ = times("gustafson", text, "--weak")
    laws = [r for r in f.table("speedup.csv") if r["row"] == "law" and r["law"] == "fitted"]
    expect("Gustafson's s", laws and near(laws[0]["share"], 0.9), laws[:1])


PRINTED = [  # what a program prints, the expression, and the seconds of it; None: it is no time
    ("Elapsed: 0.45", r"Elapsed: (\S+)", 0.45), ("Elapsed: 4.5e-1 s", r"Elapsed: (\S+)", 0.45),
    ("Tiempo: 0,45 s", r"Tiempo: ([0-9,]+)", 0.45), ("Tiempo: 1,234 s", r"Tiempo: ([0-9,]+)", 1.234),
    ("time = 450 ms", r"time = (\S+)", 0.45), ("time = 450ms", r"time = ([0-9.]+)", 0.45),
    ("time = 450 ms", r"time = (.*)", 0.45), ("(450 us)", r"([0-9]+) us", 450e-6), ("t: 450 ns.", r"t: ([0-9]+)", 450e-9),
    ("real 1m2.5s", r"real (\S+)", 62.5), ("real 1m2,5s", r"real (\S+)", 62.5), ("1:02.50 elapsed", r"(\S+) elapsed", 62.5),
    ("took 1.5 min 1.2 max 2", r"took ([0-9.]+)", 1.5), ("took 3 steps", r"took ([0-9]+)", 3),
    ("took 1,234.5 s", r"took (\S+)", 1234.5), ("took 1.234,5 ms", r"took ([0-9.,]+)", 1.2345),
    ("t 450 milliseconds", r"t (\d+)", 0.45), ("t 450 Milisegundos", r"t (\d+)", 0.45), ("t 450 usec", r"t (\d+)", 450e-6),
    ("t 2 seconds 300 milliseconds", r"t (.*)", 2.3), ("took 1.5 minutes", r"took ([0-9.]+)", 90),
    ("Time (ms): 450", r"Time \(ms\): (\d+)", 0.45), ("tiempo_ms=450", r"tiempo_ms=(\d+)", 0.45),
    ("Time [us] 450 (12 ms)", r"Time.* (\d+) \(", 450e-6), ("items = 5", r"items = (\d+)", 5),
    ("t 1.5,2.5", r"t ([0-9.]+)", 1.5), ("450 (ms)", r"(\d+)", 0.45), ("10 ms 15", r"ms (\d+)", 15), ("12,13 s", r"(\d+),", 12), ("t 12.", r"t (\d+)", 12),
    ("took 12.5 s", r"took (\d+)", None), ("took 1.5e-1", r"took ([0-9.]+)", None), ("real 1m2.5s", r"real ([0-9.]+)", None),
    ("took 1:02.5", r"took (\d+)", None), ("took 1,5 s", r"took ([0-9.]+)", None), ("took 12.5", r".*([0-9.]+)", None),
    ("Time (min): 3", r"Time \(min\): (\d+)", 180), ("Time (h) = 2", r"Time \(h\) = (\d+)", 7200),
    ("t1_ms=450", r"t1_ms=(\d+)", 0.45), ("run 10 ms 15", r"run 10 ms (\d+)", 15), ("2 runs: t2 ms 15", r"t2 ms (\d+)", 0.015),
    ("Time: 3 min", r"Time: (\d+)", 180), ("Time: 3 min (180 s)", r"Time: (\d+)", 180), ("t: 1.5 min: 1.2", r"t: ([0-9.]+)", 1.5),
    ("1.5 min = 1.2", r"^([0-9.]+)", 1.5), ("t 1.5 min, 2 max", r"t ([0-9.]+)", 1.5), ("Time: 450 ms/iter", r"Time: (\d+)", 0.45),
    ('{"t": "450 ms"}', r'"t": "(\d+)', 0.45), ("Time: 450 ms\r", r"Time: (\d+)", 0.45), ("Time: 3 min\r", r"Time: (\d+)", 180),
    ("4,1.5", r"^4,([0-9.]+)", 1.5), ("4, 1.5", r"4, *([0-9.]+)", 1.5), ("took 12,5 s", r".*([0-9.]+)", None),
    ("t 3 min 20 s", r"t (\d+)", None), ("took 12,5 s", r"took [0-9,]*([0-9.]+)", None), ("t (x) 12,5", r"t \(x\).*([0-9.]+)", None),
    ("took long", r"took (\S+)", None), ("took 0x10", r"took (\S+)", None),
]


def printed_times(case):
    printed, expression, wanted = PRINTED[case]
    f = Folder(f"printed_{case}", f"#!/bin/sh\necho '{printed}'\n")
    _, err = f.study("--threads", "1,2", "--launches", 1, "--seconds", expression, "--", "./mine", "{threads}", status=None)
    times = [float(r["total_s"]) for r in f.rows()]
    expect(f"'{printed}' by '{expression}'", re.search("is no number above 0|is part of a longer number", err) if wanted is None
           else
           len(times) == 2 and all(near(s, wanted, 1e-9 * wanted) for s in times), f"{times} {err}")


def what_is_seen():
    """Without an interval no sentence speaks of one; a whole interval below 1 is called slower."""
    _, out, _ = times("seen_once", "workers,seconds\n1,10\n2,6\n4,4\n8,3\n")
    words = out.replace("\n", " ")
    expect("no interval", "There is no interval" in words and "interval contains 1" not in words, out)
    _, out, _ = times("seen_slower", "workers,seconds\n" + "1,10\n1,10.1\n2,14\n2,14.1\n" * 3)
    words = out.replace("\n", " ")
    expect("slower", "the whole interval lies below 1" in words and "No speedup is seen" not in words, out)
    _, out, _ = times("seen_alike", "workers,seconds\n" + "1,10\n1,11\n2,10.2\n2,10.8\n" * 3)
    words = out.replace("\n", " ")
    expect("alike", "No speedup is seen: the interval contains 1." in words, out)


def method_of_a_program():
    """The Method paragraph calls nothing of maxpool's the program's."""
    f = Folder("method")
    f.study("--threads", "1,2", "--launches", 9, *TIME, "--", "./mine", "{threads}")
    done = subprocess.run([STUDY, "thesis", "--results", "results/local", "-o", "thesis"], cwd=f.path, text=True,
                          capture_output=True, timeout=PATIENCE_S, check=False)
    text = (f.path / "thesis/thesis.tex").read_text()
    method = re.search(r"paragraph\{Method\.\}.*", text).group()
    left = re.search(r"\(of (\d) in order, numbers (\d) and (\d)\)", method)  # fewer than 9 where others disturbed some
    ranks = {"9": ("2", "8"), "8": ("1", "8"), "7": ("1", "7"), "6": ("1", "6")}
    expect("method", "what the program itself printed" in method and "the hash" in method and "compiled by" not in method and
           "commit" not in method and "resampling" not in method, method + done.stderr)
    expect("ranks of the interval", left and ranks[left[1]] == (left[2], left[3]), method)
    shutil.rmtree(f.path / "results")
    f.study("--threads", "1,2", "--launches", 9, "--", "./mine", "{threads}")
    subprocess.run([STUDY, "thesis", "--results", "results/local", "-o", "wall"], cwd=f.path, capture_output=True,
                   timeout=PATIENCE_S, check=False)
    text = (f.path / "wall/thesis.tex").read_text()
    expect("wall time", "from its start to its end" in text and "itself printed" not in text, text)


BAD_TIMES = [
    ("empty", "", "has no times"),
    ("header", "workers,parsecs\n1,2\n", "times.csv:1: the header has no column seconds"),
    ("nothing", "p,s\n", "has no times"),
    ("zero", "p,s\n0,2\n", "times.csv:2: '0' is no number of workers"),
    ("half", "p,s\n1.5,2\n", "times.csv:2: '1.5' is no number of workers"),
    ("negative", "p,s\n1,2\n\n2,-1\n", "times.csv:4: '-1' is no number of seconds above 0"),
    ("nan", "1,2\n2,nan\n", "times.csv:2: 'nan' is no number of seconds above 0"),
    ("few", "1,2\n2\n", "times.csv:2: this line has too few fields"),
    ("twice", "p,s,run\n1,2,1\n1,2,1\n", "times.csv:3: repetition 1 with 1 workers is there twice"),
    ("wide", "p\0,\0s\0\n\0", "times.csv: is text in UTF-16: save it in UTF-8"),
    ("quotes", 'p,s\n"1,2\n', "times.csv:2: its quotes are wrong"),
]


def bad_times(name, text, sentence):
    _, _, err = times("csv_" + name, text, status=2)
    expect(f"times {name}", sentence in err, err)


def bindings():
    """--bind gives a command the cores of its workers: by its mask, and a place for each thread of OpenMP or rank."""
    script = "#!/bin/sh\necho \"$(env -u OMP_NUM_THREADS nproc) $OMP_PLACES $OMP_PROC_BIND $OMPI_MCA_rmaps_base_mapping_policy\" >> log\n"
    cores = len(os.sched_getaffinity(0))
    for binding, policy in (("core", "core"), ("spread", "socket")):
        f = Folder("bind_" + binding, script)
        out, err = f.study("--threads", "1,2", "--launches", 1, "--bind", binding, "--", "./mine", status=None)
        if "this build has no hwloc" in err:
            return
        rows = f.rows()
        expect(f"--bind {binding} in the record", {(r["bind"], r["experiment"].endswith("_" + binding)) for r in rows} ==
               {(binding, True)} and len(rows) == 2, out + err)
        log = sorted(f.log(), key=lambda line: line.count("{"))
        expect(f"--bind {binding}: one place for each thread", [line.count("{") for line in log] == [1, 2] and
               all(line.endswith("} close ") for line in log), log)
        seen = [int(line.split()[0]) for line in log]
        expect(f"--bind {binding}: cores of the workers alone", seen[0] <= max(1, cores // 2) and seen[0] <= seen[1] <= cores,
               (log, cores))
        f = Folder("bind_ranks_" + binding, script)
        f.study("--ranks", 1, "--launches", 1, "--bind", binding, "--", "./mine", "{ranks}")
        expect(f"--bind {binding} of ranks", f.log()[0].endswith(f"  {policy}") and "{" not in f.log()[0], f.log())
    f = Folder("bind_none", script)
    f.study("--threads", 1, "--launches", 1, "--bind", "none", "--", "./mine")
    expect("--bind none", f.log()[0].split() == [str(cores)] and f.rows()[0]["bind"] == "", f.log())


# ---- definitions -----------------------------------------------------------------------------------------------------
GROWS = f"""#!/bin/sh
echo "$1 $2 $3 $OMP_NUM_THREADS" >> log
test "$1" != slow || test "$(wc -l < log)" != 5 || sleep {FOREVER_S}
test "$1" != bad || {{ echo "no such way"; exit 3; }}
echo "Elapsed: $(awk "BEGIN {{ printf \\"%.6f\\", $2 * (0.2 + 0.8 / $3) / 1000 }}") result 42"
"""
HEAD = "[experiment]\ntitle = Mine by size\nquestion = How does it grow?\nlaunches = 3\n"
POINTS = HEAD + """section = workers
charts = speedup growth
[points]
program = ./mine {method} {size} {threads}
seconds = Elapsed: (\\d+\\.\\d+)
check = result 42
method = plain fancy
size = 100 200
threads = 1,2,4
"""


def call(f, command, *arguments, status=0):
    done = subprocess.run([STUDY, command, *map(str, arguments)], cwd=f.path, text=True, capture_output=True, timeout=PATIENCE_S,
                          check=False)
    expect(f"{f.path.name}: status of {command} {arguments}", status is None or done.returncode == status,
           f"{done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def definitions():
    """A definition launches a program of another: its axes are the point's columns, and it resumes."""
    f = Folder("definition", GROWS)
    (f.path / "sizes.ini").write_text(POINTS)
    out, _ = call(f, "plan", "sizes.ini")
    expect("plan", "12 points" in out and "left out" in out and "3 launches of about" in out, out)
    out, _ = call(f, "run", "sizes.ini")
    expect("launches of a definition", "0 of 36 launches were there, 36 done now, 0 failed, 0 missing" in out, out)
    rows = f.rows("sizes")
    expect("the columns of its points",
           {(r["experiment"], r["program"], r["operator"], r["space"], r["cols"], r["verified"], r["launch"]) for r in rows} ==
           {("sizes", "sizes", "program", "omp", "1", "check", "command")}, rows[0])
    expect("each point in each round", sorted((r["method"], r["rows"], r["threads"], r["round"]) for r in rows) ==
           sorted((m, n, t, k) for m in ("plain", "fancy") for n in ("100", "200") for t in "124" for k in "012"), rows)
    expect("its times", all(near(r["total_s"], int(r["rows"]) * (0.2 + 0.8 / int(r["threads"])) / 1000) for r in rows))
    expect("places", sorted(f.log()) == sorted(f"{r['method']} {r['rows']} {r['threads']} {r['threads']}" for r in rows))
    orders = {tuple((r["method"], r["rows"], r["threads"]) for r in rows[i:i + 12]) for i in (0, 12, 24)}
    expect("rounds in several orders", len(orders) == 3, orders)
    usage = rows_in(f.path / "results/local/sizes.usage.csv")
    expect("what they used", {r["run_id"] for r in usage} == {r["run_id"] for r in rows}, usage[:1])
    out, _ = call(f, "run", "sizes.ini")
    expect("a whole definition", "36 of 36 launches were there, 0 done now" in out and len(f.log()) == 36, out)
    (f.path / "sizes.ini").write_text(POINTS.replace("100 200", "100 200 400"))
    out, _ = call(f, "run", "sizes.ini")
    expect("a further size", "36 of 54 launches were there, 18 done now" in out, out)
    out, _ = call(f, "status", "sizes.ini")
    expect("status", "54 of 54 launches done" in out, out)
    _, err = call(f, "plan", "--shell", "sizes.ini")
    expect("no commands for another machine", "18 points of your programs are left out" in err, err)


def definitions_are_reported():
    """speedup, growth, compare and report work on them."""
    f = Folder("reported", GROWS)
    (f.path / "sizes.ini").write_text(POINTS.replace("100 200", "100 200 400").replace("launches = 3", "launches = 6"))
    call(f, "run", "sizes.ini")
    call(f, "run", "sizes.ini", "--results", "later")
    out, _ = call(f, "compare", "results/local", "later", status=None)  # 3 where others compute: all is SUSPECT
    expect("compare", "sizes plain 200x1 threads=2" in out and "18 points: 0 faster, 0 slower" in out, out)
    call(f, "report", "--definitions", ".")
    page = (f.path / "results/local/report.md").read_text()
    expect("report", "Mine by size" in page and "922337" not in page, page[:500])
    marks = [r for r in f.table("speedup.csv", "sizes") if r["row"] == "mark"]
    expect("speedups of a definition", marks and all(
        near(m["speedup"], 1 / (0.2 + 0.8 / int(m["workers"])), 1e-4) for m in marks), marks[:2])
    grown = f.table("growth.csv", "sizes")
    expect("growth of a definition", {"100", "200", "400"} <= {r["x"].split(".")[0] for r in grown}, grown[:2])


def definitions_that_fail():
    """What fails is journalled and shown, the rest is measured; a wrong output is a wrong result."""
    f = Folder("failing", GROWS)
    (f.path / "ways.ini").write_text(POINTS.replace("plain fancy", "plain bad"))
    out, err = call(f, "run", "ways.ini", status=4)
    expect("a bad way", "18 done now, 6 failed" in out and "exit status 3" in err and "no such way" in err, out + err)
    expect("the bad way is launched once at each point", sum(line.startswith("bad") for line in f.log()) == 6, f.log())
    out, _ = call(f, "status", "ways.ini")
    expect("status says why", "exit status 3" in out and "./mine bad 100 1" in out and "no such way" in out, out)
    f.write(GROWS.replace("exit 3", "true"))
    out, _ = call(f, "run", "ways.ini", "--retry-failed")
    expect("tried again", "18 of 36 launches were there, 18 done now, 0 failed, 0 missing" in out, out)
    (f.path / "wrong.ini").write_text(POINTS.replace("check = result 42", "check = result 41"))
    _, err = call(f, "run", "wrong.ini", status=1)
    expect("a wrong output", "no match of --check 'result 41'" in err and
           {r["verified"] for r in f.rows("wrong")} == {"wrong"}, err)
    (f.path / "lost.ini").write_text(POINTS.replace("./mine", "./lost"))
    out, _ = call(f, "plan", "lost.ini")
    expect("no such program", "no program ./lost here" in out, out)
    (f.path / "five.ini").write_text(POINTS.replace("./mine {method}", "sh -c 'echo full; exit 5' {method}"))
    _, err = call(f, "run", "five.ini", status=4)
    expect("status 5 of another is no full disk", "can no longer be written" not in err, err)


def definitions_with_phases():
    """seconds.PHASE: each is a method; a program that is rebuilt, and one without workers, are measured too."""
    f = Folder("parts", "#!/bin/sh\necho x >> log\necho \"Read 0.5 Solve $(awk "
               "\"BEGIN { print 1 / $OMP_NUM_THREADS }\")\"\n")
    (f.path / "parts.ini").write_text(HEAD + "[points]\nprogram = ./mine\ntitle = Heat\nthreads = 1 2\n"
                                      "seconds.read = Read ([0-9.]+)\nseconds.solve = Solve ([0-9.]+)\n"
                                      "[points alone]\nprogram = ./mine\ntitle = Cold\nprepare = echo x >> prepared\n")
    (f.path / "log").touch()
    call(f, "run", "parts.ini")
    rows = f.rows("parts")
    seen = sorted({(r["program"], r["method"], r["space"], r["threads"]) for r in rows})
    expect("a method of each phase", seen == [("Cold", "Cold", "serial", ""), ("Heat", "read", "omp", "1"),
                                              ("Heat", "read", "omp", "2"), ("Heat", "solve", "omp", "1"),
                                              ("Heat", "solve", "omp", "2")], seen)
    expect("one launch for its phases", len(f.log()) == 9 and len(rows) == 15, (f.log(), len(rows)))
    expect("times of phases", {r["total_s"] for r in rows if (r["method"], r["threads"]) == ("solve", "2")} == {"0.5"})
    expect("no check", {r["verified"] for r in rows} == {"none"})
    expect("prepare", (f.path / "prepared").read_text() == "x\n" * 3)


PRINTS = """#!/bin/sh
echo "$1 $OMP_NUM_THREADS" >> log
echo "sum $1 $(cat odd$1-$OMP_NUM_THREADS 2>/dev/null)"
"""


def definitions_compare_outputs():
    """same_output: launches that differ in their workers alone print the same, also across two calls and in a
    set that is begun again, unless all are. expect_hash: the hash of that of every launch."""
    f = Folder("alike", PRINTS)
    text = HEAD.replace("3", "2") + "[points]\nprogram = ./mine {size}\nsame_output = 1\nsize = 5 6\nthreads = 1\n"
    (f.path / "alike.ini").write_text(text)
    call(f, "run", "alike.ini")
    expect("sizes may print what they like", {r["verified"] for r in f.rows("alike")} == {"check"}, f.rows("alike"))
    (f.path / "odd6-2").write_text("other")
    (f.path / "alike.ini").write_text(text.replace("threads = 1", "threads = 1 2"))
    out, err = call(f, "run", "alike.ini", status=1)
    wrong = {(r["rows"], r["threads"]) for r in f.rows("alike") if r["verified"] == "wrong"}
    expect("another output with more threads, in a later call", wrong == {("6", "2")} and
           "differs from that of the first launch" in err and "6 of 8" not in out, (wrong, out + err))
    expect("it is not launched again", f.log().count("6 2") == 1 and f.log().count("5 2") == 2, f.log())
    again = ["alike.ini", "--definitions", ".", "--again"]
    _, err = call(f, "run", *again, "invalid", status=1)
    expect("measured afresh it differs from the others still", f.rows("alike")[-1]["verified"] == "wrong" and
           f.rows("alike")[-1]["set"] == "2", f.rows("alike")[-1])
    f.write(PRINTS.replace("sum", "total"))
    (f.path / "odd6-2").unlink()
    call(f, "run", *again, "alike")
    newest = {(r["rows"], r["threads"], r["round"]): r["verified"] for r in f.rows("alike") if r["set"] in ("2", "3")}
    expect("new sets of all begin with an output of their own", len(newest) == 8 and set(newest.values()) == {"check"},
           newest)
    f = Folder("once", PRINTS)
    (f.path / "odd6-2").write_text("other")
    (f.path / "once.ini").write_text(text.replace("threads = 1", "threads = 1 2"))
    call(f, "run", "once.ini", status=1)
    expect("another output in one call", {r["rows"] for r in f.rows("once") if r["verified"] == "wrong"} == {"6"},
           f.rows("once"))
    f = Folder("known", PRINTS)
    known = hashlib.sha256(b"sum 5 \n").hexdigest()
    (f.path / "known.ini").write_text(text.replace("same_output = 1", f"expect_hash = {known}"))
    _, err = call(f, "run", "known.ini", status=1)
    expect("expect_hash", {(r["rows"], r["verified"]) for r in f.rows("known")} == {("5", "check"), ("6", "wrong")} and
           "not that of --expect-hash" in err, err)


def definitions_clean_up_and_move_bytes():
    """cleanup runs once for each point that was launched, after all; bytes are recorded by size and workers."""
    f = Folder("cleaned", "#!/bin/sh\necho \"run $1\" >> log\n")
    text = (HEAD + "[points]\nprogram = ./mine {size}\nsize = 10 20\nthreads = 1 2\nbytes = 24 * {size} * {size}\n"
            "cleanup = echo clean {size} {threads} >> log\n")
    (f.path / "cleaned.ini").write_text(text)
    call(f, "run", "cleaned.ini")
    log = f.log()
    expect("cleanup comes last", sorted(log[12:]) == ["clean 10 1", "clean 10 2", "clean 20 1", "clean 20 2"] and
           all(line.startswith("run") for line in log[:12]), log)
    call(f, "run", "cleaned.ini")
    expect("no cleanup without a launch", len(f.log()) == 16, f.log())
    usage = {r["run_id"]: r["moved_bytes"] for r in rows_in(f.path / "results/local/cleaned.usage.csv")}
    expect("bytes of a size", {(r["rows"], float(usage[r["run_id"]])) for r in f.rows("cleaned")} ==
           {("10", 2400.0), ("20", 9600.0)}, usage)
    call(f, "report", "--definitions", ".", "--charts", "none")
    moved = [(m["rate_of"], round(float(m["rate"] or 0) * float(m["seconds"]))) for m in f.table("speedup.csv", "cleaned")
             if m["row"] == "mark"]
    expect("the rate of a definition", moved and set(moved) <= {("memory", 2400), ("memory", 9600)}, moved)
    (f.path / "grown.ini").write_text(text.replace("20\n", "\nper_worker = size\n").replace("cleanup = echo clean",
                                                                                           "cleanup = exit 3;"))
    _, err = call(f, "run", "grown.ini", status=4)
    expect("a cleanup that fails", "--cleanup 'exit 3;" in err and "failed with exit status 3" in err, err)
    usage = {r["run_id"]: r["moved_bytes"] for r in rows_in(f.path / "results/local/grown.usage.csv")}
    expect("bytes grow with the workers of a definition", {(r["threads"], float(usage[r["run_id"]]))
                                                           for r in f.rows("grown")} == {("1", 2400.0), ("2", 9600.0)}, usage)


ENDS = f"""#!/bin/sh
echo run $1 >> log
case $1 in
fails) exit 3 ;;
killed) kill -9 $$ ;;
hangs) sleep {FOREVER_S} ;;
esac
echo result 41
"""


def cleanup_follows_every_end():
    """cleanup runs for each point whose program was started, however that ended."""
    f = Folder("ends", ENDS)
    ends = ["fails", "hangs", "killed", "wrong"]
    text = (HEAD.replace("launches = 3", "launches = 1") + "[points]\nprogram = ./mine {method}\n"
            f"check = result 42\nthreads = 1\nmethod = {' '.join(ends)}\ncleanup = echo clean {{method}} >> log\n")
    (f.path / "ends.ini").write_text(text)
    out, err = call(f, "run", "ends.ini", "--time-limit", "2s", status=None)
    expect("each was started", sorted(f.log()[:4]) == [f"run {end}" for end in ends], out + err)
    expect("cleanup after every end", sorted(f.log()[4:]) == [f"clean {end}" for end in ends], f.log())
    f = Folder("cut", ENDS)
    (f.path / "cut.ini").write_text(text.replace(" ".join(ends), "hangs"))
    with subprocess.Popen([STUDY, "run", "cut.ini"], cwd=f.path, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        wait_until(lambda: f.log(), process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    expect("cleanup after Ctrl-C", f.log() == ["run hangs", "clean hangs"], str(f.log()) + out + err)
    f = Folder("end", ENDS)
    f.study("--threads", "1,2", "--launches", 2, "--cleanup", "echo clean {threads} >> log", "--", "./mine", "fails",
            status=4)
    expect("cleanup after failures", f.log() == ["run fails"] * 2 + ["clean 1", "clean 2"], f.log())


BAD_DEFINITIONS = [
    # name, lines of [points], the line that the message names, sentence
    ("quote", "program = ./mine 'a\nthreads = 1", 6, "program: './mine 'a': a quote is not closed"),
    ("nothing", "program =\nthreads = 1", 6, "program: a command is empty"),
    ("regex", "program = ./mine\ncheck = (\nthreads = 1", 7, "check: '(' is no extended regular expression"),
    ("group", "program = ./mine\nthreads = 1\nseconds = t", 8, "seconds: 't' has no group"),
    ("phase", "program = ./mine\nseconds.a = t", 7, "seconds: "),
    ("one", "program = ./mine\nthreads = 1\nseconds.a = a(.)", 5, "one phase alone is the time of the launch"),
    ("mixed", "program = ./mine\nseconds.a = a(.)\nseconds = b(.)", 8, "either seconds or seconds.PHASE"),
    ("place", "program = ./mine {size}\nthreads = 1", 5, "the program has {size}, and this section has no size"),
    ("misspelt", "program = ./mine {thread}\nthreads = 1", 5, "the program has {thread}: did you mean {threads}?"),
    ("axis", "program = ./mine\nsize = 1 2", 5, "size has several values, and the program has no {size}"),
    ("ranks", "program = ./mine\nranks = 1 2", 5, "ranks has several values, and the program has no {ranks}"),
    ("kernel", "program = ./mine\nkernel = 3", 5, "a program of yours has no kernel"),
    ("both", "program = ./mine\nprograms = maxpool_omp\nsize = 4", 5, "both programs, which are ours, and program"),
    ("growth", "program = ./mine\nthreads = 1\nper_worker = rows", 5, "only the size grows with the workers"),
    ("ours", "programs = maxpool_omp\nsize = 4\ncheck = x", 5, "this section has no program"),
    ("hash", "program = ./mine\nexpect_hash = 12ab", 7, "expect_hash: '12ab' is no SHA-256"),
    ("same", "program = ./mine\nsame_output = yes", 7, "same_output: 'yes' is not 0 or 1"),
    ("bytes", "program = ./mine\nbytes = 3 x 4", 7, "is not a number of bytes above 0"),
    ("less", "program = ./mine\nbytes = 3 * -4", 7, "is not a number of bytes above 0"),
    ("star", "program = ./mine\nbytes = 3 *", 7, "is not a number of bytes above 0"),
    ("sizeless", "program = ./mine\nbytes = 3 * {size}", 5, "bytes has {size}, and this section has no size"),
    ("phased", "program = ./mine\nbytes = 3\nseconds.a = A ([0-9.]+)\nseconds.b = B ([0-9.]+)", 5,
     "bytes are those of a launch, and this section has several phases of it"),
    ("fixed", "program = ./mine {size}\nsize = 1 2\nbytes = 24", 5, "bytes = 24 would be the same for every size"),
    ("moved", "programs = maxpool_omp\nsize = 4\nbytes = 3", 5, "bytes are keys of a program of yours"),
    ("title", "program = ./mine\ntitle = " + 41 * "x", 7, "is not a title of at most 40 bytes"),
    ("titles", "program = ./mine\n[points more]\nprogram = ./other", 7, "are both called 'bad_titles'; give each a title"),
    ("method", "program = ./mine {method}\nmethod = a\nseconds.a = (.)\nseconds.b = (.)", 5, "without the axis method"),
]


def bad_definition(name, points, line, sentence):
    f = Folder("definition_" + name)
    (f.path / f"bad_{name}.ini").write_text(HEAD + "[points]\n" + points + "\n")
    _, err = call(f, "run", f"bad_{name}.ini", status=2)
    expect(f"bad definition {name}", f"bad_{name}.ini:{line}: " in err and sentence in err, err)
    expect(f"nothing is launched of {name}", not (f.path / "log").exists())


def definitions_are_interrupted():
    """The fifth launch lasts until it is ended."""
    f = Folder("stopped", GROWS)
    (f.path / "slow.ini").write_text(POINTS.replace("plain fancy", "slow"))
    with subprocess.Popen([STUDY, "run", "slow.ini"], cwd=f.path, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        wait_until(lambda: len(f.log()) == 5, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    expect("a run ends by the signal", process.returncode == -signal.SIGINT, out + err)
    done, launched = len(f.rows("slow")), len(f.log())
    expect("a run loses nothing", (done, launched) == (4, 5), f"{done} of {launched}")
    out, _ = call(f, "run", "slow.ini")
    expect("a run goes on", f"{done} of 18 launches were there, {18 - done} done now, 0 failed, 0 missing" in out, out)
    expect("each launch of a run once", len({(r["rows"], r["threads"], r["round"]) for r in f.rows("slow")}) == 18)


# ---- launches that do not count --------------------------------------------------------------------------------------
HASH = hashlib.sha256(b"42\n").hexdigest()
ONE = ["--threads", "1", "--launches", "2"]
BAD = [
    # name, script, options, status, sentence
    ("fails", "echo out; echo why >&2; exit 3", ONE, 4, "exit status 3\nIts exit status is 3, and its output:\nout\nwhy"),
    ("killed", "kill -SEGV $$", ONE, 4, "ended by signal 11"),
    ("no_match", "echo 42", [*ONE, *TIME], 4, "its output has no match of --seconds"),
    ("two_matches", "echo Elapsed: 1.5; echo Elapsed: 2.5", [*ONE, *TIME], 4, "matches several times with different"),
    ("zero", "echo Elapsed: 0.0", [*ONE, *TIME], 4, "is no number above 0"),
    ("no_number", "echo Elapsed: x", [*ONE, "--seconds", "Elapsed: (.*)"], 4, "is no number above 0"),
    ("slow", f"exec sleep {FOREVER_S}", [*ONE, "--timeout", "0.2s"], 4, "not done within 0.2 s; --timeout allows more"),
    ("children", f"sleep {FOREVER_S} & echo $! > child", ONE, 4, "it ended while processes that it had started were running"),
    ("wrong", "echo 41", [*ONE, "--check", "^42$"], 1, "no match of --check '^42$'\nIts exit status is 0, and its "
     "output:\n41"),
    ("hash", "echo 41", [*ONE, "--expect-hash", HASH], 1, "not that of --expect-hash"),
    ("differs", "echo x >> n; wc -l < n", [*ONE, "--same-output"], 1, "its output differs from that of the first"),
    ("prepared", ":", [*ONE, "--prepare", "echo no; exit 5"], 2, "--prepare 'echo no; exit 5' failed with exit status "
     "5: no"),
    ("cleaned", ":", [*ONE, "--cleanup", "exit 5"], 4, "--cleanup 'exit 5' failed with exit status 5"),
    ("terminal", "test -t 0 || { echo not a tty; exit 1; }", ONE, 4, "it has no terminal here, and its input is empty"),
    ("regex", ":", [*ONE, "--check", "("], 2, "--check: '(' is no extended regular expression"),
    ("no_group", ":", [*ONE, "--seconds", "x"], 2, "--seconds: 'x' has no group"),
    ("no_hash", ":", [*ONE, "--expect-hash", "abc"], 2, "--expect-hash: 'abc' is no SHA-256"),
    ("list", ":", ["--threads", "1,x"], 2, "--threads: 'x' is not"),
    ("no_ranks", ":", ["--ranks", "1,2"], 2, "the command has neither {ranks} nor {workers}"),
    ("none", ":", ["--threads", "none"], 2, "nothing to measure"),
    ("no_size", ":", ["--weak"], 2, "--weak: the command needs {size}"),
    ("base", ":", [*ONE, "--base", "4"], 2, "--base: 4 is none of the numbers of workers"),
    ("fraction", ":", [*ONE, "--fraction", "1"], 2, "fraction must be between 1e-06 and 0.999999, not 1"),
    ("weak_fraction", ":", ["--weak", "--fraction", "0.5"], 2, "--fraction is that of Amdahl's law: without --weak"),
    ("kernel", ":", ["--operator", "matmul"], 2, "--operator is an option of our programs"),
    ("csv", ":", ["--csv", "x"], 2, "--csv reads times, and there is a command after --"),
]


def bad(name, script, options, status, sentence):
    f = Folder("bad_" + name, f"#!/bin/sh\n{script}\n")
    out, err = f.study(*options, "--", "./mine", status=status)
    expect(f"bad {name}", sentence in err, out + err)
    verdicts = {"wrong": ["wrong"], "hash": ["wrong"], "differs": ["check", "wrong"], "cleaned": ["none", "none"]}
    expect(f"samples of bad {name}", [r["verified"] for r in f.rows()] == verdicts.get(name, []), f.rows())
    if name == "children":
        pid = (f.path / "child").read_text().strip()
        state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False).stdout
        expect("children are ended", state.strip()[:1] in ("", "Z"), state)


def bad_commands():
    f = Folder("commands")
    _, err = f.study("--threads", "1", "--", "./other", status=2)
    expect("no such program", "the command cannot be started: ./other: No such file" in err, err)
    for name, first, why in (("crlf", "#!/bin/sh\r", r"its interpreter is '/bin/sh\r', since its lines end in CRLF"),
                             ("nowhere", "#!/nowhere/sh", "its interpreter /nowhere/sh cannot be started: No such file")):
        f.write(f"{first}\necho x\n", name)
        _, err = f.study("--threads", "1", "--", f"./{name}", "{threads}", status=2)
        expect("an interpreter that is missing", f"the command cannot be started: ./{name}: {why}" in err, err)
        _, err = f.study("--threads", "1", "--prepare", ":", "--", f"./{name}", status=2)
        expect("found when it is launched", f"the command cannot be started: ./{name}: {why}" in err, err)
    _, err = f.study("--", status=2)
    expect("no command", "there is no command after --" in err, err)
    _, err = f.study("--check", "x", status=2)
    expect("an option without a command", "put its command after --" in err, err)
    _, err = f.study("--", "./mine", "{size}", status=2)
    expect("{size} without --size", "the command has {size}: give --size N" in err, err)
    _, err = f.study("--threads", "1", "--size", 5, "--", "./mine", status=2)
    expect("--size without {size}", "--size: the command has no {size}" in err, err)
    _, err = f.study("--threads", "1", "--", "./mine", "{thread}", status=2)
    expect("a misspelt place", "the command has {thread}: did you mean {threads}?" in err, err)
    _, err = f.study("--prepare", "echo {Rank}", "--", "./mine", "{threads}", status=2)
    expect("a misspelt place of --prepare", "the command has {Rank}: did you mean {ranks}?" in err, err)
    expect("nothing was launched", not (f.path / "log").exists())


def standard_input():
    """A program that reads its input: what study itself is given is not the launches'; a shell's command is one text."""
    f = Folder("input", "#!/bin/sh\nread n || { echo no number; exit 1; }\necho result $n\n")
    (f.path / "in.txt").write_text("42\n")
    with open(f.path / "in.txt", encoding="utf-8") as given:
        done = subprocess.run([STUDY, "speedup", *ONE, "--", "./mine"], cwd=f.path, text=True, capture_output=True,
                              timeout=PATIENCE_S, check=False, stdin=given)
    expect("an empty input", done.returncode == 4 and "exit status 1; its input is empty, study's own is not given to it: "
           "let a shell read a file, sh -c './mine < FILE'" in done.stderr, done.stderr)
    out, _ = f.study(*ONE, "--check", "result 42", "--", "./mine < in.txt")
    expect("one text", "mine " in out and "sh " not in out, out)
    f.study(*ONE, "--check", "result 1", "--", "sh", "-c", "echo {threads} | (./mine)")
    expect("named as the program", {(r["method"], r["verified"]) for r in f.rows()} == {("mine", "check")}, f.rows())
    f.write("#!/bin/sh\nread n\necho result $n, built anew\n")
    out, _ = f.study(*ONE, "--check", "result 42", "--", "./mine < in.txt")
    expect("another build in a shell's text", "0 of 2 launches were there, 2 done now" in out, out)
    _, err = f.study("./mine", status=2)
    expect("without --", "'./mine' is one argument too many; a program of yours stands behind --: study speedup -- ./mine"
           in err, err)
    (f.path / "my mine").write_text("#!/bin/sh\necho result 42\n")
    (f.path / "my mine").chmod(0o755)
    f.study(*ONE, "--check", "result 42", "--", "./my mine")


def good_checks():
    f = Folder("checks", "#!/bin/sh\necho x >> n\necho \"Elapsed: 0.$(wc -l < n)1\"\necho 42\n")
    f.study("--threads", "1,2", "--launches", 3, *TIME, "--same-output", "--check", r"^\d\d$", "--", "./mine")
    expect("the time is no difference", {r["verified"] for r in f.rows()} == {"check"} and len(f.rows()) == 6, f.rows())
    f = Folder("hashed", "#!/bin/sh\necho 42\necho noise $$ >&2\n")
    f.study("--threads", "1,2", "--launches", 3, "--expect-hash", HASH.upper(), "--", "./mine")
    expect("the hash of stdout", {r["verified"] for r in f.rows()} == {"check"} and len(f.rows()) == 6, f.rows())


def one_bad_worker_count():
    """The others are measured; the bad one is tried again by the next call."""
    f = Folder("one_bad", "#!/bin/sh\necho $1 >> log\ntest $1 != 2 || test -e good\n")
    command = ["--threads", "1,2,3", "--launches", 3, "--", "./mine", "{threads}"]
    out, err = f.study(*command, status=4)
    expect("one bad", f.log().count("2") == 1 and len(f.rows()) == 6 and "exit status 1" in err, out + err)
    (f.path / "good").touch()
    f.study(*command)
    expect("then good", len(f.rows()) == 9, f.rows())


ASKED = "does it use {threads} or OMP_NUM_THREADS?"
NOT_ASKED = "other programs took the cores"  # where tests run side by side; test_own_tally has the rest


def ignored_threads():
    f = Folder("ignores", "#!/bin/sh\nsleep 0.1\necho Elapsed: 1.0\n")
    _, err = f.study("--threads", "1,2", "--cores", 2, "--launches", 3, *TIME, "--", "./mine", "{threads}")
    expect("ignored threads", ASKED in err or NOT_ASKED in err, err)
    (f.path / "ignored.ini").write_text(HEAD + "[points]\nprogram = ./mine {threads} {size}\nthreads = 1 2\nsize = 3 4\n"
                                        "seconds = Elapsed: ([0-9.]+)\n")
    _, err = call(f, "run", "--cores", 2, "ignored.ini")
    expect("ignored threads of a definition", err.count(ASKED) + err.count(NOT_ASKED) == 1, err)
    (f.path / "alone.ini").write_text(HEAD + "[points]\nprogram = ./mine {threads} {size}\nthreads = 1\nsize = 3 4\n")
    _, err = call(f, "run", "--cores", 2, "alone.ini")
    expect("one thread ignores nothing", ASKED not in err and NOT_ASKED not in err, err)
    f = Folder("uses", PLANTED + "sleep 0.1\n")
    _, err = f.study("--threads", "1,2", "--cores", 2, "--launches", 3, *TIME, "--", "./mine", "{threads}")
    expect("used threads", ASKED not in err and NOT_ASKED not in err, err)


def terminals():
    """A program that reads the terminal of a study that has one would be stopped for ever."""
    f = Folder("tty", "#!/bin/sh\nread x < /dev/tty\n")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(f.path)
        os.execv(STUDY, [STUDY, "speedup", "--charts", "none", "--threads", "1", "--timeout", f"{PATIENCE_S}s", "--",
                          "./mine"])
    seen = b""
    try:
        while chunk := os.read(terminal, 4096):
            seen += chunk
    except OSError:
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    expect("a terminal", status == 4 and b"it waits for a terminal, and there is none here" in seen, seen)


def interrupts():
    """The sixth launch lasts until it is ended."""
    f = Folder("interrupt", f"#!/bin/sh\necho $1 >> log\ntest $(wc -l < log) != 6 || sleep {FOREVER_S}\n")
    command = [STUDY, "speedup", "--charts", "none", "--threads", "1,2", "--launches", "10", "--cleanup",
               "touch clean{threads}", "--", "./mine", "{threads}"]
    with subprocess.Popen(command, cwd=f.path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: len(f.log()) == 6, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    expect("ends by the signal", process.returncode == -signal.SIGINT, out + err)
    expect("says so", "Stopped as asked; run again to go on." in out, out)
    done, launched = len(f.rows()), len(f.log())
    expect("nothing is lost", (done, launched) == (5, 6), f"{done} of {launched}")
    expect("cleanup", (f.path / "clean1").exists() and (f.path / "clean2").exists())
    done_out, _ = f.study(*command[4:])
    expect("goes on", f"{done} of 20 launches were there, {20 - done} done now, 0 failed, 0 missing" in done_out,
           done_out)
    expect("each launch once", len(f.rows()) == 20 and
           len({(r["threads"], r["round"]) for r in f.rows()}) == 20, len(f.rows()))


def the_page_works():
    """Every example of the page, each study in a folder of its own; those with MPI where it is."""
    f = Folder("page")
    blocks = re.findall(r"```(c|sh|ini)\n(.*?)```", PAGE.read_text(), re.S)
    (f.path / "mine.c").write_text("".join(text for kind, text in blocks if kind == "c"))
    (f.path / "sizes.ini").write_text("".join(text for kind, text in blocks if kind == "ini"))
    environment = {**os.environ, "PATH": f"{pathlib.Path(STUDY).parent}:{os.environ['PATH']}"}
    lines = [line for kind, text in blocks if kind == "sh" for line in text.splitlines()]

    def run(line, folder):
        quick = line.replace("study speedup", "study speedup --charts none")
        done = subprocess.run(["sh", "-c", quick], cwd=folder, text=True, capture_output=True, timeout=PATIENCE_S,
                              env=environment, check=False)
        expect(f"the page: {line}", done.returncode == 0, done.stdout + done.stderr)

    studies = [line for line in lines if line.startswith("study") and ("mpirun" not in line or shutil.which("mpirun"))]
    for line in lines:
        if not line.startswith("study"):
            run(line, f.path)
    folders = [shutil.copytree(f.path, HERE / f"page{i}") for i in range(len(studies))]
    with concurrent.futures.ThreadPoolExecutor(len(studies)) as pool:
        list(pool.map(run, studies, folders))
    expect("the page has examples", len(studies) >= 6, lines)


def pitfalls():
    """The program of docs/pitfalls.md: both forms of a loop have one sum, on any number of threads, and its commands
    in either language are those of the other, and run."""
    f = Folder("pitfalls")
    root = PAGE.parent.parent
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-fopenmp", root / "examples/pitfalls.c", "-o",
                    f.path / "pitfalls"], check=True)
    sums = {"touch": sum(i % 8 for i in range(1003)), "uneven": sum((i + j) % 8 for i in range(103) for j in range(i + 1))}
    for loop, size, known in (("touch-one", 1003, "touch"), ("touch-all", 1003, "touch"), ("uneven", 103, "uneven"),
                              ("even", 103, "uneven")):
        for threads in (1, 2, 3, 7):
            done = subprocess.run([f.path / "pitfalls", loop, str(size)], text=True, capture_output=True, check=False,
                                  env=os.environ | {"OMP_NUM_THREADS": str(threads)})
            expect(f"{loop} on {threads} threads", re.fullmatch(rf"seconds \d+\.\d+\nsum {sums[known]}\n", done.stdout),
                   done.stdout + done.stderr)
    for wrong in ([], ["touched"], ["even", "0"]):
        done = subprocess.run([f.path / "pitfalls", *wrong], text=True, capture_output=True, check=False)
        expect(f"pitfalls {wrong}", done.returncode == 2 and done.stderr.startswith("usage: "), done.stderr)
    pages = [re.findall(r"^study (?!roofline).*$", (root / "docs" / page).read_text(), re.M)
             for page in ("pitfalls.md", "es/pitfalls.md")]
    expect("pitfalls in two languages", pages[0] == [line.replace(" --lang es", "") for line in pages[1]], pages)
    own = [line for line in pages[0] if "./pitfalls" in line]
    expect("pitfalls has commands", len(own) == 5 and len(pages[0]) == 8, pages[0])
    for line in own:
        words = shlex.split(line.replace(" --launches 1", ""))[2:]
        seen, _ = f.study("--launches", 1, *words, 1000)
        expect(f"a table of {line}", re.search(r"^pitfalls +1 thread .*s$|^pitfalls +1 thread ", seen, re.M), seen)


def rewrite(path, change):
    """Changes each row of a CSV file."""
    rows = rows_in(path)
    for i, row in enumerate(rows):
        change(row, i)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def phases():
    """Each --seconds with a name is a phase: a sample, a row and a curve of its own."""
    script = PLANTED + 'echo "Read: 0.5 Solve: $(awk "BEGIN { print 1 / $1 }")"\n'
    f = Folder("phases", script)
    named = ["--seconds", "solve=Solve: ([0-9.]+)", "--seconds", "read=Read: ([0-9.]+)"]
    command = ["--threads", "1,2", "--launches", 3, *named, "--check", "result 42", "--", "./mine", "{threads}"]
    out, _ = f.study(*command)
    seen = sorted({(r["method"], r["threads"], r["total_s"]) for r in f.rows()})
    expect("a sample of each phase", seen == [("read", "1", "0.5"), ("read", "2", "0.5"), ("solve", "1", "1"),
                                              ("solve", "2", "0.5")] and len(f.rows()) == 12, seen)
    marks = {(r["method"], r["workers"]): r["speedup"] for r in f.table("speedup.csv") if r["row"] == "mark"}
    expect("a speedup of each phase", near(marks["solve", "2"], 2) and near(marks["read", "2"], 1), marks)
    expect("a row of each phase", re.search(r"^solve +2 threads +500 ms +2 ", out, re.M), out)
    out, _ = f.study(*command)
    expect("phases resume", "6 of 6 launches were there, 0 done now" in out, out)
    g = Folder("same_phases", "#!/bin/sh\necho x >> log\nn=$(wc -l < log)\necho \"A: $n.5 B: 1.$n fixed\"\n")
    g.study("--threads", 1, "--launches", 3, "--same-output", "--seconds", "a=A: ([0-9.]+)", "--seconds",
            "b=B: ([0-9.]+)", "--", "./mine")
    for wrong, why in ((["--seconds", "A ([0-9]+)", "--seconds", "b=B ([0-9]+)"], "each is a phase with a name"),
                       (["--seconds", "a=A ([0-9]+)", "--seconds", "a=B ([0-9]+)"], "two phases have the name a"),
                       (["--seconds", "a=A", "--seconds", "b=B ([0-9]+)"], "has no group")):
        _, err = f.study(*wrong, "--", "./mine", status=2)
        expect(f"phases {wrong}", why in err, err)


def starts():
    """--overhead launches every worker count with {size} = 0, and shows what that takes; checks do not apply to it."""
    f = Folder("starts", "#!/bin/sh\necho \"$1 $2\" >> log\ntest $2 -eq 0 || echo done\n")
    command = ["--threads", "1,2", "--launches", 2, "--size", 7, "--check", "done", "--overhead", "--", "./mine",
               "{threads}", "{size}"]
    out, _ = f.study(*command)
    log = f.log()
    expect("nine launches with nothing to do", sorted(log) == ["1 0"] * 9 + ["1 7"] * 2 + ["2 0"] * 9 + ["2 7"] * 2, log)
    expect("starts are shown", re.search(r"^start with nothing to do, 2 workers: [0-9.e+]+ \[[0-9.e+]+, [0-9.e+]+\] ms", out,
                                         re.M), out)
    expect("starts are no samples", len(f.rows()) == 4, f.rows())
    f = Folder("bad_start", "#!/bin/sh\ntest $1 -gt 0\n")
    _, err = f.study("--threads", 1, "--launches", 1, "--size", 7, "--overhead", "--", "./mine", "{size}", status=4)
    expect("a bad start", "--overhead: './mine 0'" in err and "exit status 1" in err, err)
    _, err = f.study("--threads", 1, "--overhead", "--", "./mine", status=2)
    expect("no {size}", "--overhead: the command has no {size}" in err, err)


def usage():
    """What launches used is recorded beside the samples, and shown."""
    f = Folder("usage")
    out, _ = f.study("--threads", "1,2", "--launches", 2, "--bytes", "1e6", "--weak", "--size", 5, "--", "./mine",
                     "{threads}", "{size}")
    (path,) = (f.path / "results/local").glob("*.usage.csv")
    rows = rows_in(path)
    expect("a row of each launch", sorted(r["run_id"] for r in rows) == sorted(r["run_id"] for r in f.rows()), rows)
    expect("bytes grow with the workers", sorted(r["moved_bytes"] for r in rows) == ["1000000"] * 2 + ["2000000"] * 2, rows)
    expect("what was used", all(float(r["user_s"]) >= 0 and float(r["peak_memory_bytes"]) > 1e5 and
                                int(r["voluntary_switches"]) >= 0 for r in rows), rows)
    expect("it is shown", "user time" in out and "peak memory" in out, out)
    counted = all(r["instructions"] and r["cycles"] for r in rows)
    words = {r["counters"] for r in f.rows()}
    expect("counters, or that there are none", words == {"read"} if counted else
           words in ({"not supported"}, {"not allowed"}), words)
    expect("why there are none", counted or "(Instructions and cycles were not counted: " in " ".join(out.split()), out)
    out, _ = f.study("--threads", "1,2", "--launches", 2, *TIME, "--", "./mine", "{threads}")
    expect("a part of the process has no idle processors", "idle processors" in out[out.find("not measured:"):], out)


def write_ceilings(path, host, one, two):
    """The memory's bandwidth for one worker and for two, in bytes a second."""
    head = "level,bytes,workers,bandwidth_bytes_per_s,lower_bytes_per_s,upper_bytes_per_s,what,stores,working_set_bytes,host"
    rows = [f"memory,,{workers},{rate:g},{0.99 * rate:g},{1.01 * rate:g},{what},{stores},64000000,{host}"
            for workers, rate in ((1, one), (2, two)) for what, stores in (("read", ""), ("copy", "ordinary"))]
    path.write_text("\n".join([head, *rows]) + "\n")


def causes():
    """Launches whose times and processor times are made up tell their cause: idle processors, the memory that is
    compared with --bytes, or neither."""
    made = {"idle": (0.6, 1.0, "processors are idle"), "memory": (0.8, 1.6, "The memory delivers no more"),
            "the limit": (0.8, 1.3, "All workers reach 5.0"),
            "mostly": (0.777, 1.032, "Idle processors, by serial parts or uneven work, account for 9"),
            "more": (0.777, 1.032, "more processor time than the base"),
            "none": (0.5, 1.0, "between nothing and"), "neither": (0.7, 1.3, "its cause was not measured")}
    f = Folder("causes")
    command = ["--threads", "1,2", "--launches", 9, "--check", "result", "--bytes", "4e9", "--", "./mine", "{threads}"]
    f.study(*command)
    results = f.path / "results/local"
    (use,) = results.glob("*.usage.csv")
    samples = use.with_name(use.name.replace(".usage", ""))
    host = f.rows()[0]["host"]
    for name, (seconds, busy, words) in made.items():
        scatter = {}

        def time_of(row, i, seconds=seconds, scatter=scatter):
            t = (1.0 if row["threads"] == "1" else seconds) * (1 + 0.002 * (i * 7 % 9 - 4))
            scatter[row["run_id"]] = (t, row["threads"])
            row["total_s"] = f"{t:.6g}"
            for column in ("others_cores", "launch_others_cores", "launch_stolen_share", "launch_pressure_share"):
                row[column] = "0"

        def use_of(row, i, seconds=seconds, busy=busy, scatter=scatter):
            t, threads = scatter[row["run_id"]]
            row["wall_s"] = f"{t:.6g}"
            row["user_s"] = f"{t * (1.0 if threads == '1' else busy / seconds):.6g}"
            row["system_s"] = "0"

        rewrite(samples, time_of)
        rewrite(use, use_of)
        write_ceilings(results / "ceilings.csv", host, 5e9, {"memory": 5e9, "the limit": 1e11}.get(name, 1e12))
        out, _ = f.study(*command)
        expect(f"the cause is {name}", words in " ".join(out.split()), out)
        moved = {r["workers"]: r for r in f.table("speedup.csv") if r["row"] == "mark"}
        expect(f"the rate of {name}", {r["rate_of"] for r in moved.values()} == {"memory"} and
               near(moved["1"]["rate"], 4e9, 2e7) and near(moved["2"]["rate"], 4e9 / seconds, 4e7),
               [(r["workers"], r["rate"], r["rate_of"]) for r in moved.values()])
        limits = {r: row["limit_rate"] for r, row in moved.items()}
        expect(f"the limit of {name}", near(limits["1"], 5e9, 1e6) and
               near(limits["2"], {"memory": 5e9, "the limit": 1e11}.get(name, 1e12), 1e6), limits)
    count_instructions(f, command, use, samples)
    draw_rates(f, command, results)
    leave_out_bytes(f, command, use)
    remedies(f, command, samples)


def count_instructions(f, command, use, samples):
    """Made-up counts of a program whose cause is not measured: they split what is left."""
    threads = {r["run_id"]: r["threads"] for r in f.rows()}
    for word, instructions, cycles, words, absent in (
            ("read", 1.25, 1.25, "% more instructions than the base", "An instruction takes"),
            ("read", 1.0, 1.25, "% more cycles than with the base", "more instructions than"),
            ("not allowed", None, None, "sysctl kernel.perf_event_paranoid=2", "of it:"),
            ("not supported", None, None, "this machine does not show the counters", "of it:")):

        seen = {True: 0, False: 0}  # rows so far: each number of threads has the same noise, in whatever order

        def use_of(row, _, instructions=instructions, cycles=cycles, seen=seen):
            several = threads[row["run_id"]] != "1"
            seen[several] += 1
            noise = 1 + 0.001 * (seen[several] * 7 % 9 - 4)
            row["instructions"] = f"{1e9 * noise * (instructions if several else 1):.9g}" if instructions else ""
            row["cycles"] = f"{5e8 * (2 - noise) * (cycles if several else 1):.9g}" if cycles else ""

        def word_of(row, _, word=word):
            row["counters"] = word

        rewrite(use, use_of)
        rewrite(samples, word_of)
        out, _ = f.study(*command)
        out = " ".join(out.split())
        expect(f"counted: {words}", words in out and absent not in out, out)
        bars = {r["series"]: float(r["y"]) for r in f.table("efficiency.csv") if not r["role"]}
        parts = {name: bars[name] for name in bars if "nstructions" in name}
        wanted = {1.25: "more instructions", 1.0: "instructions take longer", None: None}[instructions]
        expect(f"the bar of {words}", max(parts, key=parts.get, default=None) == wanted and near(sum(bars.values()), 1),
               bars)
        (two,) = [r for r in f.table("speedup.csv") if r["row"] == "mark" and r["workers"] == "2"]
        expect(f"the factors of {words}", near(two["instructions"], 1 / instructions, 0.01) and
               near(two["per_cycle"], instructions / cycles, 0.01) if instructions else
               two["instructions"] == two["per_cycle"] == "", two)


def draw_rates(f, command, results):
    """The second panel is the rate: with the machine's limit where it was measured, and in Spanish."""
    if not shutil.which("gnuplot"):
        return
    for language, ceilings, words in (("en", True, "GB/s to and from memory; dashed"),
                                      ("es", True, "GB/s desde y hacia la memoria; de trazos"),
                                      ("en", False, "GB/s to and from memory<"), ("es", False, "GB/s desde y hacia la memoria<")):
        if not ceilings:
            (results / "ceilings.csv").unlink(missing_ok=True)
        f.study("--lang", language, *command, charts="svg")
        (chart,) = (results / "charts").glob("*-speedup.svg")
        expect(f"the rate in {language}", words in chart.read_text(), [line for line in chart.read_text().split("\n")
                                                                      if "GB/s" in line or "efficiency" in line])

def leave_out_bytes(f, command, use):
    """Launches whose bytes are unknown have no rate, and leave the panel to the others."""
    if not shutil.which("gnuplot"):
        return
    threads = {r["run_id"]: r["threads"] for r in f.rows()}
    for unknown, known in (("1", "2"), ("2", "1")):

        def bytes_of(row, _, unknown=unknown):
            row["moved_bytes"] = "" if threads[row["run_id"]] == unknown else "4e9"

        rewrite(use, bytes_of)
        f.study(*command, charts="svg")
        rates = [(r["x"], r["y"]) for r in f.table("speedup.chart.csv") if r["panel"] == "2"]
        expect(f"no rate with {unknown} workers", [x for x, _ in rates] == [known] and all(y for _, y in rates), rates)
        charts = [chart.read_text() for chart in use.parent.glob("charts/*-speedup.svg")]
        expect(f"a chart without the rate with {unknown} workers", len(charts) == 1 and "GB/s to and from memory<" in
               charts[0], len(charts))


def remedies(f, command, samples):
    """What is doubtful is measured afresh by the same command: study run does not know it."""

    def load_of(row, _):
        row["launch_others_cores"] = str(os.cpu_count())

    rewrite(samples, load_of)
    for language, again in (("en", "the same command with --again"), ("es", "la misma orden con --again")):
        out, _ = f.study("--lang", language, *command)
        report, _ = call(f, "report", "--lang", language, "--charts", "none")
        analysis, _ = call(f, "analyze")
        page = (f.path / "results/local/report.md").read_text()
        for what, text in (("table", out), ("page", page), ("analysis", analysis if language == "en" else out)):
            expect(f"the remedy of the {what} in {language}", f"then: {again}" in " ".join(text.split()) or
                   f"después: {again}" in " ".join(text.split()), text)
            expect(f"no study run in the {what} in {language}", "study run --again" not in text, text)


KINDS = ("stencil", "pi", "sort", "triad", "serial")


def five_kinds():
    """The five programs of examples/ print one checksum on any number of threads, and any number of ranks; each gets its
    figure, sentence and table with one command."""
    f = Folder("five")
    examples = PAGE.parent.parent / "examples"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *flags, "-fopenmp", examples / "five_kinds.c", "-o", f.path / "five", "-lm"], check=True)
    printed = {}
    for kind in KINDS:
        printed[kind] = {subprocess.run([f.path / "five", kind, "300"], text=True, capture_output=True, check=True,
                                        env=os.environ | {"OMP_NUM_THREADS": str(threads)}).stdout
                         for threads in (1, 2, 3, 7)}
        expect(f"{kind} on several threads", len(printed[kind]) == 1 and next(iter(printed[kind])).startswith(kind),
               printed[kind])
    done = subprocess.run([f.path / "five", "nothing"], text=True, capture_output=True, check=False)
    expect("five: usage", done.returncode == 2 and done.stderr.startswith("usage: "), done.stderr)
    commands = {kind: ["--threads", "1,2", "--", "./five", kind, "300"] for kind in KINDS}
    if shutil.which("mpicc") and shutil.which("mpirun"):
        subprocess.run(["mpicc", *flags, examples / "five_kinds_mpi.c", "-o", f.path / "five_mpi", "-lm"], check=True)
        launch = ["mpirun", "--oversubscribe", "-np"]
        for kind in KINDS:
            done = subprocess.run([*launch, "3", f.path / "five_mpi", kind, "300"], text=True, capture_output=True,
                                  check=False)
            expect(f"{kind} on 3 ranks", {done.stdout} == printed[kind], done.stdout + done.stderr)
            commands[f"{kind} mpi"] = ["--ranks", "1,2", "--", *launch, "{ranks}", "./five_mpi", kind, "300"]
    for kind, command in commands.items():
        out, err = f.study("--results", "results/" + kind.replace(" ", "_"), "--launches", 1, "--same-output", "--title",
                           kind, *command, charts="svg")
        words = " ".join(out.split())
        expect(f"a table of {kind}", re.search(rf"^{kind} +1 (thread|rank) ", out, re.M) and
               re.search(rf"^{kind} +2 (threads|ranks) ", out, re.M), out + err)
        workers = "ranks" if "mpi" in kind else "threads"
        expect(f"a sentence of {kind}", f"With 2 {workers}, {kind} is " in words or len(os.sched_getaffinity(0)) < 2, out)
        charts = list((f.path / "results" / kind.replace(" ", "_") / "charts").glob("*-speedup.svg"))
        expect(f"a figure of {kind}", len(charts) == 1 and charts[0].stat().st_size > 1000, charts)


def main():
    jobs = [(job, ()) for job in (
        rounds_are_interleaved_and_resume, resumes, the_page_works, pitfalls, outputs, ranks_workers_and_titles,
        weak_scaling, prepare_and_cleanup, budgets, known_times, what_is_seen, method_of_a_program,
        bad_commands, standard_input, good_checks, one_bad_worker_count,
        ignored_threads, bindings, interrupts, phases, starts, usage, causes, five_kinds, definitions, definitions_are_reported,
        definitions_that_fail, definitions_compare_outputs, definitions_clean_up_and_move_bytes, cleanup_follows_every_end,
        definitions_with_phases, definitions_are_interrupted)]
    jobs += [(bad, case) for case in BAD] + [(bad_times, case) for case in BAD_TIMES]
    jobs += [(printed_times, (case,)) for case in range(len(PRINTED))]
    jobs += [(bad_definition, case) for case in BAD_DEFINITIONS]
    terminals()  # forks, so before there are threads
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        for future in [pool.submit(job, *case) for job, case in jobs]:
            future.result()
    shutil.rmtree(HERE)
    return finish(f"{len(jobs) + 1} cases")


sys.exit(main())
