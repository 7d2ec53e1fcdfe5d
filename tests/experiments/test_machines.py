#!/usr/bin/env python3
"""A class: thirty folders of results on one page, and which results do not belong in one folder.
Usage: tests/support/commands.py."""
import csv
import gzip
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, rows_in
from commands import DIR, SOURCE, done, fails, main, need_program

MACHINES = 30
REFERENCE = SOURCE / "results/reference/amd-epyc-zen4-2-cores"
TIMES = "distribute_s compute_s product_s collect_s total_s imbalance_s setup_s".split()


def make_machine(number, rows):
    """Derives a machine from committed samples: another host, other run_ids, and times scaled by 1 to 4. m01 and m02
    are hosts named vm with one processor; m03 has a wrong result; m30 is a copy of m29."""
    host, processor = ("vm", "AMD EPYC") if number <= 2 else (f"pc{number:02d}", f"Processor {number:02d}")
    source, folder = min(number, MACHINES - 1), DIR / f"m{number:02d}"
    folder.mkdir()
    with open(folder / "methods.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            scaled = {name: f"{float(row[name]) * (1 + source * 7 % 30 / 10):.6g}" for name in TIMES if row[name]}
            wrong = {"verified": "wrong"} if number == 3 and row["method"] == "simd" else {}
            writer.writerow({**row, "host": f"pc{source:02d}" if source > 2 else "vm",
                             "run_id": f"m{source}-{row['run_id']}", **scaled, **wrong})
    facts = (REFERENCE / "environment.json").read_text(encoding="utf-8").replace('"AMD EPYC"', f'"{processor}"')
    (folder / "environment.json").write_text(re.sub(r'"host":[^,]*,', f'"host": "{host}",', facts), encoding="utf-8")


def make_machines():
    with gzip.open(REFERENCE / "methods.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["rows"] == "2048" and int(row["round"]) <= 4 and
                row["method"] in ("literal", "staged", "fused", "simd")]
    for number in range(1, MACHINES + 1):
        make_machine(number, rows)


def text_of(name):
    return (DIR / name).read_text(encoding="utf-8")


def expect_part(text, words):
    expect(f"{words!r} is there", words in text, text[:2000])


def keep_rows(source, target, chosen):
    """Copies the rows of a file of samples that are chosen."""
    rows = rows_in(DIR / source)
    (DIR / target).parent.mkdir(parents=True, exist_ok=True)
    with open(DIR / target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(filter(chosen, rows))


def drawn_rows(folder):
    """The rows of the first chart that are drawn: those with roles are words."""
    return [row for row in rows_in(folder / "analysis/machines-ideas.machines.csv") if not row["role"]]


def every_machine_is_named_and_none_twice():
    page, data = text_of("m01/machines.html"), text_of("m01/analysis/machines-ideas.machines.csv")
    for number in range(3, MACHINES + 1):
        expect_part(page, f"Processor {number:02d}")
        expect_part(data, f"Processor {number:02d}")
    for words in ("AMD EPYC (m01)", "AMD EPYC (m02)"):
        expect_part(page, words)
    expect_part(data, "AMD EPYC (m02)")


def long_folders_are_distinguished():
    """Folders whose paths begin alike, and end alike, are two machines."""
    place = DIR / ("p" * 150)
    for number in (1, 2):
        shutil.copytree(DIR / f"m0{number}", place / f"{number}/m")
    done(f"./study report --charts none --results {place}/1/m --results {place}/2/m")
    names = {row["series"] for row in drawn_rows(place / "1/m")}
    expect("two machines", len(names) == 2, names)


def rows_are_sorted():
    """In each panel times increase from row to row; INVALID ones come last and are marked as such."""
    panels = {}
    for row in drawn_rows(DIR / "m01"):
        panels.setdefault(row["panel"], []).append(row)
    for name, rows in panels.items():
        expect(f"places of {name}", [int(row["x"]) for row in rows] == list(range(1, MACHINES + 1)), rows)
        last = rows.pop() if rows[-1]["trust"] == "INVALID" else None
        times = [float(row["y"]) for row in rows]
        expect(f"times of {name}, INVALID last", times == sorted(times) and
               all(row["trust"] != "INVALID" for row in rows), rows)
        panels[name] = last
    expect("four panels, one INVALID", len(panels) == 4 and sum(row is not None for row in panels.values()) == 1)
    page = text_of("m01/machines.html")
    expect_part(page, "(INVALID)")
    expect("all are measured", "not measured there" not in page)


def a_copy_is_reported():
    expect_part(REPORT.err, "m29 and m30 contain the same launches")
    expect_part(text_of("m01/machines.html"), "m29 and m30 contain the same ")
    expect("no other is", "m28 and" not in REPORT.err, REPORT)


def the_chart_names_them_all():
    """Every panel names every machine, however many there are."""
    need_program("gnuplot")
    chart = text_of("m01/charts/machines-ideas-machines.svg")
    for number in range(4, MACHINES + 1):
        expect(f"Processor {number:02d} in each of 4 panels", chart.count(f">Processor {number:02d}<") == 4)


def methods_are_portable_or_not():
    """The machines differ only in speed, so the fastest method's portability is 1. The method that is wrong on one
    machine has 0, and that machine is named. The cascade contains every machine."""
    _, _, section = text_of("m01/machines.html").partition('id="portability"')
    expect_part(section, "fused is the most portable of 4 methods on 30 machines")
    expect_part(section, "<td>simd</td><td>0</td><td>0</td><td>Processor 03</td>")
    with open(DIR / "m01/analysis/portability.cascade.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in list(csv.reader(file))[1:] if row[1] == "2"]
    last = {row[2]: float(row[4]) for row in rows}
    expect("the last of the cascade", last["simd"] == 0 and last["fused"] >= 0.25, last)
    for method in last:
        expect(f"every machine of {method}", sum(row[2] == method for row in rows) == MACHINES, rows)


def methods_of_one_machine_each_are_not_ranked():
    """Two machines without a common method: nothing is ranked."""
    for machine, method in (("m06", "fused"), ("m07", "simd")):
        keep_rows(f"{machine}/methods.csv", f"apart/{machine}/methods.csv",
                  lambda row, method=method: row["method"] == method)
        shutil.copy(DIR / machine / "environment.json", DIR / "apart" / machine)
    done("./study report --charts none --results $DIR/apart/m06 --results $DIR/apart/m07")
    expect("nothing is ranked", "most portable" not in text_of("apart/m06/machines.html"))


def several_machines_do_not_go_into_one_folder():
    """The same points on two hosts mean two machines; parts of one plan on two hosts form one set."""
    imported = "./study import $DIR/"
    outcome = fails(2, f"{imported}m04 $DIR/m05 --results $DIR/one", "'pc05' measured what 'pc04' has measured",
                    "study report --results A --results B")
    expect("nothing is imported", not (DIR / "one/samples.csv").exists(), outcome)
    done(f"{imported}m04 --results $DIR/two")
    before = text_of("two/samples.csv")
    fails(2, f"{imported}m05 --results $DIR/two")
    expect("nothing is added", text_of("two/samples.csv") == before)
    done(f"{imported}m04 --results $DIR/two")
    for machine, rest in (("m04", 0), ("m05", 1)):
        keep_rows(f"{machine}/methods.csv", f"parts/{machine}.csv",
                  lambda row, rest=rest: int(row["round"]) % 2 == rest)
    done(f"{imported}parts --results $DIR/three")


if __name__ == "__main__":
    make_machines()
    REPORT = done("cd $DIR; $OLDPWD/study report" +
                  "".join(f" --results m{number:02d}" for number in range(1, MACHINES + 1)))
    sys.exit(main(
        every_machine_is_named_and_none_twice, long_folders_are_distinguished, rows_are_sorted, a_copy_is_reported,
        the_chart_names_them_all, methods_are_portable_or_not, methods_of_one_machine_each_are_not_ranked,
        several_machines_do_not_go_into_one_folder))
