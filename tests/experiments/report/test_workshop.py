#!/usr/bin/env python3
"""What a user requests from study for their own page: definitions, charts and tables. Usage:
tests/support/commands.py."""
import csv
import itertools
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, rows_in
from commands import BIN, DIR, done, fails, main, need_program, write

LITERAL = "serial_growth-8x6cm-9pt-es-literal-titleaf818dcd"
OVER = "threads-one_total-over-threads"


def study(words, *printed):
    return done(f"cd $DIR && {BIN}/study {words} --results .", *printed)


def refused(words, *said, status=2):
    return fails(status, f"cd $DIR && {BIN}/study {words} --results .", *said)


def has(name, *words, never=()):
    """Expects words in a file of the folder, and others not."""
    text = (DIR / name).read_text(encoding="utf-8")
    for word in words:
        expect(f"{name} has {word!r}", word in text)
    for word in never:
        expect(f"{name} has no {word!r}", word not in text)


# ---- the user's own definitions -------------------------------------------------------------------------------------

DEFINITION = """[experiment]
title = My threads
question = Mine?
baseline = fused
charts = methods

[points]
programs = maxpool_omp
method = fused
size = 64
kernel = 2
stride = 2
threads = 1
"""


def baselines():
    return {row["named_baseline"] for row in rows_in(DIR / "analysis/threads.points.csv")}


def definitions_of_ones_own_are_used():
    write("mine/threads.ini", DEFINITION)
    study("list threads --definitions mine", "My threads")
    study("analyze threads --definitions mine")
    expect("my baseline", any("serial fused" in label for label in baselines()), baselines())
    study("analyze threads")
    expect("the suite's baseline", any("serial literal" in label for label in baselines()) and
           not any("serial fused" in label for label in baselines()), baselines())
    study("report threads --charts none --definitions mine")
    has("report-method.html", "My threads")
    refused("analyze --definitions nowhere", "--definitions nowhere: cannot be read")


def a_chart_of_ones_own_definition_is_drawn():
    need_program("gnuplot")
    study("plot threads --charts svg --definitions mine", "charts/threads-methods.svg")


# ---- the user's own charts ------------------------------------------------------------------------------------------


def wrong_options_of_plot_are_reported():
    """Each message names the option and the value that it refuses."""
    for words, said in (
            ("threads --size 8", "--size must be WIDTHxHEIGHT"),
            ("threads --size 1x6cm", "not "),
            ("threads --size 8x6ft", "80x60mm"),
            ("threads --font 2", "plot: font must be between 4 and 72, not 2"),
            ("threads --font 0", "plot: font must be between 4 and 72, not 0"),
            ("threads --font x", " is not a number"),
            ("threads --format gif", "--format must be all, none, or some of svg, png, pdf and tikz"),
            ("threads --format svg,svg", "as svg,pdf"),
            ("threads --format svg,pdf,", "--format: item 3 of 'svg,pdf,' is empty"),
            ("threads --x threads", "--y is missing"),
            ("threads speedup --x threads --y speedup", "name one experiment"),
            ("--title T", "--title is of one experiment"),
            ('threads --title ""', "--title must be one line"),
            ("threads --data t.csv", "--data t.csv needs --x and --y"),
            ("threads --x thrads --y speedup", "there are: planes,rows,cols"),
            ("threads --x threads --y label", "no column "),
            ("threads --methods nosuch", "there are: fused,literal,staged"),
            ("--data nowhere.csv --x a --y b", "nowhere.csv"),
            ("threads --lang fr", "fr"),
            ("threads --charts svg --size 8x6cm", "without settings"),
            ("threads -o figure", "needs an ending"),
            ("threads -o figure.svg --format pdf", "is no pdf"),
            ("threads serial_growth -o figure.svg", "name one experiment"),
            ("threads --operator matmul", "needs --x and --y"),
            ("threads --x threads --y speedup --operator nosuch", "there are: maxpool")):
        refused(f"plot {words}", said)


def a_chart_looks_as_asked():
    """The drawing has the requested title, size and language; a method that was not requested is absent."""
    need_program("gnuplot")
    study('plot serial_growth --format svg --size 8x6cm --font 9 --title "Two & a half" --lang es --methods literal')
    has(f"figures/{LITERAL}.svg", "Two &amp; a half", 'viewBox="0 0 302 226"', "filas y columnas", "literal",
        never=["fused"])
    expect("no other format", not list(DIR.glob("figures/serial_growth*.png")))
    study("plot threads --format svg --size 16x12cm --methods literal --title T")
    has("figures/threads-16x12cm-literal-titled10c0b43.svg", 'viewBox="0 0 604 453"', "literal")


def two_columns_make_a_chart():
    """A chart draws the numbers of the derived file, one line per method: serial points are on none."""
    need_program("gnuplot")
    study("plot threads --x threads --y speedup --format svg", f"./figures/{OVER}.svg")
    has(f"figures/{OVER}.svg", ">literal<", "speedup over one worker", never=(">1.5<", "one_total", "total_s"))
    derived = sorted((row["method"], row["threads"], row["one_total"], row["one_total_lower"])
                     for row in rows_in(DIR / "analysis/threads.points.csv") if row["one_total"] and
                     row["space"] == "omp")
    drawn = sorted((row["series"], row["x"], row["y"], row["lower"])
                   for row in rows_in(DIR / f"analysis/{OVER}.points.csv"))
    expect("the chart has the derived numbers", derived == drawn and len(drawn) >= 5, drawn)


def a_file_of_ones_own_is_drawn():
    """Its series have names that TeX would interpret as commands."""
    need_program("gnuplot")
    write("mine.csv", "series,n,t,t_lower,t_upper\n" + "".join(
        f'a_b 50%,{n},{n * n},{n},20\n"x, y",{n},5,4,6\n' for n in (1, 2, 3)))
    study("plot --data mine.csv --x n --y t --format svg")
    has("figures/mine-t-over-n.svg", "a_b 50%", "x, y")
    has("analysis/mine-t-over-n.points.csv", ",1,a_b 50%,2,4,2,20,,,1,0,1,")
    if "tikz" in done("gnuplot -e 'set terminal' 2>&1").out:  # gnuplot was built with Lua
        study("plot mine --data mine.csv --x n --y t --format tikz --size 8x6cm")
        has("figures/mine-t-over-n-8x6cm.tikz", "{a\\_b 50\\%}", "(8.000,6.000)")


def each_line_has_its_colour():
    """Series that have one colour in the file, such as those of one method, are drawn in different colours."""
    need_program("gnuplot")
    write("pale.csv", "method,stride,colour,n,t\n" + "".join(f"m,{s},255,{n},{s}\n" for n in (1, 2) for s in (1, 2)))
    study("plot --data pale.csv --x n --y t --format svg")
    has("analysis/pale-t-over-n.points.csv", ",1,m stride=1,1,1,1,1,,,1,0,1,", never=(",2,0,", ",255,"))


def two_values_at_one_place_are_refused():
    """They are at the same x with nothing to distinguish them: no line is drawn through both."""
    write("twice.csv", "series,n,t\na,1,2\na,1,3\n")
    refused("plot --data twice.csv --x n --y t --format svg",
            "two points have n 1 and differ in nothing that names a line")


def tikz_needs_its_terminal():
    """With a gnuplot without Lua, tikz is not available, and no other terminal replaces it."""
    write("lame/gnuplot", "#!/bin/sh\ncase $2 in *tikz*) exit 1;; esac\n").chmod(0o755)
    fails(3, f"cd $DIR && PATH=$PWD/lame:$PATH {BIN}/study plot threads --results . --format pdf,tikz",
          "this gnuplot has no tikz terminal")


# ---- tables ---------------------------------------------------------------------------------------------------------


def dictionary():
    return list(csv.DictReader(study("export --dictionary").out.splitlines()))


def the_dictionary_has_every_derived_column():
    """It has each column of a file, and each of its columns for this file exists there."""
    study("analyze threads --quiet")
    done("./make_network_results $DIR/networks && ./study analyze layers --quiet --results $DIR/networks")
    for name in (*(f"threads.{kind}" for kind in ("points", "fits", "model", "ratios", "ceilings", "scale", "speedup")),
                 "layers.layers"):
        kind, place = name.split(".")[1], "networks/analysis" if name == "layers.layers" else "analysis"
        with open(DIR / place / f"{name}.csv", newline="", encoding="utf-8") as file:
            header = next(csv.reader(file))
        known = [row["column"] for row in dictionary() if row["file"] == kind]
        expect(f"the columns of {kind}", sorted(header) == sorted(known), set(header) ^ set(known))


def the_dictionary_is_sound():
    """Every row has a unit and a meaning, and none occurs twice. The ends of an interval are in order."""
    rows = dictionary()
    expect("units and meanings", all(row["unit"] and row["meaning"] for row in rows))
    names = [(row["file"], row["column"]) for row in rows]
    expect("no row occurs twice", len(set(names)) == len(names))
    for (file, column), following in itertools.pairwise(names):
        if "lower" in column:
            expect(f"the upper end follows {column}", following == (file, column.replace("lower", "upper")), following)
    expect("an interval", ("points", "one_total_upper") in names)


def a_tidy_table_holds_the_derived_numbers():
    study("analyze threads --quiet")
    study("export threads --tidy --output tidy.csv")
    has("tidy.dictionary.csv", 'points,one_total,1,"speedup of total_s over the same method')
    derived = sorted((row["label"], row["one_total"], row["one_total_lower"], row["one_total_upper"])
                     for row in rows_in(DIR / "analysis/threads.points.csv") if row["one_total"])
    rows = rows_in(DIR / "tidy.csv")
    tidy = sorted((row["label"], row["value"], row["lower"], row["upper"]) for row in rows
                  if row["quantity"] == "one_total")
    expect("the derived numbers", derived == tidy and len(tidy) >= 5, tidy)
    expect("a time without an interval", not any(row["lower"] for row in rows if row["quantity"] == "setup_s"))
    expect("whole rows", not any(None in row or None in row.values() for row in rows))
    wide = study("export threads").out
    expect("the wide table", wide == (DIR / "analysis/threads.points.csv").read_text(encoding="utf-8"))
    study("export --dictionary", 'points,total_s,s,"median time in all, transfers included"', "tidy,value,see unit,")


def a_wrong_export_is_reported():
    refused("export", "export: which experiment?")
    refused("export nosuch", "there are no samples of")
    refused("export threads --dictionary", "it takes no experiment")
    for place in ("/dev/full", "nowhere/t.csv"):
        refused(f"export threads --tidy -o {place}", status=5)


if __name__ == "__main__":
    done("./make_results $DIR")
    sys.exit(main(
        definitions_of_ones_own_are_used, a_chart_of_ones_own_definition_is_drawn, wrong_options_of_plot_are_reported,
        a_chart_looks_as_asked, two_columns_make_a_chart, a_file_of_ones_own_is_drawn, each_line_has_its_colour,
        two_values_at_one_place_are_refused, tikz_needs_its_terminal, the_dictionary_has_every_derived_column,
        the_dictionary_is_sound, a_tidy_table_holds_the_derived_numbers, a_wrong_export_is_reported))
