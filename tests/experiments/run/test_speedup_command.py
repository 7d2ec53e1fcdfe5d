#!/usr/bin/env python3
"""`study speedup`: one command measures and draws, doubts stand below its table, and what cannot be is refused. Usage:
tests/support/commands.py."""
import csv
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, rows_in
from commands import DIR, Skipped, command, done, fails, holds, main, need_program, write

SHORT = "--threads 1,2 --ranks none -n 64"
STAGED = f"{SHORT} --method staged --charts none"
NOT_MEASURED = "--ranks none --threads 2 --bin /nowhere"


def speedup(options, *words, before="", never=()):
    return done(f"{before} ./study speedup --results $DIR/own {options}", *words, never=never)


def refused(status, options, *words):
    outcome = command(f"./study speedup --results $DIR/own {options}")
    expect(f"status {status}", outcome.status == status, outcome)
    for word in words:
        expect(f"{word!r} is reported", word in outcome.out + outcome.err, outcome)
    return outcome


def chart_has(*words):
    svg = (DIR / "own/charts/speedup_maxpool_64-speedup.svg").read_text(encoding="utf-8")
    for word in words:
        expect(f"{word!r} is drawn", word in svg)


def definitions(names="*"):
    return list((DIR / "own").glob(f"{names}.ini"))


def one_command_measures_and_draws():
    need_program("gnuplot")
    holds(speedup(f"{SHORT} --method staged --charts svg --laws 64"), "method", "staged", "2 threads", "Karp-Flatt",
          "Amdahl", "45 done now")
    chart_has("staged, threads", ">64<")  # --laws
    speedup(f"{SHORT} --method staged --lang es", "de 45 lanzamientos ya había 45, 0 se hicieron ahora", "eficiencia")
    chart_has("staged, hilos")


def doubts_stand_below_the_table():
    """In odd rounds staged with two threads takes ten times as long: below the table a line states how far the times
    can be trusted, and why."""
    def expect_line(pattern, outcome):
        expect(f"a line is {pattern}", re.search(pattern, outcome.out, re.M), outcome)
    expect_line(r"^Points: ([0-9]+ [A-Z]+(, )?)+$", speedup(STAGED))
    rows = rows_in(DIR / "own/samples.csv")
    for row in rows:
        if (row["experiment"], row["threads"]) == ("speedup_maxpool_64", "2") and int(row["round"]) % 2:
            row.update({name: f"{10 * float(row[name]):.9g}" for name in ("compute_s", "total_s")})
    with open(DIR / "own/samples.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    outcome = speedup(STAGED, "0 done now")
    expect_line("^Points: .*[0-9]+ SUSPECT", outcome)
    expect_line(r"^  SUSPECT: .*, [0-9]+ points? \(", outcome)
    outcome = speedup(f"{STAGED} --lang es")
    expect_line("^Puntos: .*[0-9]+ SOSPECHOSO", outcome)
    expect_line("^  SOSPECHOSO: .*, [0-9]+ puntos? ", outcome)


def threads_bound_by_openmp_have_a_speedup():
    """They have a core each, wherever the first thread was bound."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Skipped("one core")
    speedup("--threads 1,2 --ranks none -n 128 --method staged --charts none",
            before="OMP_PROC_BIND=close OMP_PLACES=cores", never=("Only one worker", "shared cores"))
    bindings = {row["binding"] for row in rows_in(DIR / "own/samples.csv")
                if (row["experiment"], row["space"]) == ("speedup_maxpool_128", "omp")}
    expect("all are bound by OpenMP", bindings == {"openmp"}, bindings)


def lists_are_checked_before_anything_is_written():
    """An invalid list is refused with its option's name, and nothing is written to the results."""
    for options, said in (("--threads x", "--threads: 'x' is not an integer or a range"),
                          ("--threads none --ranks 1,0", "--ranks: '0' is not an integer of at least 1"),
                          ("--simulate 4..1", "--simulate: '4..1' is not a range"),
                          ("--threads 1,,2", "--threads: item 2 of '1,,2' is empty"),
                          ("--ranks 1,2,", "--ranks: item 3 of '1,2,' is empty"),
                          ("--simulate ,4", "--simulate: item 1 of ',4' is empty"),
                          ("--method fused,,staged", "--method: item 2 of 'fused,,staged' is empty"),
                          ("--threads 1 --ranks none --method @none", "@none")):
        fails(2, f"./study speedup -n 77 --results $DIR/refused {options}", said)
        expect("nothing is written", not list(DIR.glob("refused/*.ini")), options)


def unknown_names_are_refused():
    """The names that exist are reported; no definition stays, and a definition that was there does."""
    done("rm -rf $DIR/own")
    for options, unknown, exist in (
            ("--method nosuch", "nosuch", "literal, staged, fused"),
            ("--method fused,nosuch", "nosuch", "literal, staged, fused"),
            ("--method 'fused stage'", "stage", "literal, staged, fused"),
            ("--operator matmul --method fused", "fused", "naive"),
            ("--network resnet18 --method fused", "fused", "auto, exact"),
            ("--network nosuch", "nosuch", "resnet18, mobilenet_v2, mlp:"),
            ("--network mlp", "mlp", "mlp:H1-H2-..."),
            ("--operator nosuch", "nosuch", "maxpool, ")):
        outcome = refused(2, f"{SHORT} --charts none {options}", exist)
        expect(f"{unknown} is named", re.search(f"there is no (operator )?'{unknown}'", outcome.err), outcome)
        if unknown != "mlp":
            holds(outcome, err=[f"there are: {exist}"])
        expect("nothing is written", not any((DIR / "own").glob("*")), options)
    write("own/speedup_maxpool_64.ini", "; mine\n")
    refused(2, f"{SHORT} --method nosuch")
    expect("a definition stays", "; mine" in (DIR / "own/speedup_maxpool_64.ini").read_text(encoding="utf-8"))


def what_cannot_be_is_refused():
    refused(2, "--threads none --ranks none", "--threads and --ranks are both none")
    refused(2, "--operator nothing", "there is no operator")
    refused(2, "--network resnet18 --weak")
    refused(2, "--lang fr")
    refused(2, "--threads 0 -n 64")
    refused(2, "--bind socket", "--bind must be none, core or spread, not ")
    refused(3, f"--network mlp:50 {NOT_MEASURED}", "none of its points can be measured here")
    expect("its network", "network = mlp:50" in definitions("speedup_mlp-50")[0].read_text(encoding="utf-8"))
    for last in (50, 60):  # two networks whose names begin with the same 40 characters
        refused(3, f"--network mlp:1024-1024-1024-1024-1024-1024-1024-1024-{last} {NOT_MEASURED}")
    expect("two definitions", len(definitions("speedup_mlp-1024-*")) == 2, definitions())
    speedup("--help", "study speedup --weak")


if __name__ == "__main__":
    sys.exit(main(
        one_command_measures_and_draws, doubts_stand_below_the_table, threads_bound_by_openmp_have_a_speedup,
        lists_are_checked_before_anything_is_written, what_cannot_be_is_refused, unknown_names_are_refused))
