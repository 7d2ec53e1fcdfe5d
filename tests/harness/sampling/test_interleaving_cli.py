#!/usr/bin/env python3
"""Several methods in one launch: the order of the methods, the contents of their rows, what is left out, and how the
fault of one method affects the others. Usage: tests/support/commands.py."""
import itertools
import pathlib
import re
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import expect, rows_in
from commands import DIR, FEATURES, Skipped, command, done, fails, holds, main

WHOLE = "--relative-ci 0"


def recorded(line, status=0):
    """Runs a command with --record. Returns the outcome and the rows of the file. No method stops because of its time
    limit unless the command sets one, however busy the machine is."""
    (DIR / "rows.csv").unlink(missing_ok=True)
    limit = " --max-seconds 600" if "--samples" in line and "--max-seconds" not in line else ""
    outcome = command(f"{line}{limit} --record $DIR/rows.csv")
    expect(f"status {status}", outcome.status == status, outcome)
    return outcome, rows_in(DIR / "rows.csv")


# ---- rows -----------------------------------------------------------------------------------------------------------


def every_method_has_all_its_rows():
    """The rows of one method are complete and in order, and only the last one gives the stop reason. Rounds are
    complete, and rows in the order of execution."""
    _, rows = recorded(f"./maxpool_omp -t 2 -n 64 --method literal,simd,direct --samples 7 --warmup 2 {WHOLE}")
    for method in ("literal", "simd", "direct"):
        own = [row for row in rows if row["method"] == method]
        expect(f"rows of {method}", [(row["warmup"], row["sample"], row["stop_reason"]) for row in own] == [
            ("1", "0", ""), ("1", "1", ""), *(("0", str(i), "samples" if i == 6 else "") for i in range(7))], own)
        expect(f"times of {method}", all(row["verified"] == "exact" and float(row["total_s"]) > 0 for row in own), own)
    expect("nothing else", len(rows) == 3 * 9, rows)
    for i, row in enumerate(rows):
        expect("one launch in rounds", (row["run_id"], row["company"], row["turn"], row["sample"]) == (
            rows[0]["run_id"], "literal+simd+direct", str(i % 3), rows[i // 3 * 3]["sample"]), row)


def a_method_alone_has_no_turn():
    _, rows = recorded("./maxpool_serial -n 64 --samples 2")
    expect("no turn", rows and not any(row["turn"] or row["company"] for row in rows), rows)


def the_order_is_drawn_by_the_seed():
    def order(seed):
        _, rows = recorded(f"./maxpool_serial -n 64 --method literal,fused,simd,van_herk --samples 12 {WHOLE} "
                           f"--seed {seed}")
        methods = [row["method"] for row in rows]
        return [methods[i:i + 4] for i in range(0, len(methods), 4)]
    first, again, other = order(7), order(7), order(8)
    expect("the seed draws it", first == again != other and len(first) == len(other), (first, again, other))
    expect("it changes", sum(a != b for a, b in itertools.pairwise(first)) >= 6, first)


# ---- who takes part -------------------------------------------------------------------------------------------------


def methods_that_cannot_are_refused_where_named():
    for options, said in (
            ("--method literal,turbo", "there is no 'turbo'"),
            ("--method literal,,simd", "item 2 of 'literal,,simd' is empty"),
            ("--method simd,literal,simd", "--method names 'simd' twice"),
            ("--method all,all", "--method names 'all' twice"),
            ("--method literal,direct --filter random",
             "--method direct takes the maximum alone: it needs the identity filter"),
            ("--method all,direct --filter random", "--method direct takes the maximum alone")):
        fails(2, f"./maxpool_serial -n 8 {options}", said)


def all_is_every_method_that_runs():
    """"all" means the methods of --list-methods, in that order; a method that is also named keeps its place."""
    listed = [line.split(" ")[0] for line in done("./maxpool_serial --list-methods").out.splitlines()]
    _, rows = recorded("./maxpool_serial -n 32 --method all --samples 1")
    expect("all of the list", rows[0]["company"] == "+".join(listed), rows[0])
    _, rows = recorded("./maxpool_serial -n 32 --method simd,all --samples 1")
    methods = rows[0]["company"].split("+")
    expect("simd is first, and once", methods[:2] == ["simd", "literal"] and methods.count("simd") == 1, methods)


def all_leaves_out_what_cannot_and_says_so():
    outcome, rows = recorded("./maxpool_serial -n 32 --method all --filter random --samples 1")
    holds(outcome, err=["maxpool_serial: left out: --method direct takes the maximum alone"])
    methods = rows[0]["company"]
    expect("without direct", "direct" not in methods and "literal+" in methods, methods)


# ---- faults and ends ------------------------------------------------------------------------------------------------


def expect_simd_wrong_once(rows):
    """One row of simd is wrong and says so as its stop reason; no other row does."""
    wrong = [row for row in rows if "wrong" in (row["verified"], row["stop_reason"])]
    expect("one wrong row of simd", [(row["method"], row["verified"], row["stop_reason"]) for row in wrong] ==
           [("simd", "wrong", "wrong")], wrong)


def a_method_that_writes_outside_is_wrong():
    """A method that writes outside its map is wrong even if its map is right, alone or among other methods; none of the
    others is blamed."""
    for methods in ("simd", "literal,simd,direct"):
        outcome, rows = recorded(f"FAULT=outside ./wrong_serial -n 64 --method {methods} --samples 8 {WHOLE}", 1)
        holds(outcome, err=["wrong_serial: method simd: wrote outside its block at row 31, column 32 of the map"])
        expect_simd_wrong_once(rows)


def a_wrong_method_stops_alone():
    """It is named; the others continue. If it is the first method, no map is written."""
    outcome, rows = recorded(f"./wrong_serial -n 64 --method literal,simd,direct --samples 8 {WHOLE}", 1)
    holds(outcome, "Verified      WRONG: simd\n", "the others exact: every value",
          err=["wrong_serial: method simd: wrong result at plane 0"])
    expect_simd_wrong_once(rows)
    timed = [row for row in rows if row["warmup"] == "0" and row["method"] != "simd"]
    expect("the others continue", len(timed) == 2 * 8, len(timed))
    recorded("./wrong_serial -n 64 --method simd,literal --samples 3 -o $DIR/none.npy", 1)
    expect("no map", not (DIR / "none.npy").exists())


def the_map_is_the_first_methods():
    """Even if a wrong method was executed last, which happens for some of the seeds."""
    last = 0
    for seed in range(1, 13):
        done(f"./maxpool_serial -n 64 --seed {seed} --samples 1 -o $DIR/alone.npy")
        _, rows = recorded(f"./wrong_serial -n 64 --method literal,simd --seed {seed} --samples 1 -o $DIR/o.npy", 1)
        last += rows[-1]["verified"] == "wrong"
        expect("the first method's map", (DIR / "o.npy").read_bytes() == (DIR / "alone.npy").read_bytes(), seed)
    expect("a wrong method was last", last > 0)


def a_wrong_method_hides_behind_no_bound():
    """If only a bound applies, a map of one method that was verified is not trusted for another method. Of simd there
    are a warm-up, and the first wrong execution."""
    outcome, rows = recorded(f"./wrong_serial -n 64 --method literal,simd --samples 8 {WHOLE} --filter random "
                             "--max-value 16777216 --format csv", 1)
    holds(outcome, ",bound,", err=["method simd: wrong result"])
    expect("two rows of simd", sum(row["method"] == "simd" for row in rows) == 2, rows)


def an_interrupt_ends_all():
    """Ctrl-C ends all methods after the current sample."""
    _, rows = recorded("$WHEN INT $DIR/rows.csv 8000 ./maxpool_serial -n 512 --method literal,simd --samples 100000 "
                       f"--max-seconds 600 {WHOLE}", 130)
    reasons = [row["stop_reason"] for row in rows]
    expect("the last row says so", len(rows) > 4 and reasons == [""] * (len(rows) - 1) + ["interrupted"], reasons)


def seconds_are_each_methods_own():
    """Each method stops by its own rule: the time of one method does not count for another. If it did, both would stop
    within a round of each other. If another program takes the core in the middle of a sample, the fast method may stop
    early too, but not in every try."""
    def samples_apart():
        """Returns how many more timed samples the fast method took, within the same time limit for each."""
        _, rows = recorded(f"./maxpool_serial -n 256 --method literal,van_herk --max-seconds 0.05 {WHOLE} "
                           "--samples 10000000")
        reasons = {row["stop_reason"] for row in rows} - {""}
        expect("their seconds end them", reasons == {"seconds"}, reasons)
        return sum((1 if row["method"] == "van_herk" else -1) * (row["warmup"] == "0") for row in rows)
    expect("the fast one takes more", any(samples_apart() > 1 for _ in range(30)))


def caches_are_as_the_method_leaves_them():
    """If its share of the working set fits into a cache, a method is executed once, untimed, before each timed sample;
    otherwise never. The method simd of wrong_serial goes wrong at its third execution: its first timed sample, or its
    second."""
    for cache, timed in ((67108864, 1), (4096, 2)):
        outcome, rows = recorded(
            f"HWLOC_SYNTHETIC='Package:1 L3Cache:1(size={cache}) L2Cache:1(size=1024) L1dCache:1(size=1024) Core:1 "
            f"PU:1' ./wrong_serial -n 64 --method literal,simd --samples 6 {WHOLE}", 1)
        if "L2 1 KiB" not in outcome.out:
            raise Skipped("no hwloc")
        seen = sum(row["method"] == "simd" and row["warmup"] == "0" for row in rows)
        expect(f"{timed} timed of simd", seen == timed, seen)


# ---- short executions -----------------------------------------------------------------------------------------------


def short_executions_are_batched():
    """Executions of a nanosecond, which no clock resolves, are repeated within a sample; executions of ten seconds are
    not, nor are any without a warm-up, from which the number of repeats is derived."""
    for line, seconds, batched in (
            ("FAULT=1e-9 ./wrong_serial -n 2 --method literal,direct --samples 6", 1e-9, True),
            ("FAULT=10 ./wrong_serial -n 2 --method literal,direct --samples 6", 10, False),
            ("FAULT=1e-9 ./wrong_serial -n 2 --samples 6 --warmup 0", 1e-9, False)):
        for row in recorded(line)[1]:
            expect("repeats", (int(row["repeats"]) > 1) == (batched and row["warmup"] == "0"), row)
            expect("the time of one", float(row["total_s"]) == seconds, row)


def batches_take_no_longer_than_the_program():
    """Recorded times are per execution, not per batch."""
    start = time.monotonic()
    _, rows = recorded(f"./maxpool_serial -n 2 --method literal,direct --samples 6 {WHOLE}")
    elapsed = time.monotonic() - start
    times = [float(row["total_s"]) for row in rows]
    expect("all take time", min(times) > 0, times)
    expect("no longer", sum(s * int(row["repeats"]) for s, row in zip(times, rows)) <= elapsed, elapsed)


def a_wait_in_the_warm_up_means_nothing():
    _, rows = recorded("FAULT=waits ./wrong_serial -n 2 --method literal,direct --samples 2")
    expect("it waits", float(rows[0]["total_s"]) >= 0.1, rows[0])
    for row in rows:
        expect("repeats", (int(row["repeats"]) > 1) == (row["warmup"] == "0"), row)


# ---- what a reader sees ---------------------------------------------------------------------------------------------


def a_table_compares():
    done("./maxpool_serial -n 256 --method literal,simd --samples 6", "2 methods, interleaved", "times literal",
         "\n* simd ", "\n  literal ", "1 (1 .. 1)")


def json_is_an_array():
    outcome = command("./maxpool_serial -n 64 --method literal,simd --samples 6 --format json")
    if outcome.status == 3:
        raise Skipped("built without JSON")
    expect("an array", outcome.status == 0 and re.match(r"\[", outcome.out), outcome)
    holds(outcome, '"method":\t"literal"', '"method":\t"simd"', '"times_first"')


def memory_holds_one_image():
    """Memory holds one image and one map, whatever the number of methods, and at most 12 MiB more, part of which is the
    code of nine methods."""
    if "sanitize" in FEATURES:
        raise Skipped("a sanitizer needs memory of its own")
    image, map_, rest = 64 << 10, 16 << 10, 12 << 10  # KiB
    outcome = done("exec ./maxpool_serial -n 4096 --method all --samples 1")
    expect("one image and one map", outcome.peak_kib <= image + map_ + rest, outcome.peak_kib)


if __name__ == "__main__":
    sys.exit(main(
        every_method_has_all_its_rows, a_method_alone_has_no_turn, the_order_is_drawn_by_the_seed,
        methods_that_cannot_are_refused_where_named, all_is_every_method_that_runs,
        all_leaves_out_what_cannot_and_says_so, a_wrong_method_stops_alone, a_method_that_writes_outside_is_wrong,
        the_map_is_the_first_methods, a_wrong_method_hides_behind_no_bound, an_interrupt_ends_all,
        seconds_are_each_methods_own, caches_are_as_the_method_leaves_them, short_executions_are_batched,
        batches_take_no_longer_than_the_program, a_wait_in_the_warm_up_means_nothing, a_table_compares,
        json_is_an_array, memory_holds_one_image))
