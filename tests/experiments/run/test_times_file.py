#!/usr/bin/env python3
"""study speedup --csv FILE: a file that a person, a spreadsheet or another tool wrote gives the same speedups in any of
its forms; columns that tell sizes or programs apart are curves; what may mean two things is refused.
Usage: test_times_file.py FOLDER_OF_PROGRAMS"""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import PATIENCE_S, expect, finish, rows_in

STUDY = str(pathlib.Path(sys.argv[1]).resolve() / "study")
HERE = pathlib.Path(tempfile.mkdtemp(prefix="times_file-"))

# Each form of the same times: 10.5 s, 6.1 s and 4 s with 1, 2 and 4 workers.
FORMS = {
    "plain": "threads,seconds\n1,10.5\n2,6.1\n4,4\n",
    "spanish": "Hilos;Tiempo (s)\n1;10,5\n2;6,1\n4;4\n",
    "spanish ranks": "procesos\ttiempo total [s]\n1\t10.5\n2\t6.1\n4\t4\n",
    "milliseconds": "Threads,Time (ms)\n1,10500\n2,6100\n4,4000\n",
    "unit in the name": "np,wall_ms\n1,10500\n2,6100\n4,4000\n",
    "unit alone": "cores,us\n1,10500000\n2,6100000\n4,4000000\n",
    "minutes": "p,minutes\n1,0.175\n2,0.10166666666666667\n4,0.06666666666666667\n",
    "units of each": "threads,time\n1,10.5 s\n2,6100 ms\n4,4 s\n",
    "the shell's time": "threads,real\n1,0m10.5s\n2,0m6.1s\n4,0m4.0s\n",
    "the shell's time, decimal commas": "threads;real\n1;0m10,5s\n2;0m6,1s\n4;0m4,0s\n",
    "GNU time": "threads,elapsed\n1,0:10.50\n2,0:06.10\n4,0:04.00\n",
    "blanks": "threads seconds\n1   10.5\n 2 6.1 \n4  4\n",
    "blanks, decimal commas": "hilos segundos\n1 10,5\n2 6,1\n4 4\n",
    "gnuplot": "# threads seconds\n1 10.5\n2 6.1\n4 4\n",
    "empty rows": "threads,seconds\n1,10.5\n,,\n\n2,6.1\n4,4\n,\n",
    "hyperfine": "command,mean,stddev,median,user,system,min,max,parameter_threads\n"
                 "mine 1,11,1,10.5,9,1,9,12,1\nmine 2,7,1,6.1,9,1,5,7,2\nmine 4,5,1,4,9,1,4,7,4\n",
    "mean alone": "threads,mean\n1,10.5\n2,6.1\n4,4\n",
    "ranks of two threads": "ranks,threads,seconds\n1,2,10.5\n2,2,6.1\n4,2,4\n",
    "processes and cores": "processes,cores,seconds\n1,1,10.5\n2,2,6.1\n4,4,4\n",
    "a host": "host,threads,seconds\na,1,10.5\nb,2,6.1\na,4,4\n",
    "a result": "threads,gflops,seconds\n1,5.5,10.5\n2,9.1,6.1\n4,14,4\n",
    "no header": "1,10.5\n2,6.1\n4,4\n",
    "ends of old Macs": "threads,seconds\r1,10.5\r2,6.1\r4,4\r",
    "phrases": "Number of threads,Execution time (in seconds)\n1,10.5\n2,6.1\n4,4\n",
    "Spanish phrases": "NÚMERO DE HILOS;Tiempo promedio (seg)\n1;10,5\n2;6,1\n4;4\n",
    "abbreviated": "No. of OpenMP threads\tAvg. time [s]\n1\t10.5\n2\t6.1\n4\t4\n",
    "bytes of Windows": "Número de núcleos;Tiempo de ejecución (s)\n1;10,5\n2;6,1\n4;4\n".encode("cp1252"),
    "three decimals": "hilos;segundos\n1;10,500\n2;6,100\n4;4,000\n",
    "thousands": 'threads,time (ms)\n1,"10,500.0"\n2,"6,100.0"\n4,"4,000.0"\n',
    "Spanish thousands": "hilos;tiempo (ms)\n1;10.500,0\n2;6.100,0\n4;4.000,0\n",
    "counts with decimals": "threads,time\n1.0,10.5\n2.0,6.1\n4.0,4\n",
    "no-break spaces": "threads,time\n1,10.5\u00a0s\n2,6.1\u202fs\n4,4\u00a0s\n",
    "a table of Markdown": "| threads | time (s) |\n|---|--:|\n| 1 | 10.5 |\n| 2 | 6.1 |\n| 4 | 4 |\n",
    "a title above": "Results of the third of May,,\n,,\nthreads,host,seconds\n1,a,10.5\n2,a,6.1\n4,a,4\n",
    "a title of words": "Threads and time on my laptop\n  \nhilos;tiempo (s)\n1;10,5\n2;6,1\n4;4\n",
    "a header behind #": "# run of May\n# seconds threads\n10.5 1\n6.1 2\n4 4\n",
    "a header behind #, commas": "#seconds threads\n10.5,1\n6.1,2\n4,4\n",
    "a header behind #, decimal commas": "# segundos hilos\n10,5 1\n6,1 2\n4 4\n",
    "a comment in prose": "# time per threads\n1 10.5\n2 6.1\n4 4\n",
    "a comment in Spanish prose": "# tiempo de los hilos\n1 10.5\n2 6.1\n4 4\n",
    "a comment below the header": "threads,seconds\n# seconds, threads\n1,10.5\n2,6.1\n4,4\n",
    "words of headers in rows": "unit,workers,what,time\nthreads,1,real,10.5\nthreads,2,real,6.1\nthreads,4,real,4\n",
    "a title above runs": "threads and time\nthreads,run 1\n1,10.5\n2,6.1\n4,4\n",
    "a unit behind a blank": "threads time (ms)\n1 10500\n2 6100\n4 4000\n",
    "a unit behind a blank and #": "# time [ms] threads\n10500 1\n6100 2\n4000 4\n",
    "empty fields at the end": "threads,seconds\n1,10.5,,\n2,6.1,\n4,4\n",
    "least and most": "threads,time_avg,time_min,time_max\n1,10.5,10,12\n2,6.1,5,7\n4,4,4,4\n",
    "a mean of times": "threads,time_min,time_mean (ms),time_max\n1,10,10500,12\n2,5,6100,7\n4,4,4000,4\n",
    "a median of times": "threads,time_mean,time_median\n1,11,10.5\n2,7,6.1\n4,5,4\n",
    "minutes in brackets": "threads,time (min)\n1,0.175\n2,0.10166666666666667\n4,0.06666666666666667\n",
    "days, hours and minutes": "threads,elapsed\n1,1-02:15\n2,0-15:15\n4,10:00:00\n",
    "lines below the header": "threads time\n------- ----\n1 10.5\n2 6.1\n4 4\n",
    "sacct": "JobID|NCPUS|Elapsed|State\n7|1|00:00:10.5|COMPLETED\n7.batch|1|00:00:10|COMPLETED\n7.0|1|00:00:09|"
             "COMPLETED\n8|2|00:00:01|FAILED\n8.0|2|00:00:01|FAILED\n9|2|0-00:00:06.1|COMPLETED\n10|4|00:00:04|COMPLETED\n",
}
WANTED = {"1": 1.0, "2": 10.5 / 6.1, "4": 10.5 / 4}

# Repetitions: (threads, samples) of each number of workers.
REPEATED = {
    "rows": "threads,seconds\n" + "1,10\n1,11\n1,12\n2,5\n2,6\n2,7\n",
    "columns": "threads,run 1,run 2,run_3\n1,10,11,12\n2,5,6,7\n",
    "columns of times": "hilos;t1 (ms);t2 (ms);t3 (ms)\n1;10000;11000;12000\n2;5000;6000;7000\n",
    "equal names": "threads,seconds,seconds,seconds\n1,10,11,12\n2,5,6,7\n",
    "a missing one": "threads,run1,run2,run3,run4\n1,10,11,12,\n2,5,6,,7\n",
    "hosts": "node,threads,seconds\na,1,10\nb,1,11\nc,1,12\na,2,5\nb,2,6\nc,2,7\n",
    "merged cells": "threads,run,seconds\n1,1,10\n,2,11\n,3,12\n2,1,5\n,2,6\n,3,7\n",
    "results": "threads,error,seconds\n1,.1,10\n1,.2,11\n1,.3,12\n2,.4,5\n2,.5,6\n2,.6,7\n",
}

REFUSED = [
    ("two times", "threads,time,total\n1,1,2\n", "the columns time and total may both be the time"),
    ("ranks and threads", "ranks,threads,seconds\n1,1,10\n2,1,6\n2,2,4\n",
     "the columns ranks and threads both differ between rows: write the number of all workers into one column"),
    ("no one worker", "threads,seconds\n2,6\n4,4\n", "there are no times with one worker; --base 2 counts speedups"),
    ("no time", "threads,run1,run2\n1,,\n2,1,2\n", "times.csv:2: '' is no number of seconds above 0"),
    ("twice", "n,threads,seconds,run\n1,1,2,1\n1,1,2,1\n", "times.csv:3: repetition 1 with 1 workers is there twice"),
    ("half a time", "threads,real\n1,0m\n", "times.csv:2: '0m' is no number of seconds above 0"),
    ("parts", "threads,real\n1,1:2:3:4\n", "times.csv:2: '1:2:3:4' is no number of seconds above 0"),
    ("unit", "threads,real\n1,10 parsecs\n", "times.csv:2: '10 parsecs' is no number of seconds above 0"),
    ("a comma", 'threads,time (ms)\n1,"1,234"\n2,"700.5"\n', "times.csv:2: '1,234' is either a decimal number or one of thousands"),
    ("three decimals", "hilos segundos\n1 10,500\n2 6,100\n", "times.csv:2: '10,500' is either a decimal number or one of"),
    ("merged heading", "threads,Time (s),,\n1,10,11,12\n2,5,6,7\n",
     "times.csv:1: column 3 has numbers and no name: name it, as in 'run 2', or leave it out"),
    ("decimal commas", "hilos,tiempo\n1,10,5\n2,6,1\n", "times.csv:2: this line has more fields than the header, '5' and "
     "on; with decimal commas, separate fields by semicolons"),
    ("names of rows", "threads time\n1 1 10.5\n2 2 6.1\n", "times.csv:2: this line has more fields than the header"),
    ("two tables", "method,threads,time\na,1,10\na,2,5\nmethod,threads,time\nb,1,20\nb,2,11\n",
     "times.csv:4: 'threads' is no number of workers"),
    ("a blank in brackets", "threads time (in ms)\n1 10500\n2 6100\n",
     "times.csv:1: a blank parts the fields 'time(in' and"),
    ("the least alone", "threads,time_min\n1,10\n2,5\n", "times.csv:1: the header has no column seconds"),
    ("failed jobs", "JobID|NCPUS|Elapsed|State\n7|1|00:00:10|FAILED\n8|2|00:00:06|CANCELLED by 7\n9|4|00:00:06|TIMEOUT\n",
     "times.csv: has no completed job"),
    ("merged threads", "threads,seconds\n1,10\n,11\n2,5\n", "times.csv:3: '' is no number of workers"),
]


class Times:
    """A folder with times.csv, and what the program makes of it."""

    def __init__(self, name, text, *options, status=0):
        self.path = HERE / name.replace(" ", "_").replace("'", "")
        self.path.mkdir()
        (self.path / "times.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
        done = subprocess.run([STUDY, "speedup", "--csv", "times.csv", "--charts", "none", *options], cwd=self.path,
                              text=True, capture_output=True, timeout=PATIENCE_S, check=False)
        self.out, self.err = done.stdout, done.stderr
        expect(f"{name}: status", done.returncode == status, self.out + self.err)

    def marks(self):
        (path,) = (self.path / "results/times/analysis").glob("*.speedup.csv")
        return [r for r in rows_in(path) if r["row"] == "mark"]

    def samples(self):
        return rows_in(self.path / "results/times/times_times.csv")


def form(name):
    times = Times(name, FORMS[name])
    found = {r["workers"]: float(r["speedup"]) for r in times.marks()}
    expect(f"{name}: speedups", found.keys() == WANTED.keys() and
           all(abs(found[p] - WANTED[p]) < 1e-6 for p in WANTED), f"{found}\n{times.out}")


def repetitions(name):
    times = Times("repeated " + name, REPEATED[name])
    workers = lambda r: r["threads"] or r["ranks"]
    found = {p: sorted(float(r["total_s"]) for r in times.samples() if workers(r) == p) for p in "12"}
    expect(f"{name}: repetitions", found == {"1": [10, 11, 12], "2": [5, 6, 7]} and len(times.marks()) == 2,
           f"{found}\n{times.out}{times.err}")


def refused(name, text, sentence):
    times = Times("refused " + name, text, status=2)
    expect(f"refused: {name}", sentence in times.err, times.err)


def law(n, f):
    return "".join(f"{n};{p};{n * (1 - f + f / p):.6f}\n".replace(".", ",") for p in (1, 2, 4, 8))


def curves():
    """Sizes in the order of their numbers; the fitted law, its colour and its name are those of one curve."""
    times = Times("sizes", "Tamaño;Hilos;Tiempo (ms)\n" + law(2048, .96) + law(512, .7) + law(1024, .88))
    marks = times.marks()
    order = list(dict.fromkeys(r["method"] for r in marks))
    expect("curves by size", order == ["Tamaño = 512", "Tamaño = 1024", "Tamaño = 2048"], order)
    for label, f in (("Tamaño = 512", .7), ("Tamaño = 1024", .88), ("Tamaño = 2048", .96)):
        of = {r["workers"]: float(r["speedup"]) for r in marks if r["method"] == label}
        expect(f"speedups of {label}", all(abs(s - 1 / (1 - f + f / int(p))) < 1e-5 for p, s in of.items()), of)
    expect("it says so", "each value of Tamaño is a curve of its own" in times.err, times.err)
    words = " ".join(times.out.split())
    expect("one curve in the sentence", "Tamaño = 512 is 2.58 times" in words and "f = 0.700" in words, times.out)
    (path,) = (times.path / "results/times/analysis").glob("*.speedup.chart.csv")
    rows = rows_in(path)
    series = {r["colour"] for r in rows if r["series"].startswith("Tamaño = 512")}
    fitted = {r["colour"] for r in rows if r["series"] == "fitted"}
    expect("the law in the colour of its curve", len(series) == 1 and fitted == series, (series, fitted))
    text = "program,n,threads,seconds\n" + "".join(
        f"{program},{n},{p},{n / p}\n" for program in ("Jacobi", "Gauss") for n in (100, 200) for p in (1, 2))
    labels = {r["method"] for r in Times("programs", text).marks()}
    expect("programs and sizes", labels == {f"{p} n = {n}" for p in ("Jacobi", "Gauss") for n in (100, 200)}, labels)
    text = "n,threads,seconds\n" + "".join(f"100,{p},{8 / p}\n" for p in (1, 2)) + law(200, .9).replace(
        ",", ".").replace(";", ",")
    words = " ".join(Times("one curve alone", text).out.split())
    expect("another curve is named", "n = 200 is" in words or "fitted to 4 worker counts of n = 200" in words, words)
    rows = "".join(f"100,{p},{8 / p},{r}\n" for p in (1, 2, 4) for r in (1, 2, 3))
    times = Times("one size", "n,threads,seconds,seed\n" + rows)
    expect("one size is one curve", len(times.marks()) == 3 and "curve" not in times.err, times.err)


def serial_fractions():
    """The serial fraction of Karp and Flatt lies between 0 and 1, and so does its interval."""
    def row(name, text):
        out = Times(name, "threads,seconds\n" + text).out
        return (re.search(r"^\S+ +2 threads .*", out, re.M) or [out])[0]

    expect("faster than ideal", re.search(r" 150 % +- ", row("beyond ideal", "1,10\n2,3.3333333333\n")), "")
    expect("slower", re.search(r" 42 % +- ", row("slower", "1,10\n2,12\n")), "")
    expect("ideal", re.search(r" 100 % +0\.00 % ", row("ideal", "1,10\n2,5\n")), "")
    noisy = row("noisy", "1,10\n1,20\n1,11\n1,19\n1,12\n1,30\n2,5\n2,25\n2,6\n2,24\n2,9\n2,14\n")
    expect("undecided", " 0 to 100 % " in noisy or re.search(r"\[0, \d+\] %", noisy), noisy)


def many_curves():
    """Each of several sizes is shown, also of more than there are methods of ours in a figure."""
    sizes = range(1000, 13000, 1000)
    times = Times("many curves", "n,threads,seconds\n" + "".join(f"{n},{p},{n / p}\n" for n in sizes for p in (1, 2)))
    found = {r["method"] for r in times.marks()}
    expect("many curves", found == {f"n = {n}" for n in sizes}, found)
    more = Times("too many", "n,threads,seconds\n" + "".join(f"{n},{p},{n / p}\n" for n in range(1, 40) for p in (1, 2)))
    expect("more than are shown", len({r["method"] for r in more.marks()}) == 12 and
           "of 39 curves the figure shows the first 12" in more.err, more.err)


def wide_intervals():
    """A fraction lies between 0 and 1, and so does its interval: no law of it is below 1."""
    times = Times("wide", "threads,seconds\n1,10\n2,4.5\n4,2\n8,12\n")
    laws = [r for r in rows_in(next((times.path / "results/times/analysis").glob("*.speedup.csv"))) if r["row"] == "law"]
    expect("no -0 and no 2", re.search(r"f = 1(\.0)? \[0(\.0)?, 1(\.0)?\]", " ".join(times.out.split())) and "-" not in
           "".join(re.findall(r"\[[^]]*\]", times.out)), times.out)
    expect("a bound of at least 1", "bound at least 1" in " ".join(times.out.split()), (times.out, laws[:1]))


def long_titles():
    """A title that is too long ends before a clause, not within a number."""
    rows = [(name, p, r) for name in ("aquel programa con un nombre muy largo", "otro") for p in (1, 2, 4, 8) for r in range(9)]
    times = Times("long titles", "program,threads,seconds\n" + "".join(
        f"{name},{p},{10 * (.1 + .9 / p) * (1 + .001 * (r * 7 % 9)):.5f}\n" for name, p, r in rows))
    subprocess.run([STUDY, "report", "--lang", "es", "--charts", "svg", "--results", "results/times"], cwd=times.path,
                   capture_output=True, timeout=PATIENCE_S, check=False)
    text = (times.path / "results/times/report.md").read_text(encoding="utf-8").replace("\\", "")
    expect("a title of whole clauses", "largo alcanza 4,71 veces la velocidad con 8 hilos (SOSPECHOSO)" in text and
           not re.search(r"\d+[,.]?\.\.\.", text), text[:2000])
    expect("the page is about that program", text.startswith("# Lo que se midió\n") and "No se pudo leer" not in text and
           "results/times. Las muestras no dicen cuándo se midió." in text, text[:2000])


def merged_curves():
    """Blanks below a value that is written once are that value; they are a value of their own where others are repeated."""
    for name in ("n", "matriz"):
        times = Times(f"merged {name}", f"{name};hilos;tiempo\n500;1;10\n;2;6\n1000;1;20\n;2;11\n")
        found = {(r["method"], r["workers"]) for r in times.marks()}
        expect(f"merged {name}", found == {(f"{name} = {n}", p) for n in (500, 1000) for p in "12"}, found)
        expect("it says so", f"a blank {name} is the value above it, as of merged cells" in times.err, times.err)
    flags = Times("flags", "flags,threads,time\n-O2,1,10\n-O2,2,6\n,1,20\n,2,11\n")
    expect("blank flags", len({r["method"] for r in flags.marks()}) == 2 and "merged" not in flags.err, flags.err)
    err = Times("sign", FORMS["a header behind #"]).err
    expect("it says which comment", "times.csv: the header is the comment of line 2" in err, err)
    err = Times("in Spanish", "hilos,tiempo\n0,10\n", "--lang", "es", status=2).err
    expect("a refusal in Spanish", "times.csv:2: '0' no es un número de trabajadores: un entero desde 1" in err, err)
    err = Times("jobs", FORMS["sacct"]).err
    expect("steps", "rows of job steps that are left out, as their jobs are there: 3" in err, err)
    expect("failed jobs", "rows of jobs that did not complete, which are left out: 1" in err, err)


def long_names():
    """Files whose names begin alike for more bytes than a title has are two experiments, with two titles."""
    folder = HERE / "long_names"
    folder.mkdir()
    alike = "times of the solver on the cluster with " + 20 * "many "
    for end, seconds in (("nodes", 5), ("cores", 4)):
        (folder / f"{alike}{end}.csv").write_text(f"threads,seconds\n1,10\n2,{seconds}\n")
        done = subprocess.run([STUDY, "speedup", "--csv", f"{alike}{end}.csv", "--charts", "none"], cwd=folder,
                              text=True, capture_output=True, timeout=PATIENCE_S, check=False)
        expect(f"long names: {end}", done.returncode == 0, done.stdout + done.stderr)
    samples = [rows_in(path) for path in (folder / "results/times").glob("times_*.csv")]
    programs = {row["program"] for rows in samples for row in rows}
    expect("two experiments of two titles", len(samples) == 2 and len(programs) == 2, programs)
    refused = subprocess.run([STUDY, "speedup", "--csv", f"{alike}nodes.csv", "--title", 41 * "x"], cwd=folder,
                             text=True, capture_output=True, timeout=PATIENCE_S, check=False)
    expect("a long title", refused.returncode == 2 and "is not a title of at most 40 bytes" in refused.stderr,
           refused.stderr)


def many_rows():
    """As many rows as a night of measuring leaves."""
    rows = "".join(f"{p},{100 / p + r / 1000},{r}\n" for r in range(60) for p in range(1, 33))
    times = Times("many rows", "workers,seconds,rep\n" + rows)
    expect("many rows", len(times.marks()) == 32 and len(times.samples()) == 1920 and "too long" not in times.err,
           times.out + times.err)


def main():
    jobs = [(form, name) for name in FORMS] + [(repetitions, name) for name in REPEATED]
    jobs += [(refused, *case) for case in REFUSED] + [(curves,), (merged_curves,), (many_curves,), (long_titles,), (wide_intervals,), (long_names,), (many_rows,), (serial_fractions,)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(*job) for job in jobs]:
            future.result()
    shutil.rmtree(HERE)
    return finish(f"{len(jobs)} cases")


sys.exit(main())
