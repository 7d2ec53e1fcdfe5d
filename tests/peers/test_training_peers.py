#!/usr/bin/env python3
"""Training by TensorFlow and PyTorch through scripts/time_peers.py: losses equal ours within the bound, rows have our
form. Usage: test_training_peers.py BUILD_FOLDER. MAXPOOL_PYTHON names Pythons that have them. A library that none has
is reported and skipped; without any of them all is (77)."""
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
UNAVAILABLE = 3
os.environ.setdefault("MAXPOOL_PYTHON", "/usr/bin/python3")


def start(library, options):
    """Runs that library's program to its end."""
    words = [sys.executable, BUILD / "bin" / f"network_{library}", "--task", "train",
             *options.split(), "--samples", "2", "--warmup", "1"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


class Peer:
    """Tests of each library; `library` names it."""

    def finished(self, options):
        """Checks that it ended well; skips the test with a message if the library is not available."""
        done = start(self.library, options)
        if done.returncode == UNAVAILABLE:
            why = done.stderr.strip().split("\n")[-1]
            print(f"skipped: {why}", flush=True)
            self.skipTest(why)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_rows_are_of_steps(self):
        out = self.finished("--network mlp:9 --batch 8 --optimizer sgd --format csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([row["warmup"] for row in rows], ["1", "0", "0"])
        self.assertEqual({row["verified"] for row in rows}, {"bound"})
        self.assertEqual({row["task"] for row in rows}, {"train"})
        self.assertEqual({row["optimizer"] for row in rows}, {"sgd"})
        self.assertTrue(all(float(row["loss"]) > 0 for row in rows))
        self.assertTrue(all(float(row["total_s"]) > 0 for row in rows))

    def test_losses_side_by_side(self):
        out = self.finished("--network solar_cnn --image-size 10 --batch 3")
        table = [line.split() for line in out.split("\n")]
        self.assertEqual(table[0], ["step", "ours", self.library, "apart"])
        for step in range(1, 5):
            ours, theirs = (float(word) for word in table[step][1:3])
            self.assertAlmostEqual(ours, theirs, delta=2e-3 * ours)

    def test_data_of_ours_and_of_files(self):
        options = "--network mlp:9 --batch 50 --format csv"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([BUILD / "bin" / "network_serial", "--network", "mlp:9", "--task",
                            "train", "--data", "solar", "--batch", "50", "--steps", "1",
                            "--seed", "7", "--save-data", f"{folder}/sun"],
                           check=True, capture_output=True)
            files = f"--data {folder}/sun.images.npy --labels {folder}/sun.targets.npy"
            losses = [[row["loss"] for row in csv.DictReader(io.StringIO(self.finished(asked)))]
                      for asked in (f"{options} --data solar --seed 7", f"{options} --data solar",
                                    f"{options} {files} --seed 7")]
        self.assertEqual(losses[0], losses[2])
        self.assertNotEqual(losses[0], losses[1])

    def test_data_that_do_not_fit_are_refused(self):
        done = start(self.library, "--network mlp:9 --batch 8 --data brain_planes")
        if done.returncode != UNAVAILABLE:
            self.assertEqual(done.returncode, 2)
            self.assertIn("brain_planes", done.stderr)


class TensorFlow(Peer, unittest.TestCase):
    library = "tensorflow"


class PyTorch(Peer, unittest.TestCase):
    library = "pytorch"


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    result = unittest.main(argv=[sys.argv[0]], exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if len(result.skipped) == result.testsRun else 0)
