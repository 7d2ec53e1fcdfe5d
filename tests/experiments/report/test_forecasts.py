#!/usr/bin/env python3
"""Claims about the forecasts of made-up trainings: to which parameters the days belong, and what the days allow to
claim. Usage: tests/support/commands.py."""
import math
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent / "support")]
from commands import main
from claims import Made, has
from maker import network_point

LAST_EPOCH, OF_A_DAY = 30, 100


class Forecasts(Made):
    """An experiment with one sample, and trainings."""

    def __init__(self):
        super().__init__("forecasts")
        self.rounds(0, network_point("omp", "mlp:100-50", 100, 50, task="train", data="solar"), 1e-3, [1])

    def add_score(self, launch, batch, epoch, error):
        """Adds a scored epoch; returns what its days have too."""
        row = row_of(launch, batch, epoch, error)
        self.results.append("forecasts", ".training", [{
            **row, "what": "epoch", "test_absolute_error": 0.7 * error, "test_mean": 0.5}])
        return row

    def add_days(self, row, days=10, change=0.0):
        """Adds days of a hundred samples. The squared errors are alternately larger and smaller by the fraction
        `change`."""
        self.results.append("forecasts", ".training", ({
            **row, "what": "day", "step": day, "count": OF_A_DAY,
            "test_error": math.sqrt(row["test_error"] ** 2 * (1 + change if day % 2 else 1 - change))}
            for day in range(1, days + 1)))

    def add_training(self, batch, error, change):
        """Adds a whole training with ten days of equally many samples."""
        self.add_days(self.add_score("whole", batch, LAST_EPOCH, error), 10, change)

    def claim(self, language="en"):
        return super().claim("forecast", language)


def row_of(launch, batch, epoch, error):
    return {"program": "network_omp", "network": "mlp:100-50", "data": "solar", "run_id": f"{launch}-{batch}",
            "images": batch, "epoch": epoch, "persistence": 0.1, "test_error": error}


def days_are_of_the_scored_parameters():
    """An interrupted training has days of parameters that were never scored, whether it stopped in the last epoch or
    before, and whether its file has it first or last."""
    f = Forecasts()
    f.add_score("early", 100, 4, 0.08)
    f.add_days(row_of("early", 100, 5, 0.08), change=0.5)
    f.add_score("late", 100, LAST_EPOCH - 1, 0.05)
    f.add_days(row_of("late", 100, LAST_EPOCH, 0.05), change=0.5)
    f.add_training(100, 0.04, 0.25)
    f.add_days(row_of("whole", 100, LAST_EPOCH + 1, 0.04), change=0.9)
    f.add_score("again", 100, LAST_EPOCH - 1, 0.05)
    f.add_days(row_of("again", 100, LAST_EPOCH, 0.05), change=0.5)
    has(f.claim().answer, "skill 0.60 [0.56, 0.64] at batch 100")  # by hand


def days_of_an_earlier_epoch_are_forgotten():
    """Without days of the last epoch there is no interval."""
    f = Forecasts()
    f.add_days(f.add_score("first", 100, 10, 0.06), change=0.25)
    f.add_score("second", 100, LAST_EPOCH, 0.04)
    has(f.claim().answer, "skill 0.6 at batch 100", never=["Intervals"])


def a_repeated_training_keeps_its_days():
    """Repeating the same training changes nothing, with days or without."""
    f = Forecasts()
    f.add_score("older", 100, LAST_EPOCH, 0.04)
    f.add_training(100, 0.04, 0.25)
    f.add_days(f.add_score("again", 100, LAST_EPOCH, 0.04), change=0.25)
    f.add_score("newer", 100, LAST_EPOCH, 0.04)
    has(f.claim().answer, "skill 0.60 [0.56, 0.64] at batch 100", "over the 10 days")


def of_too_few_and_too_many_days_nothing_is_said():
    """Two days are too few for an interval; of more than 128 not all are kept."""
    for days, said in ((2, False), (3, True), (128, True), (129, False)):
        f = Forecasts()
        f.add_days(f.add_score("whole", 100, LAST_EPOCH, 0.04), days, 0.2)
        parts = ["skill 0.6 at batch 100", "Intervals are over"]
        has(f.claim().answer, parts[said], never=[parts[not said]])


def eight_batches_have_room():
    """The longest answer is complete in both languages."""
    f = Forecasts()
    for i in range(8):
        f.add_training(125 << i, 0.0407 + 0.00011 * i, 0.23)
    has(f.claim().answer, "at batch 125 (RMSE 0.0407, MAE 0.0285, nRMSE 8.1 %); ", "at batch 16000 (RMSE ",
        "; other seeds of the training were not tried.")
    has(f.claim("es").answer, "; no se probaron otras semillas del entrenamiento.")


def a_best_batch_is_seen():
    """The best of several batches is named if the days show that it is best. At batch 100 the squares vary by a
    quarter: its interval excludes a skill of 0.5, but not one of 0.59."""
    f = Forecasts()
    f.add_training(100, 0.04, 0.25)
    f.add_training(1000, 0.05, 0.0)
    c = f.claim()
    has(c.title, "mlp:100-50 forecasts with a skill of 0.6 at batch 100")
    has(c.plain, "Its error is about 60 % smaller than")
    has(c.answer, "is 0.0623 to 0.138: these two trained networks differ significantly.")
    has(f.claim("es").answer, "estas dos redes entrenadas difieren de forma significativa")


def no_best_batch_is_named_without_a_difference():
    f = Forecasts()
    f.add_training(100, 0.04, 0.25)
    f.add_training(1000, 0.041, 0.0)
    c = f.claim()
    has(c.title, "mlp:100-50 forecasts with a skill of 0.59 to 0.6", never=["at batch"])
    has(c.plain, "With each of these batches its error is at least about 59 % smaller than")
    has(c.answer, ": these two trained networks do not differ significantly.")
    f = Forecasts()  # no days: the difference is not known
    f.add_score("older", 100, LAST_EPOCH, 0.04)
    f.add_score("older", 1000, LAST_EPOCH, 0.05)
    c = f.claim()
    has(c.title, "mlp:100-50 forecasts with a skill of 0.5 to 0.6")
    has(c.plain, "With each of these batches its error is at least about 50 % smaller than")


def all_pairs_of_batches_are_looked_at():
    """Three batches make three pairs: a difference that one pair alone would show does not show."""
    f = Forecasts()
    f.add_training(100, 0.04, 0.25)  # 0.6 within 0.0377; as one of three pairs 0.0489
    f.add_training(1000, 0.0443, 0.0)
    has(f.claim().title, "at batch 100")
    f.add_training(500, 0.0443, 0.0)
    c = f.claim()
    has(c.title, never=["at batch"])
    has(c.answer, "differ significantly")


def what_is_worse_is_larger():
    """With a negative skill the error is larger; errors of persistence are 0.1."""
    for small, large, change, words in (
            (0.112, 0.125, 0.001, "Its error is about 12 % larger than that of the forecast of no"),
            (0.105, 0.1051, 0.25, "It is not seen that its error differs from that of the forecast"),
            (0.15, 0.151, 0.25, "With each of these batches its error is at least about 50 % larger than that"),
            (0.099, 0.101, 0.25, "It is not seen that its error differs")):
        f = Forecasts()
        f.add_training(100, small, change)
        f.add_training(1000, large, 0.0)
        has(f.claim().plain, words)


if __name__ == "__main__":
    sys.exit(main(
        days_are_of_the_scored_parameters, days_of_an_earlier_epoch_are_forgotten, a_repeated_training_keeps_its_days,
        of_too_few_and_too_many_days_nothing_is_said, eight_batches_have_room, a_best_batch_is_seen,
        no_best_batch_is_named_without_a_difference, all_pairs_of_batches_are_looked_at, what_is_worse_is_larger))
