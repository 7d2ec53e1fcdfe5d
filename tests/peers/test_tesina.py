#!/usr/bin/env python3
"""The tesina's programs (labs/tesina) as peers: results, seconds by phase, refusals. Usage: test_tesina.py
BUILD_FOLDER. Skipped (77) if no Python has numpy; the parts of Numba are skipped if it has no numba."""
import contextlib
import csv
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
os.environ["NUMBA_ENABLE_CUDASIM"] = "1"  # read when Numba is imported; the compiled loops ignore it

from peers import interpreter

if not interpreter.has(sys.executable, ["numpy"]):
    if sys.executable != "/usr/bin/python3" and interpreter.has("/usr/bin/python3", ["numpy"]):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", __file__, str(BUILD)])
    sys.exit(77)

import time_peers
from peers import windows
from labs.tesina import maxpool_python

HAS_NUMBA = interpreter.has(sys.executable, ["numba"])
SHAPES = ["-n 4", "-n 5 -k 3", "-n 6 -k 2 -s 1 --filter random", "-R 7 -C 9 -k 3 -s 2 -p 1 --filter random",
          "-n 3 -k 2 -s 1 -p 2 --planes 3", "-n 8 -k 8 --filter random", "-n 1 -k 1"]


def run_program(program, *options):
    """Exit status, standard output and standard error."""
    sys.argv = [str(BUILD / "bin" / program), *options, "--samples", "2", "--warmup", "0", "--max-seconds", "1e9"]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = time_peers.main()
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), err.getvalue()


def rows_of(program, *options):
    """The record's rows."""
    status, out, err = run_program(program, *options, "--format", "csv")
    if (status, err) != (0, ""):
        raise AssertionError((program, options, status, err))
    return list(csv.DictReader(io.StringIO(out)))


class Tesina(unittest.TestCase):
    def setUp(self):
        os.environ.pop("MAXPOOL_PYTHON", None)

    def check_shapes(self, program, method):
        for shape in SHAPES:
            with self.subTest(f"{method} {shape}"):
                for row in rows_of(program, "--method", method, *shape.split()):
                    self.assertEqual((row["verified"], row["operator"], row["method"]), ("exact", "maxpool", method))

    def test_loops_pool(self):
        self.check_shapes("maxpool_python", "python")

    @unittest.skipUnless(HAS_NUMBA, "no numba")
    def test_compiled_loops_pool(self):
        self.check_shapes("maxpool_numba", "numba")
        self.check_shapes("maxpool_numba", "numba-window")

    @unittest.skipUnless(HAS_NUMBA, "no numba")
    def test_offloaded_products_pool(self):
        for row in rows_of("maxpool_numba-cuda", *SHAPES[0].split()):
            self.check_offloaded(row, "matmul1")

    def check_offloaded(self, row, kernel):
        self.assertEqual((row["verified"], "simulator" in row["isa"], row["method"]), ("exact", True, kernel))
        parts = [float(row[name]) for name in ("distribute_s", "compute_s", "collect_s")]
        self.assertTrue(0 < min(parts) and sum(parts) <= float(row["total_s"]))

    @unittest.skipUnless(HAS_NUMBA, "no numba")
    def test_three_kernels_multiply(self):
        """The simulator takes a thread of Python for each of the GPU, so blocks are smaller here: a product of 5 x 5 has
        2 x 2 blocks and two tiles in each direction."""
        from labs.tesina import maxpool_numba_cuda
        with mock.patch.object(maxpool_numba_cuda, "BLOCK_SIDE", 4):
            for kernel in maxpool_numba_cuda.KERNELS:
                for shape in SHAPES[:3] + ["-n 6 -k 5 -s 1 --filter random"]:
                    for row in rows_of("maxpool_numba-cuda", "--method", kernel, *shape.split()):
                        self.check_offloaded(row, kernel)

    def test_parts_are_distinguished(self):
        row = rows_of("maxpool_python", "-n", "16")[-1]
        setup, argument, compute, total = (float(row[name])
                                           for name in ("setup_s", "distribute_s", "compute_s", "total_s"))
        self.assertGreater(setup, 0)
        self.assertGreater(argument, 0)
        self.assertAlmostEqual(compute + argument, total, delta=2e-9)
        self.assertEqual(float(row["first_launch_s"]), 0)
        _, out, _ = run_program("maxpool_python", "-n", "16")
        self.assertRegex(out, r"start-up [\d.]+ s .*a call without windows [\d.e-]+ us")

    @unittest.skipUnless(HAS_NUMBA, "no numba")
    def test_compiling_is_the_first_launch(self):
        self.assertGreater(float(rows_of("maxpool_numba", "-n", "16")[-1]["first_launch_s"]), 0.001)

    def test_faults_are_found(self):
        def without_last_term(window, matrix, product):
            product[:] = window[:, :-1] @ matrix[:-1]

        with mock.patch.object(maxpool_python, "multiply", without_last_term):
            status, _, err = run_program("maxpool_python", "-n", "12", "-k", "3", "--filter", "random")
        self.assertEqual((status, err), (1, "maxpool_python: a value is not what it should be\n"))
        with mock.patch.object(windows, "padded", lambda image, padding: windows.numpy.pad(
                image, ((0, 0), (padding, padding), (padding, padding)), constant_values=9)):
            status, _, _ = run_program("maxpool_python", "-n", "12", "-p", "1", "--max-value", "5")
        self.assertEqual(status, 1)

    def test_refusals_say_why(self):
        for program, options, words in [
                ("maxpool_python", ["--pad-mode", "ignore"], "pad with zeros"),
                ("maxpool_python", ["-t", "2"], "--threads"),
                ("maxpool_python", ["-n", "2", "-k", "3"], "does not fit"),
                ("maxpool_python", ["--method", "numba"], "there is no 'numba'")]:
            status, out, err = run_program(program, *options)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(words, err)

    @unittest.skipUnless(HAS_NUMBA, "no numba")
    def test_a_simulator_is_not_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.csv"
            status, _, err = run_program("maxpool_numba-cuda", "-n", "4", "--record", str(file))
            self.assertEqual((status, file.exists()), (2, False))
            self.assertIn("--record", err)
        status, _, err = run_program("maxpool_numba", "-n", "8", "-t", "100000")
        self.assertEqual(status, 2)
        self.assertIn("NUMBA_NUM_THREADS", err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
