#!/usr/bin/env python3
"""Samples that a person has opened and saved: sorted, with rows of commas, in another country's way.
study analyze, report, import and plot say the same of them as of the file that the programs wrote.

    test_spreadsheets.py BIN CASES

BIN holds study and make_results; CASES is tests/cases/spreadsheets.
"""
import csv
import gzip
import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, finish, rows_in

BIN, CASES = sys.argv[1], sys.argv[2]


def study(*arguments):
    run = subprocess.run([os.path.join(BIN, "study"), *arguments], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


def write(folder, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "threads.csv"), "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return folder


def table(rows, **dialect):
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n", **dialect).writerows(rows)
    return text.getvalue()


REALS = ("_s", "power_w", "cpu_mhz", "instructions", "cycles", "loss", "accuracy", "rate", "_max", "_rms", "_ulps")


def with_commas(rows):
    """Decimal commas in the columns of reals."""
    real = [name.endswith(REALS) and name != "max_value" for name in rows[0]]
    return [rows[0]] + [[cell.replace(".", ",") if is_real else cell for cell, is_real in zip(row, real)]
                        for row in rows[1:]]


def with_groups(rows, sign):
    """A sign between the thousands of counts."""
    counts = [name in ("rows", "cols") for name in rows[0]]
    return [rows[0]] + [[f"{int(cell):,}".replace(",", sign) if is_count and cell else cell
                         for cell, is_count in zip(row, counts)] for row in rows[1:]]


def spaced(rows):
    """A blank behind every separator, quotes only where a field has a comma."""
    return "".join(", ".join(f'"{cell}"' if "," in cell else cell for cell in row) + "\n" for row in rows)


def analyze(folder):
    status, out, err = study("analyze", "threads", "--results", folder)
    expect(f"analyze {folder} ends with 0", status == 0, out + err)
    return out


def without_left_out(text):
    """The lines about the measurements: not those about the file."""
    return [line for line in text.splitlines() if "left out:" not in line and not line.startswith("  columns:")]


def check_same(there, rows, expected):
    blank = [""] * len(rows[0])
    shuffled, by_time = rows[1:], rows[1:]
    random.Random(7).shuffle(shuffled)
    at = rows[0].index("total_s")
    by_time.sort(key=lambda row: float(row[at] or 0))
    variants = {
        "sorted": table([rows[0]] + by_time),
        "shuffled": table([rows[0]] + shuffled),
        "semicolons": "\ufeff" + table(with_commas(rows), delimiter=";"),
        "tabs": table(rows, delimiter="\t"),
        "quoted": table(with_commas(rows), quoting=csv.QUOTE_ALL),
        "commas": table(rows + [blank]),
        "cleared": table([rows[0], blank] + rows[1:] + [["threads"] + blank[1:]]),
        "named_sign": "\ufeffsep=;\r\n" + table(with_commas(rows), delimiter=";"),
        "named_comma": '"sep=,"\n' + table(rows),
        "spaced": spaced(rows),
        "header_quoted": table(rows[:1], quoting=csv.QUOTE_ALL) + table(rows[1:]),
        "ended_twice": table([row + [""] for row in rows]),
        "rows_ended_twice": table(rows[:1] + [row + ["", ""] for row in rows[1:]]),
        "header_ended_twice": table([rows[0] + [""]] + rows[1:]),
        "grouped": table(with_groups(rows, "\u00a0")),
        "grouped_in_french": table(with_groups(with_commas(rows), "\u202f"), delimiter=";"),
        "grouped_in_swiss": table(with_groups(rows, "'")),
    }
    for name, text in variants.items():
        out = analyze(write(os.path.join(there, name), text))
        expect(f"{name}: the same as of the file as written", without_left_out(out) == expected, out)
    out = analyze(os.path.join(there, "cleared"))
    expect("rows without identity are counted", "left out: 2 corrupt rows, the first in line 2 of" in out and
           "all fields are empty" in out, out)
    named = write(os.path.join(there, "named_and_cleared"), "sep=,\n" + table([rows[0], blank] + rows[1:]))
    out = analyze(named)
    expect("lines count from the one that names the separator", "1 corrupt row, in line 3 of" in out, out)
    longer = write(os.path.join(there, "longer"), table([rows[0], rows[1] + ["", "7"]] + rows[1:]))
    out = analyze(longer)
    expect("a row with too many values is left out", f"it has {len(rows[0]) + 2} fields" in out, out)


def check_import(there, rows, expected):
    source = write(os.path.join(there, "semicolons"), "\ufeff" + table(with_commas(rows) + [[""] * len(rows[0])],
                                                                        delimiter=";"))
    into = os.path.join(there, "imported")
    status, out, err = study("import", os.path.join(source, "threads.csv"), "--results", into)
    expect("import leaves one row out and says where", status == 0 and "1 corrupt rows left out" in out and
           f":{len(rows) + 1}: all fields are empty" in err, out + err)
    expect("imported: the same", without_left_out(analyze(into)) == expected)


def check_lines(there, rows):
    """Empty lines are no rows; a last row without a line end is left out with a warning; UTF-16 is named."""
    text = table(rows)
    cases = [("doubled", text.replace("\r\n", "\r\n\r\n").encode(), 0, " 0 corrupt rows left out", ""),
             ("unended", text.rstrip().encode(), 0, f"{len(rows) - 2} samples", "it has no line end, so it may be incomplete"),
             ("wide", text.encode("utf-16"), 2, "", "is text in UTF-16: save it in UTF-8"),
             ("wide_unmarked", text.encode("utf-16-le"), 2, "", "iconv -f UTF-16 -t UTF-8"),
             ("wide_other", "\ufeff".encode("utf-16-be") + text.encode("utf-16-be"), 2, "", "'CSV UTF-8'")]
    for name, data, expected, words, warning in cases:
        path = os.path.join(write(os.path.join(there, name), ""), "threads.csv")
        with open(path, "wb") as file:
            file.write(data)
        status, out, err = study("import", path, "--results", os.path.join(there, f"{name}_in"))
        expect(f"lines of {name}", status == expected and words in out and warning in err, f"status {status}\n{out}{err}")


def check_lost(there, rows):
    """Thousands separators, or a cell of text in every row: most rows are lost."""
    columns = {name: i for i, name in enumerate(rows[0])}
    spoilt = [rows[0]] + [row[:] for row in rows[1:]]
    for row in spoilt[1:]:
        row[columns["rows"]] = "1,024"
    folder = write(os.path.join(there, "thousands"), table(spoilt))
    for command in (["analyze", "threads"], ["report", "threads"], ["plot", "threads"]):
        status, out, err = study(*command, "--results", folder)
        expect(f"{command[0]} of a file that lost most rows ends with 2",
               status == 2 and "threads.csv:2: rows is '" in err and "rows cannot be read" in err,
               f"status {status}\n{out}{err}")
    status, out, err = study("import", os.path.join(folder, "threads.csv"), "--results", os.path.join(there, "none"))
    expect("import of it ends with 2", status == 2 and "threads.csv:2: rows is '" in err, out + err)


COMMITTED = pathlib.Path(__file__).resolve().parents[2] / "results/reference/amd-epyc-zen3-2-cores-avx2/samples.csv.gz"


def import_of(there, name, rows):
    """Status, messages and samples of the results into which the rows are imported."""
    path = os.path.join(write(os.path.join(there, name), table(rows)), "threads.csv")
    into = pathlib.Path(there, f"{name}_in")
    status, out, err = study("import", path, "--results", str(into))
    samples = into / "samples.csv"
    return status, out + err, samples.read_bytes() if samples.exists() else b""


def columns_of(rows, names):
    kept = [at for at, name in enumerate(rows[0]) if name in names]
    return [[row[at] for at in kept] for row in rows]


def check_empty_columns(there, rows):
    """Columns that are empty in every row may be deleted. Returns the others."""
    filled = {name for name, *cells in zip(*rows) if any(cells)}
    status, said, samples = import_of(there, "whole", rows)
    expect("all columns are imported", status == 0 and samples.count(b"\n") == len(rows), said)
    status, said, same = import_of(there, "filled", columns_of(rows, filled))
    expect("empty columns are deleted: the same samples", status == 0 and same == samples, said)
    return filled


def check_columns(there, rows):
    """... those that tell points apart may not."""
    filled = check_empty_columns(there, rows)
    named = {row[rows[0].index("operator")] for row in rows[1:]}
    lost = ["program", "operator", "space", "method", "rows", "cols", "run_id", "sample"]
    lost += ["kernel", "stride", "padding"] if named & {"maxpool", "conv"} else []
    for name in lost:
        cut = columns_of(rows, filled - {name})
        status, said, _ = import_of(there, f"without_{name}", cut)
        expect(f"without {name}: import refuses it", status == 2 and f"the column '{name}'" in said, said)
        folder = write(os.path.join(there, f"analyzed_{name}"), table(cut))
        status, out, err = study("analyze", "threads", "--results", folder)
        expect(f"without {name}: analyze refuses it", status == 2 and f"the column '{name}'" in out + err, out + err)
    few = {"operator", "method", "rows", "cols", "threads", "run_id", "sample", "total_s"}
    status, said, _ = import_of(there, "few", columns_of(rows, few))
    expect("few columns: import refuses them", status == 2 and "has lost the column 'program'" in said, said)


def check_plot(there):
    """A file of the user's own, with arbitrary columns."""
    results = os.path.join(there, "own")
    cases = [
        ("\ufeffn,seconds\n1,0.5\n2,0.25\n", 0, ""),
        ("n;seconds\r\n1;0,5\r\n2;0,25\r\n;\r\n", 0, "1 rows left out, the first in line 4"),
        ('n,seconds\n1,"0,5"\n2,"0,25"\n', 0, ""),
        ('n,seconds\n"1,024",0.5\n"2,048",0.25\n', 2, "--x n: '1,024' in row 1 is no number"),
        ('n,seconds\n"1,024",1\n"2,048",2\n', 2, "--x n: '1,024' in row 1 is no number"),
        ("n,seconds\n1,0.5\n2,0.25\n3,4 ms\n", 0, "1 rows are not drawn"),
        ("n,seconds\n1,0.5,7\n", 2, ":2: this row has"),
        ("sep=;\r\nn;seconds\r\n1;0,5\r\n2;0,25\r\n", 0, ""),
        ("n, seconds\n1, 0.5\n2, 0.25\n", 0, ""),
        ('"n" , "seconds",\n1 ,0.5,\n2,"0.25",,\n', 0, ""),
        ("n,seconds\n1,0.5\u00a0\n2,\u202f0.25\n", 0, ""),
        ("n,seconds,status\n1,0.5,PRECISE\n2,0.25,\n", 0, ""),
        ("n,seconds,status\n1,0.5,ROUGH\n2,0.25,precise\n", 2,
         "status 'precise' in row 2 is none of PRECISE, ROUGH, SIMULATED, SUSPECT, INVALID; give a column of another"),
        ("n;seconds\n1\u00a0024;0,5\n2'048;0,25\n", 0, ""),
    ]
    groups = len(cases) - 1
    for number, (text, expected, message) in enumerate(cases):
        path = os.path.join(there, f"own{number}.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        status, out, err = study("plot", "--data", path, "--x", "n", "--y", "seconds", "--format", "svg", "--results",
                                 results)
        if status == 3 and "gnuplot" in err:
            return
        expect(f"plot --data, case {number}", status == expected and message in err, f"status {status}\n{out}{err}")
        if expected == 0:
            drawn = rows_in(os.path.join(results, "analysis", f"own{number}-seconds-over-n.points.csv"))
            expect(f"plot --data, values of case {number}",
                   [(float(row["x"]), float(row["y"])) for row in drawn] ==
                   ([(1024, 0.5), (2048, 0.25)] if number == groups else [(1, 0.5), (2, 0.25)]), str(drawn))
    path = os.path.join(there, "wide.csv")
    with open(path, "w", encoding="utf-16", newline="") as file:
        file.write(cases[0][0])
    status, out, err = study("plot", "--data", path, "--x", "n", "--y", "seconds", "--results", results)
    expect("plot --data of UTF-16", status == 2 and "wide.csv: is text in UTF-16: save it in UTF-8" in err, out + err)


def program(*arguments):
    return subprocess.run([os.path.join(BIN, "maxpool_serial"), *arguments, "--samples", "1", "--warmup", "0"],
                          capture_output=True, check=False)


def check_names(there):
    """Files of one name in two folders, and a name whose bytes are no UTF-8."""
    record = os.path.join(there, "named.csv")
    names = [os.path.join(there, folder, "imaging.txt") for folder in ("case_1", "case_2")]
    names = [os.fsencode(name) for name in names] + [os.fsencode(there) + b"/foto_ni\xf1o.txt"]
    for name in names:
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w", encoding="utf-8") as file:
            file.write("1 2\n3 4\n")
        run = program("-i", name, "--experiment", "threads", "--record", record)
        expect(f"{name} is measured", run.returncode == 0, run.stderr)
    with open(record, encoding="utf-8", newline="") as file:  # fails if it is no UTF-8
        inputs = [row["input"] for row in csv.DictReader(file)]
    expect("inputs are recorded", inputs[2].endswith("/foto_ni\ufffdo.txt"), str(inputs))
    results = os.path.join(there, "named")
    study("import", record, "--results", results)
    out = analyze(results)
    expect("labels tell files of one name apart",
           "case_1/imaging.txt" in out and "case_2/imaging.txt" in out, out)
    expect("other labels have the name alone", " input=foto_ni" in out, out)


def check_next(there):
    """A command that is shown can be pasted."""
    path = os.path.join(there, "my kernel's.c")
    status, out, err = study("lab", "new", path)
    command = out.partition("Next: ")[2].strip()
    run = subprocess.run(["sh", "-c", "for word in " + command + "; do echo \"$word\"; done"],
                         capture_output=True, text=True, check=False)
    expect("the next command is quoted", status == 0 and run.stdout.splitlines() == ["study", "lab", path],
           out + err + run.stdout)


def main():
    with tempfile.TemporaryDirectory() as there:
        for case in sorted(os.listdir(CASES)):
            if not case.endswith(".csv"):
                continue
            with open(os.path.join(CASES, case), encoding="utf-8", newline="") as file:
                text = file.read()
            rows = list(csv.reader(io.StringIO(text)))
            own = os.path.join(there, case)
            expected = without_left_out(analyze(write(os.path.join(own, "as_written"), text)))
            check_same(own, rows, expected)
            check_import(own, rows, expected)
            check_lines(own, rows)
            check_lost(own, rows)
            check_columns(own, rows)
        with gzip.open(COMMITTED, "rt", encoding="utf-8", newline="") as file:
            check_empty_columns(os.path.join(there, "committed"), list(csv.reader(file)))
        check_plot(there)
        check_names(there)
        check_next(there)
    sys.exit(finish())


main()
