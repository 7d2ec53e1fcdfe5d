#!/usr/bin/env python3
"""`study run --again` with fake point programs: a new set of launches replaces the old one as a whole, however the study
is interrupted, and clears the words that the machine caused. Usage: tests/support/commands.py."""
import collections
import pathlib
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from drill import main  # noqa: E402

LAUNCHES = 8


def define(d, points):
    d.define(points, samples=8, launches=LAUNCHES)


def expect_set(d, set_, others, experiment="drill", suspect=False):
    """Every point of the experiment has the set with all its launches, beside so many others (None: some), and shows it:
    the first set of each is SUSPECT, and the last one is not."""
    sets = collections.defaultdict(lambda: collections.defaultdict(set))
    for (method, rows, _, run), last in d.samples(experiment).launches.items():
        sets[method, rows][last["set"] or "1"].add(run)
    points = d.points(experiment)
    d.expect("it has points", len(points) == len(sets) > 0, points)
    for point in points:
        own = sets[point["method"], point["rows"]]
        beside = sum(map(len, own.values())) - LAUNCHES
        d.expect(f"set {set_} is shown", (point["status"] == "SUSPECT") == suspect, point)
        d.expect(f"set {set_} is whole", point["launches"] == str(LAUNCHES) == str(len(own[str(set_)])), (point, own))
        d.expect(f"{others} other launches", others in (None, beside), own)


def measuring_again_clears(d):
    """Each trouble makes points doubtful; measured again without it, no word remains, and the old launches are still
    there."""
    for trouble in ("load", "modes", "trend", "drift", "throttle"):
        define(d, "method = steady second\nsize = 2 4")
        d.study("run drill", "32 done now", FAKE_TROUBLE=trouble)
        d.study("run --again suspect", "4 points measured again", "32 done now", FAKE_TROUBLE="quiet")
        expect_set(d, 2, LAUNCHES)
        d.expect_journal(4, "again")
        d.study("run --again suspect", "No point asks to be measured again.", FAKE_TROUBLE="quiet")
        expect_set(d, 2, LAUNCHES)


def a_lasting_trouble_keeps_its_word(d):
    """A third set can replace the second."""
    define(d, "method = steady\nsize = 2")
    d.study("run drill", "8 done now", FAKE_TROUBLE="load")
    d.study("run --again suspect", "1 point measured again", FAKE_TROUBLE="load")
    d.study("run --again suspect,invalid", "1 point measured again", FAKE_TROUBLE="quiet")
    expect_set(d, 3, 2 * LAUNCHES)
    d.study("run --again suspect", "No point asks", FAKE_TROUBLE="quiet")


def an_interrupted_set_is_gone_on_with(d):
    """Until a set is whole the old one counts; the same command, and a plain one, go on with it."""
    for following in ("--again drill", "drill"):
        for number in (signal.SIGINT, signal.SIGKILL):
            define(d, "method = steady\nsize = 2 4")
            d.study("run drill", "16 done now", FAKE_TROUBLE="load")
            run = d.start("run --again drill", FAKE_TROUBLE="quiet", FAKE_HOLD="22")
            d.wait_for(22)
            d.ends(run, number)
            expect_set(d, 1, None, suspect=True)  # of the new set five of sixteen launches are there
            d.study(f"run {following}", "done now", FAKE_TROUBLE="quiet")
            expect_set(d, 2, LAUNCHES)
            d.expect_journal(2, "again")  # and no third set was begun


def experiments_share_sets(d):
    """One point has the same sets in every experiment that shows it."""
    define(d, "method = steady\nsize = 4")
    d.also("other", "method = steady\nsize = 4", samples=8, launches=LAUNCHES)
    d.study("run drill other", "16 done now", FAKE_TROUBLE="load")
    d.study("run --again drill", "8 done now", FAKE_TROUBLE="quiet")
    expect_set(d, 2, LAUNCHES)
    expect_set(d, 2, LAUNCHES, "other")
    d.study("run other", "8 taken from other experiments", FAKE_TROUBLE="quiet")
    expect_set(d, 2, LAUNCHES, "other")


def bad_words(d):
    define(d, "method = steady\nsize = 4")
    d.study("run --again suspect", "results: cannot be read", status=2)
    d.study("run drill", "8 done now", FAKE_TROUBLE="quiet")
    d.study("run --again suspect,", "name suspect, invalid or experiments", status=2)
    d.study("run --again nosuch", "nosuch", status=2)


if __name__ == "__main__":
    sys.exit(main(an_interrupted_set_is_gone_on_with, measuring_again_clears, a_lasting_trouble_keeps_its_word,
                  experiments_share_sets, bad_words))
