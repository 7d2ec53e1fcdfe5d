#!/usr/bin/env python3
"""`study run` with fake point programs: order, resumption, failures, limits, budget, and being killed at any moment.
Usage: tests/support/commands.py."""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from drill import BIN, Skipped, main  # noqa: E402

STEADY = "method = steady\nsize = 4"
WRONG, USAGE, RESOURCE, OUTPUT = 1, 2, 4, 5  # statuses


def runs_every_launch_once(d):
    d.define("method = steady noisy\nsize = 2..8 x2")
    d.study("run drill")
    s = d.expect_samples(2 * 3 * 3)
    d.expect("all samples", s.rows == 4 * s.finished, s.rows)
    d.expect_journal(s.finished, "done")
    d.study("run drill", "18 of 18 launches were there, 0 done now")  # nothing is missing
    d.expect_launches(18)
    d.study("status", "18 of 18 launches done, 0 failed, 0 missing")


def order_is_seeded(d):
    """Rounds follow each other. Within a round the order is random: it differs between rounds, and is the same for the
    same seed."""
    orders = []
    for options in ("", "", " --seed 36"):
        d.define("method = steady\nsize = 2..13")
        d.study("run drill" + options)
        orders.append([launch[1:3] for launch in d.log()])
    sides = [[side for side, round_ in orders[0] if round_ == r] for r in range(3)]
    d.expect("round after round", [round_ for _, round_ in orders[0]] == sorted(3 * list(range(3)) * 4), orders[0])
    d.expect("a random order", sides[0] != sorted(sides[0]) and not sides[0] == sides[1] == sides[2], sides)
    d.expect("each point once a round", all(sorted(side) == list(range(2, 14)) for side in sides), sides)
    d.expect("the seed decides", orders[0] == orders[1] != orders[2], orders)


def failures_are_recorded_and_passed(d):
    """A process measures a failing method and a sound one. Missing launches of the sound one are then measured
    separately, and so is the failing one, which is not run again afterwards."""
    for method, says, launches in (
            ("crash", "fake: about to crash | fake: second line", 8),  # a signal: tried three times
            ("crash", "signal 6", 8), ("silent", "no samples of this point", 6),
            ("stranger", "no samples of this point", 5), ("rubbish", "rubbish,9999", 6), ("usage", "no such option", 6),
            ("usage", "exit status 2", 6), ("truncated", "its last sample is missing", 5),
            ("broken", "a result was wrong", 6),  # found before there was a row
            ("wrong", "a result was wrong", 4)):
        d.define(f"method = {method} steady\nsize = 4")
        d.study("run drill", status=WRONG if method in ("wrong", "broken") else RESOURCE)
        d.expect_reason("failed", says)
        d.expect_journal(3, "done")  # the study continued
        d.expect_journal(1, "failed")  # and did not repeat the failing method
        d.expect_launches(launches)
        d.study("status drill", "3 of 6 launches done, 1 failed, 2 missing")


def launchers_that_fail_are_no_wrong_results(d):
    """A launcher ends with status 1, too, when it starts nothing; what it said last is the reason."""
    program(d, "mpirun", "echo first; echo there are not enough slots >&2; exit 1")
    d.define(STEADY, more="launcher = mpirun\n")
    d.study("run drill", status=RESOURCE, PATH=f"{d.folder}/bin:{os.environ['PATH']}")
    d.expect_reason("failed", "exit status 1: there are not enough slots")


def failed_points_are_tried_again_when_asked(d):
    d.define("method = silent steady\nsize = 4")
    d.study("run drill", status=RESOURCE)
    d.study("run drill", "of 6 launches 1 failed and 2 are missing", status=RESOURCE)  # it is still missing
    d.expect_launches(6)
    d.study("run drill --retry-failed", status=RESOURCE)
    d.expect_launches(7)


def failures_outside_the_plan_are_reported(d):
    """Failures with other --cores or at another scale are reported, unless they were repaired since."""
    d.define("method = usage\nsize = cores")
    d.study("run drill --cores 4", status=RESOURCE)
    d.study("status drill --cores 4", "0 of 3 launches done, 1 failed, 2 missing")
    d.study("status drill --cores 3", "0 of 3 launches done, 1 failed, 3 missing",
            "of the failed 1 is of points outside this plan", "exit status 2")
    d.define("method = once\nsize = 2..cores")  # fails at first
    d.study("run drill --cores 3")
    d.study("status drill --cores 2", "3 of 3 launches done, 0 failed, 0 missing")


def a_cancelled_launch_is_missing(d):
    """A batch system that cancels a job may end a program before it ends the study. The point is not at fault, and is
    still missing."""
    for method in ("ended", "step"):
        d.define(f"method = {method}\nsize = 4")
        d.study("run drill", "of 3 launches 3 are missing", status=RESOURCE)
        d.expect_journal(9, "interrupted")  # three rounds, three tries each
        d.expect_journal(0, "failed")


def a_killed_launch_is_run_again(d):
    """A launch that a signal killed is run again, and no other round of its point is lost."""
    d.define("method = once steady\nsize = 2..4")
    d.study("run drill", "0 failed, 0 missing")
    d.expect_samples(2 * 3 * 3)
    d.study("status drill", "18 of 18 launches done, 0 failed, 0 missing")
    d.define("method = killed\nsize = 4")  # at every run
    d.study("run drill", "of 3 launches 1 failed and 2 are missing", status=RESOURCE)
    d.expect_launches(3)
    d.study("status drill", "0 of 3 launches done, 1 failed, 2 missing")


def methods_share_a_process(d):
    """Methods of one point are interleaved in one process; only the one that the program lacks is left out."""
    d.define("method = steady noisy second\nsize = 4 6")
    d.study("run drill")
    d.expect_launches(3 * 2 * 3, processes=2 * 3)
    d.expect_samples(18)
    d.define("method = steady nogpu noisy\nsize = 4")
    d.study("run drill")
    d.expect_samples(6)
    d.expect_reason("skipped", "no GPU here")
    d.expect_launches(len(d.log()), processes=1 + 3 + 2)  # together, apart, and without it
    d.study("status drill", "6 of 6 launches done, 0 failed, 0 missing; 1 point left out")


def experiments_share_points(d):
    """Two experiments request the same point: one launch is run, and both have its rows, without methods that only the
    other requested."""
    d.define("method = steady noisy\nsize = 2 4")
    d.also("other", "method = steady second\nsize = 4")
    d.study("run drill other")
    d.expect_launches(3 * (4 + 1), processes=3 * 2)
    d.expect_samples(3 * 4)
    other = d.expect_samples(3 * 2, "other")
    d.expect("its rows alone", other.rows == 4 * other.finished, other.rows)
    d.study("plan drill other", "6 points (5 of them apart")
    d.define("method = steady noisy\nsize = 2 4")  # one after the other
    d.study("run drill")
    d.study("run other", "0 of 6 launches were there, 3 done now, 3 taken from other experiments")
    d.expect_journal(3, "done", "measured for another experiment", "other")
    d.expect_samples(3 * 2, "other")
    d.study("run drill other", "18 of 18 launches were there, 0 done now, 0 failed")
    d.expect_samples(3 * 2, "other")


LEFT = ("mkdir results && cd results && ../bin/maxpool_serial --method steady --rows 4 --cols 4 --kernel-size 2 --stride 2 "
        "--samples 4 --experiment drill --round 1 --record under_way.samples.csv")


def what_is_under_way_is_imported(d):
    """Samples that a killed study left in the file under_way are imported once, whichever experiment is run next."""
    d.define(STEADY)
    d.also("other", STEADY)
    d.shell(LEFT)
    d.study("run other", "1 of 3 launches were there, 2 done now")
    d.expect_samples(3, "other")
    d.expect_samples(3)  # of the same point
    d.study("run drill", "1 of 3 launches were there, 0 done now")
    d.expect_samples(3)


def rows_half_imported_are_not_repeated(d):
    """A study was killed while it copied rows into the results: finally each row is there once."""
    d.define(STEADY)
    d.shell(LEFT + " && head -n 3 under_way.samples.csv > samples.csv")
    d.study("run drill")
    s = d.expect_samples(3)
    d.expect("each row once", s.rows == 3 * 4, s.rows)


def an_interrupted_launch_is_none(d):
    """An interrupted launch is kept and reported, and the point has its launches without it."""
    d.define("method = half\nsize = 4")
    d.study("run drill")
    s = d.expect_samples(3)
    d.expect("three more are interrupted", len(s.launches) == 6, s.launches)
    (point,) = d.points()
    d.expect("medians use finished launches", (point["launches"], point["samples"]) == ("3", "12"), point)
    d.study("run drill", "3 of 3 launches were there, 0 done now")


def defaults_are_points_too(d):
    """A network that is trained from several first weights, the default ones too, is several points: each is measured,
    and found again. Rows of earlier versions have no value for the default."""
    d.define("method = auto\ntask = train\ndata = random\nnetwork = mlp:4\nbatch = 4\ninit = he-uniform glorot-uniform",
             samples=2, launches=1, programs="network_serial")
    (d.folder / "bin/network_serial").symlink_to(BIN / "network_serial")
    d.study("run drill", "0 of 2 launches were there, 2 done now, 0 failed, 0 missing")
    d.study("run drill", "2 of 2 launches were there, 0 done now, 0 failed, 0 missing")
    d.shell("sed -i s/he-uniform// results/samples.csv")
    d.study("run drill", "2 of 2 launches were there, 0 done now, 0 failed, 0 missing")


def environment_belongs_to_a_run(d):
    """The environment belongs to the samples: a run that adds no samples leaves it unchanged."""
    environment = d.results / "environment.json"
    d.define(STEADY)
    d.study("run drill")
    first = environment.read_text()
    for part, count in (('"begin_utc"', 1), ('"end_utc":\tnull', 0), ('"governor":', 1), ('"frequency_mhz":', 1),
                        ('"frequency_least_mhz":', 1), ('"frequency_most_mhz":', 1)):
        d.expect(f"{count} × {part}", first.count(part) == count, first)
    time.sleep(1)  # so that time_utc differs
    d.study("run drill")
    d.expect("it is unchanged", environment.read_text() == first)
    d.also("other", "method = noisy\nsize = 4")
    d.study("run other")
    d.expect("two runs", environment.read_text().count('"begin_utc"') == 2)


def missing_and_unable_programs_are_left_out(d):
    d.define("method = steady nogpu none WARNING:\nsize = 4 6\nsize_limit = 5", launches=2,
             programs="maxpool_serial maxpool_cuda")
    d.study("run drill")
    for reason in ("no program maxpool_cuda here", "maxpool_serial has no method none here",
                   "maxpool_serial has no method WARNING: here", "no GPU here", "limit of 5"):
        d.expect_reason("skipped", reason)
    d.expect_journal(2, "done")
    skipped = d.journal("skipped")
    d.study("run drill")
    d.expect_journal(skipped, "skipped")  # reported once


def what_cannot_be_asked_is_not_left_out(d):
    """Without a descriptor for a pipe, no program is asked for its methods: a resource is lacking, and no point is left
    out for a reason that is none. How many descriptors leave none for it depends on the libraries."""
    outputs = []
    for descriptors in range(7, 12):
        d.define(STEADY, launches=1)
        status = d.start("run drill", f"ulimit -n {descriptors}; ").wait()
        outputs.append((d.folder / "output").read_text(encoding="utf-8"))
        d.expect("it is said", status != 0 or " 0 done now" not in outputs[-1], outputs[-1])
        d.expect_journal(0, "skipped")
    d.expect("no pipe", any(f"no pipe for {d.folder}/bin/maxpool_serial: " in text for text in outputs), outputs)


def programs_that_say_nothing(d):
    """A program that ends without a message is reported with the way it ended."""
    d.define(STEADY, launches=1, programs="mute dead locked")
    for name, text in (("mute", "exit 3"), ("dead", "kill -9 $$"), ("locked", "exit 0")):
        program(d, name, text)
    (d.folder / "bin/locked").chmod(0o644)  # as a copy from a file system without such bits
    d.study("run drill")
    d.expect_reason("skipped", f"the system does not start {d.folder}/bin/locked: Permission denied")
    d.expect_reason("skipped", "mute cannot run here: exit status 3, no message")
    d.expect_reason("skipped", "dead cannot run here: ended by signal 9")


def program(d, name, text):
    path = d.folder / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def without_points_at_the_scale(d):
    """An experiment may begin at a larger scale: alone it has nothing to run, with others it is skipped."""
    d.define("scales = standard full\n" + STEADY)
    d.study("run drill --quick", "drill: no points at --quick; try --standard", status=2)
    d.also("other", "method = steady\nsize = 8")
    d.study("run drill other --quick", "drill: no points at --quick; try --standard",
            "0 of 3 launches were there, 3 done now")
    d.study("run --all --quick", "3 of 3 launches were there, 0 done now")
    d.study("plan drill --quick", "0 points")
    d.study("run drill --standard", "3 done now")


def all_without_points(d):
    """With --all, experiments without points at the scale neither crash nor fail."""
    d.define("scales = full\n" + STEADY)
    d.study("run --all --quick", "0 of 0 launches were there, 0 done now")


# ---- limits and budgets ---------------------------------------------------------------------------------------------


def time_limit_ends_the_group(d):
    d.define("method = hang\nsize = 4")
    d.study("run drill --time-limit 1s", status=RESOURCE)
    d.expect_reason("timeout", "not done within its time limit")
    d.define("method = orphan\nsize = 4")  # a child holds the pipe: a study that did not kill it would wait for it
    d.study("run drill")


def budget_goes_to_whole_rounds(d):
    """A budget repeats whole groups, whatever their intervals: points that are narrow by chance get as many launches as
    wide ones, and no group has rounds that another one lacks."""
    d.define("method = steady noisy second\nsize = 4 6")
    d.study("run drill --budget 3600s", "(36 of them in further rounds)")
    log = d.log()
    for method in ("steady", "noisy"):  # three times as many as planned
        d.expect(f"launches of {method}", sum(launch[0] == method for launch in log) == 2 * 9, log)
    d.expect_samples(54)
    d.expect_reason("done", "in a further round")
    for at in range(0, len(log), 6):  # each round runs every group once before the next round begins
        d.expect("rounds are interleaved", len({launch[2] for launch in log[at:at + 6]}) == 1, log)
    d.study("run drill --budget 3600s")
    d.expect_launches(54)  # no more


def budget_ends_the_run(d):
    d.define(STEADY, samples=2, launches=100)
    d.study("run drill --budget 2s", "budget was too short", FAKE_PAUSE="0.15")
    d.expect("fewer launches", len(d.log()) < 100)  # each takes at least 0.3 s


def budget_goes_to_headlines(d):
    """If some experiments are headlines, the rest of a budget goes to them first."""
    d.define("method = noisy\nsize = 4")
    d.also("other", "method = noisy\nsize = 6", more="headline = 1\n")
    d.study("run drill other --budget 3600s", "(12 of them in further rounds)")
    d.expect_samples(9)  # at most three times as many
    d.expect_samples(9, "other")
    sides = [launch[1] for launch in d.log()]
    d.expect("beyond the plan, first the headline", sides[6:] == [6] * 6 + [4] * 6, sides)


def estimates_learn(d):
    """Finished launches improve the estimate of the remaining time, also for other points of the same kind."""
    d.define(STEADY)
    began = time.monotonic()
    d.study("run drill", FAKE_PAUSE="0.1")
    took = time.monotonic() - began  # at least twice the median of three launches
    d.also("drill", "method = steady\nsize = 4..6", launches=40)
    d.study("plan drill")
    minutes, seconds = re.search(r", about (\d+):(\d+) in all", d.output).groups()
    planned = 60 * int(minutes) + int(seconds)
    launches = 40 * 3
    d.expect("the seconds of the plan", launches * 4 * 0.1 - 1.0 <= planned <= launches * took / 2.0 + 1.0,
             (planned, took))


def slow_starts_are_reported(d):
    """A launcher that starts slowly is noticed, and its time is included in plans."""
    program(d, "mpirun", 'sleep 1.6\nwhile [ "$1" != "${1#-}" ]; do case $1 in -np | --bind-to) shift ;; esac; shift; '
            'done\nexec "$@"')
    d.define(STEADY, more="launcher = mpirun\n")
    d.study("run drill", "starting by mpirun takes ", " s a launch, measuring 0.016 s",
            PATH=f"{d.folder}/bin:{os.environ['PATH']}")
    d.expect("once", d.output.count("starting by") == 1, d.output)
    d.expect_samples(3)


def progress_in_a_pipe(d):
    """Without a terminal, progress is a line every ten seconds."""
    d.define(STEADY, launches=7)
    d.study("run drill", "/7, 0:", FAKE_PAUSE="0.42")  # the seventh begins after 6 x 4 pauses: ten seconds
    d.expect("lines of progress", 1 <= d.output.count("gone, about") <= 7, d.output)


# ---- signals --------------------------------------------------------------------------------------------------------


def second_run_is_refused(d):
    d.define("method = hang\nsize = 4")
    first = d.start("run drill")
    d.wait_for(1)
    os.rename(d.folder / "output", d.folder / "output of the first")
    d.study("run drill", f"results: in use by study run, process {first.pid} on", status=RESOURCE)
    d.ends(first, signal.SIGTERM)
    d.expect_reason("interrupted", "asked to stop")


def interrupt_stops_and_resumes(d):
    """The fifth launch waits to be interrupted, however late the signal comes."""
    d.define("method = steady\nsize = 2..9")
    run = d.start("run drill", FAKE_HOLD="5")
    d.wait_for(5)
    d.ends(run, signal.SIGINT)
    d.expect_samples(4)
    d.study("run drill")
    d.expect_samples(24)


def death_at_any_moment(d):
    """Kills the study during one of the next launches; occasionally before any. Rows that could be read before must
    still be there."""
    points, launches, deaths = 40, 3, 50 if os.environ.get("MAXPOOL_LONG") else 5
    rng = random.Random(35)
    d.define("method = steady\nsize = 2..41")
    seen = (0, 0)
    for _ in range(deaths):
        following = len(d.log()) + rng.randrange(4)
        run = d.start("run drill", FAKE_PAUSE="0.003")
        d.wait_for(min(following, points * launches))
        time.sleep(rng.uniform(0.0, 0.02))
        before = d.samples()
        d.ends(run, signal.SIGKILL)
        after = d.samples()
        counts = [seen] + [(s.rows, s.finished) for s in (before, after)]
        d.expect("no row is lost", all(a <= b for x, y in zip(counts, counts[1:]) for a, b in zip(x, y)), counts)
        d.expect("no row is torn", after.corrupt == 0)
        seen = counts[2]
    d.expect("some were killed after launches", seen[1] > 0, seen)
    d.study("run drill")
    d.expect_samples(points * launches)  # the whole plan, and nothing else
    d.expect("only killed ones are repeated", len(d.log()) <= points * launches + deaths)


# ---- results that cannot be written ---------------------------------------------------------------------------------


def unwritable_results(d):
    """Root can write to folders without write permission, so other things take the place of the folder."""
    d.define(STEADY)
    for folder in ("/proc/maxpool", "/dev/null/results"):
        d.study(f"run drill --results {folder}", status=OUTPUT)
    d.results.mkdir()
    (d.results / "samples.csv").symlink_to("/dev/full")
    d.study("run drill", status=OUTPUT)
    (d.results / "samples.csv").unlink()
    (d.results / "samples.csv").mkdir()
    d.study("run drill", status=OUTPUT)
    d.expect_launches(0)


def mount(d, options, may=False):
    """Mounts a file system in place of the results. `may`: leaves the test out if this process may not."""
    d.results.mkdir(exist_ok=True)
    outcome = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", d.results], capture_output=True, text=True,
                             check=False)
    if may and outcome.returncode:
        raise Skipped("no file system may be mounted")
    d.expect(f"it is mounted with {options}", outcome.returncode == 0, outcome)


def read_only_file_system(d):
    d.define(STEADY)
    mount(d, "ro,size=64k", may=True)
    try:
        d.study("run drill", status=OUTPUT)
    finally:
        subprocess.run(["umount", d.results], check=True)
    d.expect_launches(0)


def full_disk(d):
    """A disk fills up: status 5, what was written stays whole, and the run resumes when there is space again."""
    d.define(STEADY, samples=50, launches=20)
    mount(d, "size=128k,nr_inodes=20", may=True)
    try:
        d.study("run drill", status=OUTPUT)
        s = d.samples()
        d.expect("a part is whole", s.rows > 10 and s.finished < 20 and s.corrupt == 0, vars(s))
        mount(d, "remount,size=8m,nr_inodes=20")
        d.study("run drill")
        d.expect_samples(20)
    finally:
        subprocess.run(["umount", d.results], check=True)


def size_limit_stops_the_run(d):
    d.define(STEADY, samples=50, launches=50)
    d.study("run drill", status=OUTPUT, before="ulimit -f 128; ")  # 64 KiB
    s = d.samples()
    d.expect("a part is whole", s.rows > 100 and s.corrupt == 0, vars(s))
    d.study("run drill")  # with space again it resumes
    d.expect_samples(50)


def files_without_a_header(d):
    """A study that was killed while it began a file leaves it empty or with a part of its header."""
    for begun in ("", "exper"):
        for name in ("samples.csv", "journal.csv", "drill.csv", "drill.journal.csv", "drill.points.csv",
                     "under_way.samples.csv"):
            d.define(STEADY)
            d.results.mkdir()
            (d.results / name).write_text(begun)
            d.study("status drill", "0 of 3 launches done, 0 failed, 3 missing")
            d.study("run drill")
            d.expect_samples(3)
            d.expect_journal(3, "done")


def other_schema_is_refused(d):
    d.define(STEADY)
    d.results.mkdir()
    (d.results / "samples.csv").write_text("experiment,program,colour\n")
    d.study("run drill", "column 3 is 'colour', ours 'operator'", status=USAGE)


# ---- measured on another machine and imported -----------------------------------------------------------------------

NOTHING_LEFT = " && ! ls -d results/import-* 2> /dev/null"  # no folder of unpacked files


def plan_shell_and_import(d):
    d.define("method = steady noisy\nsize = 2 4")
    d.shell("mkdir away && cd away && for i in 1 2 3; do $STUDY plan drill --shell --chunk $i/3 --definitions "
            "../definitions --bin ../bin | sh || exit 9; done; tar -cf ../away.tar .")
    d.shell("$STUDY import away.tar --results results > /dev/null && $STUDY import away away/drill.2.csv --results "
            "results > import.out && grep -q '^0 samples' import.out")
    s = d.expect_samples(2 * 2 * 3)
    d.expect("all samples", s.rows == 4 * s.finished, s.rows)
    d.study("run drill", "12 of 12 launches were there, 0 done now")


def journals_are_no_samples(d):
    """A folder of results is imported without its journals, of either name."""
    d.define(STEADY)
    d.study("run drill")
    d.shell("cp results/journal.csv results/before.points.csv && cp results/journal.csv results/before.journal.csv && "
            "$STUDY import results --results other && cmp results/samples.csv other/samples.csv && "
            "test \"$(ls other/*.csv | tr '\\n' ' ')\" = 'other/journal.csv other/samples.csv '")


def import_leaves_special_files_out(d):
    """A tar file contains a FIFO, a link and, if this user may make one, a device, in a folder that its owner may not
    even list. They are left out and reported; the samples next to them are imported."""
    d.shell("mkdir -p results away/closed && cd away && mkfifo a.csv && ln -s /dev/zero b.csv && "
            "(mknod c.csv c 1 5 2> /dev/null || :) && printf 'experiment,program,operator,space,method,run_id,sample\\ndrill,p,o,s,m,a,0\\n' | tee closed/d.csv > "
            "../e.csv && chmod 0 closed && (tar -cf ../away.tar . 2> /dev/null || { chmod 700 closed; tar -cf ../away.tar .; })"
            " && chmod 700 closed && cd .. && timeout 600 $STUDY import away.tar --results results > said 2> reported && "
            "grep -q '^1 samples' said && grep -q 'csv is a .*, not a regular file: left out, as others' reported && "
            "! grep import- reported" + NOTHING_LEFT)
    d.shell("mkfifo fifo.tar")
    for refused in ("away/a.csv", "/dev/zero", "fifo.tar"):
        d.shell(f"timeout 600 $STUDY import e.csv {refused} --results results > said 2> reported; test $? = 2 && "
                f"grep -q '{refused}: is a .*, not a regular file' reported" + NOTHING_LEFT)


def import_leaves_no_folder(d):
    """However an import ends, no folder of unpacked files stays: after a refused file, a signal, and even SIGKILL, then
    once the next import runs."""
    d.shell("mkdir -p results away bin && printf 'colour\\nred\\n' > away/bad.csv && tar -cf bad.tar away && "
            "! $STUDY import bad.tar --results results 2> /dev/null" + NOTHING_LEFT)
    program(d, "tar", '/bin/tar "$@"; : > began; exec sleep 3600')  # unpacks and then takes an hour
    for name, then, status in (("TERM", ":", 143), ("HUP", ":", 129), ("KILL", "test -d results/import-*", 137)):
        d.shell("rm -f began && { PATH=$PWD/bin:$PATH $STUDY import bad.tar --results results 2> reported & p=$!; n=0; "
                "until test -e began || test $n = 12000; do sleep 0.05; n=$((n + 1)); done; "
                f"kill -s {name} $p; wait $p; test $? = {status}; }} 2> /dev/null && {then}")
    d.shell("printf 'experiment,program,operator,space,method,run_id,sample\\ndrill,p,o,s,m,a,0\\n' > e.csv && $STUDY import e.csv --results results > /dev/null" +
            NOTHING_LEFT)


def import_refuses_other_rows(d):
    for content, says in (("colour,taste\n1,2\n", "none of our columns"),
                          ("experiment,program,operator,space,method,run_id,sample,colour\ndrill,p,o,s,m,a,0,red\n", "1 columns that this version does not"),
                          ("experiment,program,operator,space,method,run_id,sample\n../evil,p,o,s,m,a,0\n", "'../evil' cannot be the name"),
                          ("experiment,program,operator,space,method,run_id,sample\n,p,o,s,m,a,0\n", "names no experiment"),
                          ("experiment,run_id,sample\ndrill,a,0\n", "lost the column 'program'"),
                          ("experiment,run_id\ndrill,a\n", "no run_id or no sample number")):
        (d.folder / "home.csv").write_text(content)
        d.shell("$STUDY import home.csv --results results 2> error; test $? = 2 && "
                f"grep -qF \"{says}\" error && ! ls results/*.csv 2> /dev/null")


if __name__ == "__main__":
    sys.exit(main(
        # the longest ones first
        failures_are_recorded_and_passed, progress_in_a_pipe, files_without_a_header, death_at_any_moment,
        budget_goes_to_whole_rounds, slow_starts_are_reported, a_cancelled_launch_is_missing,
        # all others
        runs_every_launch_once, without_points_at_the_scale, all_without_points, programs_that_say_nothing,
        what_cannot_be_asked_is_not_left_out, order_is_seeded, failures_outside_the_plan_are_reported,
        failed_points_are_tried_again_when_asked, launchers_that_fail_are_no_wrong_results, a_killed_launch_is_run_again, methods_share_a_process, experiments_share_points, what_is_under_way_is_imported,
        rows_half_imported_are_not_repeated, an_interrupted_launch_is_none, defaults_are_points_too,
        environment_belongs_to_a_run, missing_and_unable_programs_are_left_out, time_limit_ends_the_group,
        budget_ends_the_run, budget_goes_to_headlines, estimates_learn, second_run_is_refused,
        interrupt_stops_and_resumes, unwritable_results, read_only_file_system, full_disk, size_limit_stops_the_run,
        other_schema_is_refused, plan_shell_and_import, journals_are_no_samples, import_refuses_other_rows,
        import_leaves_special_files_out, import_leaves_no_folder))
