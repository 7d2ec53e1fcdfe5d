#!/usr/bin/env python3
"""What the commands of `study` print about themselves: options have an effect, and columns are aligned.
Usage: tests/support/commands.py."""
import csv
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, rows_in
from commands import DIR, Skipped, command, done, fails, holds, main, need_program


def help_has_the_options_of_its_command():
    for name, has, lacks in (("predict", "--definitions", "--thesis"), ("predict", "--bin", "--launcher"),
                             ("predict", "--results", "--all"), ("duet", "--definitions", "--thesis"),
                             ("duet", "--quick", "--launcher"), ("duet", "--all", "--platform"),
                             ("run", "--launcher", "--shell"), ("plan", "--thesis", "--budget")):
        done(f"./study {name} --help", has, never=(lacks,))


def a_limit_of_time_holds_within_one_measurement():
    """Where the time is over at once, one size of one curve is measured, and nothing is begun after it."""
    done("./study roofline --max-seconds 0.000001 --results $DIR/over", "after 0 of 13 measurements")
    expect("one row", len(rows_in(DIR / "over/ceilings.csv")) == 1)


def folders_without_a_usable_name_are_refused():
    """An empty variable of a script would otherwise be the root folder, and a long path would be cut."""
    for place in ("", "./" * 2000 + "place"):
        fails(2, f"cd $DIR; $OLDPWD/study env --results '{place}'",
              "has no name, or one of more than 3840 bytes")
    expect("nothing is written", not (DIR / "environment.json").exists())


def the_study_alone_shows_its_help():
    """The study alone prints its help as the error that it is: on standard error, with status 2."""
    outcome = fails(2, "./study", "The commands that most people need:\n  speedup ",
                    "\nstudy: a command is missing\n")
    expect("nothing is printed", outcome.out == "", outcome)


def the_study_speaks_spanish():
    """--lang stands before the command, or is an option of it; an unknown language is refused."""
    if command("./study --lang es --help").status == 3:
        raise Skipped("built without msgfmt")
    for before, line, status, words in (
            ("", "--lang es --help", 0, "Uso: study "),
            ("LC_ALL=es_MX.UTF-8", "--help", 0, "Uso: study "),
            ("LC_ALL=es_MX.UTF-8", "run --help", 0, "Uso: study run NAME"),
            ("LC_ALL=es_MX.UTF-8", "run --help --lang en", 0, "Usage: study run NAME"),
            ("", "run --help --lang=es", 0, "Uso: study run NAME"),
            ("LC_ALL=fr_FR.UTF-8", "run --help", 0, "Usage: study run NAME"),
            ("", "amdahl --fraction 0.5 --workers 2 --lang es", 0, "1,33333"),
            ("LC_ALL=es_MX.UTF-8", "amdahl --fraction 0.5 --workers 2", 0, "cota"),
            ("LC_ALL=C LANG=es_MX.UTF-8", "amdahl --fraction 0.5 --workers 2", 0, "bound"),
            ("LC_ALL=es_MX.UTF-8", "calibrate threads", 0, "no hay nada que calibrar"),
            ("LC_ALL=es_MX.UTF-8", "amdahl --fraction 0,5", 2, "escriba un punto: 0.5"),
            ("", "--lang fr list", 2, "language must be en or es, not 'fr'"),
            ("", "list --lang fr", 2, "language must be en or es, not 'fr'"),
            ("", "report --lang fr", 2, "language must be en or es, not 'fr'"),
            ("", "--lang", 2, "option '--lang' needs a value: en|es"),
            ("", "plot threads --size 8,5x6cm", 2, "not '8,5x6cm'; write a point: 8.5x6cm"),
            ("", "run threads --budget 1,5h", 2, "not '1,5h'; write a point: 1.5h")):
        outcome = command(f"bin=$PWD; cd $DIR; {before} $bin/study {line}")
        expect(f"status {status}", outcome.status == status, outcome)
        holds(outcome, *(() if status else (words,)), err=(words,) if status else ())


def titles_are_in_one_column():
    """Titles begin in the same column, however long the names are."""
    outcome = done("./study list window_count conv_hyperparameters")
    columns = [len(found[0]) for found in re.findall(r"^((\S+) {2,})", outcome.out, re.M)]
    expect("two names, one column", len(columns) == 2 and len(set(columns)) == 1, outcome)


def parts_of_the_thesis_are_named():
    """The message on an unknown part of --thesis lists the parts and the experiments."""
    fails(2, "./study run --thesis moon",
          "'moon' is no part of --thesis, which are tesina, solar, devices, faces; no experiment 'moon' in ",
          "there are: devices_batch")


def a_folder_that_does_not_exist_is_named():
    outcome = fails(2, "./study run --definitions nowhere quick", "there is no folder nowhere")
    expect("no list", "there are:" not in outcome.err, outcome)


def roofline_reports_its_visits():
    """On a terminal each visit is shown, with no more seconds than --max-seconds allows."""
    need_program("script")
    outcome = done("script -qec \"./study roofline --results $DIR/limits --seconds 0.001 --max-seconds 3 --visits 2\" "
                   "/dev/null")
    left, steps = re.search(r"about (\d+):(\d+) left", outcome.out), re.search(r" 0/(\d+)", outcome.out)
    expect("at most three seconds are left", left and int(left[1]) == 0 and int(left[2]) <= 3, outcome)
    # a step is a curve, so that the progress moves within a visit
    expect("several steps", steps and int(steps[1]) > 2, outcome)
    expect("the end", re.search("visit 2 of 2|The time was over after [01] of 2", outcome.out), outcome)


def narrow_rates_in(path, wide):
    """Writes intervals of one per cent around a rate that all rows have, except for the row `wide`, whose is wide."""
    rows = rows_in(path)
    for number, row in enumerate(rows):
        for unit in ("bytes", "operations"):
            name = f"{unit}_per_s"
            if row.get("bandwidth_" + name if unit == "bytes" else name) in ("", "NA"):
                continue
            row["bandwidth_" + name if unit == "bytes" else name] = row["median_" + name] = "1e9"
            row["lower_" + name] = "5e8" if number == wide else "9.9e8"
            row["upper_" + name] = row["highest_" + name] = "1.01e9"
        row["visits"] = "13"
    write_rows(path, rows)


def write_rows(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def only_doubtful_rates_are_measured_again():
    """--doubtful leaves rows with a narrow interval alone; where no row is doubtful, nothing is written."""
    path = DIR / "doubtful/ceilings.csv"
    measure = "./study roofline --results $DIR/doubtful --seconds 0.001 --visits 1"
    outcome = done(f"{measure} --doubtful --max-seconds 60")  # there is no file: all are measured
    expect("a file", len(rows_in(path)) > 20, outcome)
    narrow_rates_in(path, None)
    before = path.read_bytes()
    outcome = done(f"{measure} --doubtful", f"Doubtful rates: 0 of {len(rows_in(path))}", never=("Written",))
    expect("the same file", path.read_bytes() == before, outcome)
    for wide in (0, len(rows_in(path)) - 1):
        narrow_rates_in(path, wide)
        outcome = done(f"{measure} --doubtful", f"Doubtful rates: 1 of {len(rows_in(path))}", "Written")
        visits = [float(row["visits"]) for row in rows_in(path)]
        expect("one row has one visit more", sorted(visits) == [13.0] * (len(visits) - 1) + [14.0], outcome)


def a_rate_without_memory_stops_no_other():
    """A doubtful row whose working set no longer fits into memory stays as it is; the other doubtful row is visited."""
    path = DIR / "doubtful/ceilings.csv"
    of_memory = [number for number, row in enumerate(rows_in(path)) if row["bandwidth_bytes_per_s"] not in ("", "NA")]
    narrow_rates_in(path, of_memory[0])
    rows = rows_in(path)
    here = rows[of_memory[0]]
    large = dict(here, working_set_bytes="4e15")
    write_rows(path, rows + [large])
    done("./study roofline --results $DIR/doubtful --seconds 0.001 --visits 1 --doubtful",
         f"Doubtful rates: 2 of {len(rows) + 1}", "Written")
    visits = {row["working_set_bytes"]: row["visits"] for row in rows_in(path) if row["what"] == large["what"]
              and row["stores"] == large["stores"] and row["workers"] == large["workers"]}
    expect("the large row is as before", float(visits.pop(max(visits, key=float))) == 13.0, visits)
    expect("the other one is visited", float(visits[here["working_set_bytes"]]) == 14.0, visits)


if __name__ == "__main__":
    sys.exit(main(
        help_has_the_options_of_its_command, a_limit_of_time_holds_within_one_measurement,
        folders_without_a_usable_name_are_refused, the_study_alone_shows_its_help, the_study_speaks_spanish,
        titles_are_in_one_column, parts_of_the_thesis_are_named, a_folder_that_does_not_exist_is_named,
        roofline_reports_its_visits, only_doubtful_rates_are_measured_again, a_rate_without_memory_stops_no_other))
