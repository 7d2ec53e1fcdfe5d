#!/usr/bin/env python3
"""Looking inside a network: the file of layers, the trace with its nested events, and the timeline. Usage:
tests/support/commands.py."""
import collections
import json
import math
import pathlib
import socket
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, rows_in
from commands import DIR, FEATURES, done, fails, main, need

SMALL = "--network solar_cnn --image-size 12"


def rows_of(name):
    """The rows of a file of the folder, each whole."""
    rows = rows_in(DIR / name)
    expect(f"{name} has whole rows", all(None not in row and None not in row.values() for row in rows), rows)
    return rows


def ulps_within(row, least, most):
    """True if a step's error is that of a rounded sum, or, of pooling, what it is in a step that rounds nothing."""
    error = float(row["error_ulps_rms"])
    return least[row["layer"] == "pool"] <= error <= most[row["layer"] == "pool"]


# ---- layers ----------------------------------------------------------------------------------------------------------


def layers_are_recorded():
    """The totals are those of the network; the bytes of the first step are counted here independently."""
    done(f"./network_serial {SMALL} --batch 3 --samples 3 --relative-ci 0 --record-layers $DIR/layers.csv "
         "--record $DIR/samples.csv")
    rows = rows_of("layers.csv")
    for number, row in enumerate(rows):
        expect("steps in order", int(row["step"]) == number, row)
        expect("a warm-up too, and several if one is short", int(row["executions"]) >= 4, row)
        expect("the fastest is no slower than the mean",
               0 < float(row["fastest_s"]) <= float(row["mean_s"]) * (1 + 1e-6), row)
        expect("pooling is exact; convolutions and products round", ulps_within(row, (0.01, 0), (20, 0)), row)
    expect("five steps", len(rows) == 5, rows)
    wanted = {"layer": "conv1", "kinds": "conv+relu", "images": 3, "images_here": 3, "image_rows": 12, "channels": 32,
              "rows": 10, "parameters": 32 * 9 + 32, "bytes": 4 * (3 * (12 * 12 + 32 * 10 * 10) + 32 * 9 + 32),
              "multiply_adds": 3 * 32 * 10 * 10 * 9, "roof_s": "", "roof_share": ""}  # not requested
    for column, value in wanted.items():
        shown = rows[0][column]
        expect(f"{column} of the first step", (shown if isinstance(value, str) else float(shown)) == value, rows[0])
    expect("all parameters", sum(int(row["parameters"]) for row in rows) ==
           320 + 18496 + 64 * 4 * 4 * 128 + 128 + 129, rows)
    expect("the launch of the samples", rows[0]["run_id"] in {row["run_id"] for row in rows_of("samples.csv")}, rows[0])


def errors_of_a_training_are_recorded():
    """The first and the last step of a training are verified: their errors are those of outputs and gradients. In the
    backward pass the first layer has no data gradient, and pooling no parameter gradient."""
    done(f"./network_omp {SMALL} --task train --batch 9 --steps 3 --threads 2 --record-layers $DIR/trained.csv "
         "--record $DIR/steps.csv")
    steps = [row for row in rows_of("steps.csv") if row["warmup"] == "0"]
    expect("three steps", len(steps) == 3, steps)
    for row in steps:
        verified = row["sample"] != "1"
        expect("a verdict", (row["verified"] != "none") == verified and (row["error_layer"] != "") == verified, row)
        errors = [row[name] for name in ("error_bound_max", "error_ulps_rms", "error_ulps_max")]
        if verified:
            bound, rms, most = map(float, errors)
            expect("errors of a step", 0 < bound < 1 and 0.05 < rms < 50 and most >= rms, row)
        else:
            expect("no errors without a verdict", errors[:2] == ["", ""], row)
    layers = rows_of("trained.csv")
    expect("passes", collections.Counter(row["pass"] for row in layers) == {"forward": 5, "backward": 5, "update": 1},
           layers)
    for row in layers:
        expect("errors of a pass", row["error_ulps_rms"] == "" if row["pass"] == "update" else
               ulps_within(row, (0.01, 0), (50, math.inf)), row)


def layers_are_those_of_whole_batches():
    """The last step of the epoch has fewer images: the rows do not include it."""
    done("./network_omp --network mlp:4 --task train --data solar --batch 5000 --epochs 1 --verify none "
         "--record-layers $DIR/whole.csv")
    rows = rows_of("whole.csv")
    expect("one execution of each", {row["executions"] for row in rows} == {"1"}, rows)
    (hidden,) = [row for row in rows if (row["layer"], row["pass"]) == ("hidden1", "forward")]
    expect("work of a whole batch", float(hidden["multiply_adds"]) == 5000 * 50 * 4, hidden)


# ---- trace -----------------------------------------------------------------------------------------------------------


def steps_of_tracks(name):
    """Checks that the events of a trace nest; returns the number of steps of each process and thread. Sorted by their
    beginning, enclosing ones first, an event that begins before another ends must end before it too."""
    rounding = 0.002  # microseconds; the file has three digits
    events = json.loads((DIR / name).read_text(encoding="utf-8"))["traceEvents"]
    expect("kinds of events", {event["ph"] for event in events} <= {"X", "M"}, name)
    open_ends, steps = collections.defaultdict(list), collections.Counter()
    for event in sorted((event for event in events if event["ph"] == "X"), key=lambda e: (e["ts"], -e["dur"])):
        track = event["pid"], event["tid"]
        ends, begin, end = open_ends[track], event["ts"], event["ts"] + event["dur"]
        expect("an event begins before it ends", 0 <= begin <= end, event)
        while ends and ends[-1] <= begin + rounding:
            ends.pop()
        expect("an event ends with the one around it", not ends or end <= ends[-1] + rounding, event)
        ends.append(end)
        steps[track] += "args" in event
    return {track: steps[track] for track in open_ends}


def traced(command, tracks, *expected):
    """Runs a command with a trace of so many tracks. Each expected one is a process, a thread and its steps: thread 0
    takes part in every step; another thread may be late for some."""
    need("cjson")
    done(f"{command} --trace $DIR/trace.json")
    steps = steps_of_tracks("trace.json")
    expect(f"{tracks} tracks", len(steps) == tracks, steps)
    for process, thread, count in expected:
        seen = steps.get((process, thread), -1)
        expect(f"process {process}, thread {thread}", (0 if thread else count) <= seen <= count, steps)


def events_of_threads_nest():
    """One track per worker, and one process per method."""
    traced(f"./network_omp {SMALL} --batch 2 --samples 2 --threads 2 --conv auto,literal", 4, (0, 1, 5), (1, 0, 5))


def events_of_ranks_nest():
    """One process per rank, messages on a separate track; a rank without images has no step."""
    need("mpi")
    traced(f"$MPIRUN 3 ./network_mpi {SMALL} --batch 2 --samples 2 --distribute scatter", 6, (0, 0, 5), (1, 0, 5),
           (2, 0, 0), (1, 1, 0))


PARTS = 3 + 4 + 3 + 4 + 3 + 2  # of five layers, loss and update


def events_of_a_training_nest():
    """A training traces its last step: forward, gates, gradients of parameters and inputs, by every worker."""
    traced(f"./network_omp {SMALL} --task train --batch 9 --steps 3 --threads 2", 2, (0, 0, PARTS), (0, 1, PARTS))


def events_of_training_ranks_nest():
    """The same by ranks, whose messages have a separate track."""
    need("mpi")
    traced(f"$MPIRUN 2 ./network_mpi {SMALL} --task train --batch 9 --steps 2 --strategy central", 4, (0, 0, PARTS),
           (1, 0, PARTS), (1, 1, 0))


# ---- roofs -----------------------------------------------------------------------------------------------------------

# The first step of mlp:800 on one vector: weights, biases, input and output, each float once.
FIRST_BYTES = 4 * (50 * 800 + 800 + 50 + 800)
ISA = "x86-64 neon ppc64 riscv generic".split()  # what the baseline may be called


def roofs_are_recorded_and_traced():
    """By ceilings of this machine as if one worker moved 1 GB/s. In the trace the first step has its share of the
    machine's limit in its own time."""
    host = socket.gethostname()
    header = "what,level,working_set_bytes,workers,bandwidth_bytes_per_s,isa,operations_per_s,host\n"
    (DIR / "slow.csv").write_text(header + f"read,memory,1e6,1,1e9,,,{host}\n" + "".join(
        f"multiply_add,,,1,,{isa},1e30,{host}\n" for isa in ISA), encoding="utf-8")
    trace = "--trace $DIR/roofs.json" if "cjson" in FEATURES else ""
    done("./network_serial --network mlp:800 --isa baseline --samples 2 --roof $DIR/slow.csv "
         f"--record-layers $DIR/roofs.csv {trace}")
    rows = rows_of("roofs.csv")
    expect("two steps", len(rows) == 2, rows)
    expect("the first limit", abs(float(rows[0]["roof_s"]) / (FIRST_BYTES * 1e-9) - 1) < 1e-6, rows[0])
    for row in rows:
        written, moved, roof, share, fastest = (
            float(row[name]) for name in ("bytes_written", "bytes", "roof_s", "roof_share", "fastest_s"))
        expect("a limit, and bytes written", roof > 0 and 0 < written < moved, row)
        expect("no work is spared", row["least_multiply_adds"] == row["multiply_adds"], row)
        expect("the share", abs(share * fastest / roof - 1) < 1e-6, row)
    if trace:
        events = json.loads((DIR / "roofs.json").read_text(encoding="utf-8"))["traceEvents"]
        steps = [(event["args"]["roof_share"], event["dur"]) for event in events if "step" in event.get("args", {})]
        expect("shares of two steps", len(steps) == 2 and all(share > 0 for share, _ in steps), steps)
        expect("the first share", abs(steps[0][0] * steps[0][1] / (FIRST_BYTES * 1e-3) - 1) < 0.02, steps)


# ---- timeline --------------------------------------------------------------------------------------------------------


def a_timeline_is_reported():
    """Rows are written as long as the program runs, whatever else the machine does."""
    done(f"./network_serial {SMALL} --samples 10000000 --relative-ci 0 --max-seconds 0.7 --verify none "
         "--timeline $DIR/timeline.csv")
    rows = rows_of("timeline.csv")
    seconds = [float(row["seconds"]) for row in rows]
    expect("time goes on", len(rows) >= 2 and seconds[0] > 0 and seconds == sorted(set(seconds)) and seconds[-1] >= 0.2,
           seconds)
    for row in rows:
        expect("a moment", row["label"] == "solar_cnn" and 0 <= float(row["cpu_share"]) < 1000 and
               float(row["resident_bytes"]) > 1e5, row)


def what_cannot_be_written_is_reported():
    for option, path in (("trace", "missing/x.json"), ("trace", "/dev/full"), ("record-layers", "missing/x.csv"),
                         ("record-layers", "/dev/full"), ("timeline", "missing/x.csv")):
        fails(5, f"./network_serial --network mlp:9 --samples 1 --{option} {path}", path)


if __name__ == "__main__":
    sys.exit(main(
        layers_are_recorded, errors_of_a_training_are_recorded, layers_are_those_of_whole_batches,
        events_of_threads_nest, events_of_ranks_nest, events_of_a_training_nest, events_of_training_ranks_nest,
        roofs_are_recorded_and_traced, a_timeline_is_reported, what_cannot_be_written_is_reported))
