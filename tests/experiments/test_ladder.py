#!/usr/bin/env python3
"""The ladder: rungs and speedups over the rung before, the tables, the README section generated from them, and points of
one instruction set. Usage: tests/support/commands.py."""
import csv
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect
from commands import DIR, done, fails, main, need_program, write

# Memory moves 10^9 bytes a second: the 20 bytes of a window take 20 ns; literal takes 32.
CEILINGS = ("level,workers,bandwidth_bytes_per_s,what,isa,operations_per_s\nmemory,1,1e9,read,,\n"
            ",1,,multiply_add,x86-64,1e12\n,1,,maximum,x86-64,1e12\n,1,,product,x86-64,1e12\n")


def a_rung_stands_on_the_one_before():
    """In the made-up results fused takes a quarter of literal's time, and staged does not occur."""
    outcome = done("./make_results $DIR && ./study export ladder --results $DIR")
    points = {point["label"]: point for point in csv.DictReader(outcome.out.splitlines())}
    for point in points.values():
        before = point["before_baseline"]
        if point["method"] == "literal":
            expect("literal is the first", before == "", point)
            continue
        other = points[before]
        expect("literal of the same window is before it", [other[c] for c in ("method", "kernel", "stride")] ==
               ["literal", point["kernel"], point["stride"]], other)
        expect("a quarter of its time", abs(float(point["before_compute"]) - 4.0) < 0.2, point)
    expect("eight of fused", sum(point["method"] == "fused" for point in points.values()) == 8, outcome)


def tables_have_time_gain_and_share():
    done("./study report --part ladder --results $DIR", "windows apart (s = k): time per window",
         "| method | k = 2, n = 1024 | k = 4, n = 1024 |", "| literal | 32 ns |", "| fused | 8.0 ns, ×4.0 |",
         never=("%", "staged"))  # no ceilings: no shares; not measured: no row
    write("ceilings.csv", CEILINGS)
    done("./study report --part ladder --format html --lang es --results $DIR", "<td>literal</td><td>32 ns, 62,1 [",
         "ventanas traslapadas (s = 1)")
    (DIR / "ceilings.csv").unlink()
    fails(2, "./study report --part roof --results $DIR")
    fails(2, "./study report --part ladder --format pdf --results $DIR")
    fails(2, "./study report --format pdf --results $DIR", "--format is that of --part; the report is written in html")


def the_page_says_what_the_samples_say():
    """A changed digit in the page is noticed, and so are missing markers."""
    check = 'B=${PWD%/bin}; "$SOURCE/scripts/ladder_table.sh"'
    done(f"{check} --check $B")
    done("sed '/ladder from/,/ladder: end/s/^| literal | [0-9]/&1/' $SOURCE/docs/ladder.md > $DIR/typed.md")
    fails(1, f"{check} --check $B $DIR/typed.md")
    done(f"{check} $B $DIR/typed.md && cmp $SOURCE/docs/ladder.md $DIR/typed.md")
    fails(2, f"grep -v 'ladder: end' $SOURCE/docs/ladder.md > $DIR/typed.md; {check} --check $B $DIR/typed.md")


# ---- instruction sets -----------------------------------------------------------------------------------------------


def plan_of(points):
    write("sets.ini", f"[experiment]\ntitle = t\nquestion = q\n[points]\nprograms = matmul_serial\nsize = 8\n{points}\n")
    return [line for line in done("./study plan $DIR/sets.ini --cores 2").out.splitlines() if line.startswith("sets: ")]


def sets_that_change_nothing_are_left_out():
    lines = plan_of("method = packed naive no_such\nisa_limit = baseline avx2 avx512 avx1024")
    expect("all points", len(lines) == 12, lines)
    for line in lines:
        _, method, _, limit = line.split(": ")[1].split()
        limit, why = limit.partition("=")[2], line.partition("left out: ")[2]
        if limit == "avx1024":
            expect("an unknown set", "there is no instruction set 'avx1024'" in why, line)
        elif method == "no_such":
            expect("an unknown method", why, line)
        elif limit == "baseline":
            expect("it is measured", not why, line)
        elif method == "naive":
            expect("it changes nothing", why and ("processor" in why or "this build" in why or
                                                  "naive has no build for avx" in why), line)


def samples_record_what_was_asked():
    """A sample records what --isa and --pages requested; points that differ in it are different points, and pages are
    an axis of definitions."""
    pages = plan_of("pages_asked = huge ordinary")
    expect("both pages", len(pages) == 2 and "pages_asked=ordinary" in pages[1], pages)
    for name, option, words in (("sets", "--isa baseline", "isa_limit=baseline"),
                                ("sheets", "--pages ordinary", "pages_asked=ordinary")):
        for options in ("", option):
            done(f"./matmul_serial -n 40 --method packed --samples 6 --experiment sets {options} --record "
                 f"$DIR/{name}.csv")
        done(f"./study analyze {name} --results $DIR", f"{name}: 2 points", words)


# ---- charts ---------------------------------------------------------------------------------------------------------


def charts_have_panels_series_and_ceilings():
    """The made-up ladder as ladder and as roofline under made-up ceilings, and the samples above by instruction set. In
    Spanish, because a forgotten text stays English."""
    need_program("gnuplot")
    write("ceilings.csv", CEILINGS)
    done("cd $DIR && cp ladder.csv roofline.csv && cp sets.csv isa.csv")
    done("./study plot ladder roofline isa --charts all --lang es --results $DIR",
         err=("no dibujado: isa: no se midió otro juego de instrucciones",))  # only the baseline set was measured
    expect("isa is not drawn", not (DIR / "charts/isa.svg").exists())
    for name, words in (
            ("ladder", ("primer pelda", "literal", "fused", "ventanas separadas", "traslapadas", "(elementos)")),
            ("ladder-ladder_roof", ("límite", "literal", "fused", "0,1")),
            ("roofline", (">memoria<", "limitado por memoria", "fused", "operaciones/s", "por byte")),
            ("roofline-roofline_share", ("conjunto de trabajo", "alcanza el"))):
        svg = (DIR / f"charts/{name}.svg").read_text(encoding="utf-8")
        for word in words:
            expect(f"{word!r} is in {name}", word in svg)


if __name__ == "__main__":
    sys.exit(main(a_rung_stands_on_the_one_before, tables_have_time_gain_and_share, the_page_says_what_the_samples_say,
                  sets_that_change_nothing_are_left_out, samples_record_what_was_asked,
                  charts_have_panels_series_and_ceilings))
