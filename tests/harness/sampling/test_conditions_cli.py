#!/usr/bin/env python3
"""The columns of a sample's conditions: involuntary context switches, load by others, the frequency of the CPUs, and
the processor's counters, with simulated readings and on this machine. Usage: tests/support/commands.py."""
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, rows_in
from commands import DIR, LAUNCHER, Skipped, done, main

BOTH = "--method literal,simd"


def recorded(line, count=None):
    """Returns the rows that a command records, of which there are `count`. An empty number is none."""
    (DIR / "rows.csv").unlink(missing_ok=True)
    done(f"{line} --relative-ci 0 --max-seconds 600000 --record $DIR/rows.csv")
    rows = rows_in(DIR / "rows.csv")
    expect(f"{count} rows", count is None or len(rows) == count, len(rows))
    return rows


def expect_all(rows, what, good):
    """Expects good(row, timed, first) of every row; first: the first timed sample of its method."""
    for row in rows:
        timed = row["warmup"] == "0"
        expect(what, good(row, timed, timed and row["sample"] == "0"), row)


def conditions_are_read_beside_the_time():
    """Each sample holds exactly the switches between the two readings around it, and its time includes neither
    reading."""
    rows = recorded("FAULT=1 ./planted_serial -n 16 --samples 5", 6)
    expect_all(rows, "switches", lambda row, *_: row["involuntary_switches"] == "3")
    expect_all(rows, "the frequency", lambda row, timed, _: row["cpu_mhz"] == ("1000" if timed else ""))
    expect_all(rows, "its time", lambda row, *_: float(row["total_s"]) < 0.01 and float(row["compute_s"]) < 0.01)


def instructions_are_counted_beside_the_time():
    """Instructions are those of an execution, of all of the time although a counter saw a half, and of samples a tenth
    of a second apart."""
    def counted(row):
        return row["counters"], row["instructions"], row["cycles"]
    rows = recorded("FAULT=1 ./planted_serial -n 16 --samples 3", 4)
    expect_all(rows, "counted", lambda row, timed, _: counted(row) == (
        ("read", "1000", "4000") if timed else ("", "", "")))
    rows = recorded(f"./planted_serial -n 16 {BOTH} --samples 5", 12)  # at once
    expect_all(rows, "counted once", lambda row, _, first: [bool(cell) for cell in counted(row)] == [first] * 3 and
               row["counters"] == ("read" if first else ""))


def counters_that_cannot_be_read_are_recorded():
    """The first timed sample of each method says why they are not counted."""
    for error, word in ((13, "not allowed"), (1, "not allowed"), (2, "not supported")):
        rows = recorded(f"COUNTERS={error} FAULT=1 ./planted_serial -n 16 {BOTH} --samples 3", 8)
        expect_all(rows, word, lambda row, _, first, word=word: (
            row["counters"], row["instructions"], row["cycles"]) == (word if first else "", "", ""))


LOADS = ("others_cores", "launch_others_cores", "launch_stolen_share", "launch_pressure_share")


def expect_load(rows, cores):
    """The load of row i: others kept so many cores busy, and 0.4 more in the first second, between the readings before
    the first row and behind it."""
    for seconds, row in enumerate(rows, 1):
        truth = (cores + (0.4 if seconds == 1 else 0), cores + 0.4 / seconds,
                 0.1 * seconds / (1.5 * seconds + 0.4), 0.3)
        seen = [float(row[name]) for name in LOADS]
        expect("the load", all(abs(a - b) < 1e-5 for a, b in zip(seen, truth)), (seen, truth))


def load_by_others_is_recorded():
    """What was busy, less this program's own time; of the launch as a whole too. If no time passes, nothing is due."""
    expect_load(recorded(f"FAULT=1 ./planted_serial -n 16 {BOTH} --samples 3", 8), 1.4 - 0.25)
    expect_all(recorded("./planted_serial -n 16 --samples 5"), "no load", lambda row, *_: not any(
        row[name] for name in LOADS))


def the_frequency_is_not_read_all_the_time():
    """If no time passes, only the first timed sample of each method is followed by a reading of the frequency."""
    rows = recorded(f"./planted_serial -n 16 {BOTH} --samples 5", 12)
    expect_all(rows, "switches", lambda row, *_: row["involuntary_switches"] == "3")
    expect_all(rows, "the frequency", lambda row, _, first: bool(row["cpu_mhz"]) == first)


def ranks_report_together():
    """Switches are summed over ranks, frequencies averaged. The own time of all ranks is subtracted from the hardware
    threads that any of them may use."""
    if not LAUNCHER:
        raise Skipped("built without mpi")
    rows = recorded("$MPIRUN 2 ./planted_mpi -n 16 --samples 3", 4)
    expect_all(rows, "switches", lambda row, *_: row["involuntary_switches"] == "9")
    expect("counters and frequency", [rows[1][name] for name in ("instructions", "cycles", "cpu_mhz")] ==
           ["3000", "12000", "1500"] and not rows[0]["cpu_mhz"], rows[:2])
    expect_load(rows, 1.4 - 0.25 - 0.5)


def a_busy_child_is_seen():
    """Beside a child that computes on the only core of this test and of the program that it starts, the columns show
    what it takes: half of the core, or more where the program waits."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        for _ in range(10):
            rows = recorded("./maxpool_omp -n 1024 -t 1 --samples 200 --verify full")
            if not rows[-1]["launch_others_cores"]:
                raise Skipped("this machine does not count")
            launch = float(rows[-1]["launch_others_cores"])
            most = max(float(row["others_cores"] or 0) for row in rows)
            if min(launch, most) >= 0.3:
                break
    finally:
        child.kill()
        child.wait()
        os.sched_setaffinity(0, cores)
    expect("the child is seen", 0.3 <= launch < 1.5 and most >= 0.3, (launch, most))


def every_program_reports_them():
    """Programs without simulated readings report them too: those with threads, and the steps of a training."""
    has_frequency = "cpu MHz" in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8") or any(
        pathlib.Path("/sys/devices/system/cpu").glob("cpu*/cpufreq/scaling_cur_freq"))
    for line in ("./maxpool_serial -n 16 --samples 2", "./maxpool_omp -n 64 -t 2 --samples 2",
                 "./network_serial --network mlp:9-4 --batch 3 --samples 2",
                 "./network_serial --network mlp:9-4 --batch 3 --task train --steps 2"):
        rows = recorded(line)
        expect("rows", len(rows) >= 3, rows)
        expect_all(rows, "switches", lambda row, *_: int(row["involuntary_switches"]) >= 0)
        expect_all(rows, "counters", lambda row, _, first: not first or row["counters"] and
                   bool(row["instructions"]) == (row["counters"] == "read"))
        expect_all(rows, "the frequency", lambda row, _, first: not first or bool(row["cpu_mhz"]) == has_frequency)


if __name__ == "__main__":
    sys.exit(main(
        instructions_are_counted_beside_the_time, counters_that_cannot_be_read_are_recorded,
        conditions_are_read_beside_the_time, load_by_others_is_recorded, the_frequency_is_not_read_all_the_time,
        ranks_report_together, a_busy_child_is_seen, every_program_reports_them))
