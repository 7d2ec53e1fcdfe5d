#!/usr/bin/env python3
"""scripts/time_peers.py with numpy in place of a library: options, verdicts, columns, exit statuses. Usage:
test_time_peers.py BUILD_FOLDER. Skipped (77) if no Python has numpy."""
import ast
import contextlib
import csv
import io
import os
import pathlib
import re
import sys
import tempfile
import types
import unittest
import unittest.mock

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.dont_write_bytecode = True
sys.path[:0] = [str(SCRIPTS), str(pathlib.Path(__file__).resolve().parent)]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()

from peers import interpreter

if not interpreter.has(sys.executable, ["numpy"]):
    if sys.executable != "/usr/bin/python3" and interpreter.has("/usr/bin/python3", ["numpy"]):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", __file__, str(BUILD)])
    sys.exit(77)

import numpy
import time_peers
from peers import elements, failure, instruction_set, libraries, network_file, other_load, ours, reference, safetensors
from peers.problem import Problem, errors, sum_error, ulp, verdict


GENERATED = re.compile(r'\{\.computes = "(.*?)", \.method = \{\.name = "(.*?)", .*?\.idea = "(.*?)"'
                       r'(?:, \.operations_per_s = (.*?))?\}(?:, \.start_s = (.*?))?\},')


def declared(folder):
    """METHODS of the modules of a folder, as Python reads them: operator, name, idea, and optionally, for plans,
    seconds until the first execution and operations per second."""
    for path in sorted(folder.glob("*_peer.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "METHODS" for t in node.targets):
                yield from ast.literal_eval(node.value)


def unknown_to_cmake(folder, table):
    """Methods that only one of the two has: the modules, or the table that CMake made from their lines."""
    rows = {(operator, name, idea, *((float(start), float(rate)) if start else ()))
            for operator, name, idea, rate, start in GENERATED.findall(table)}
    return rows ^ {tuple(row) for row in declared(folder) if row[0] != "training"}


class Library(types.ModuleType):
    """numpy as a library of peers; `fault` is applied to its result."""

    METHODS = [(operator, "numpy", "an idea")
               for operator in ("maxpool", "conv", "network", "distances", "matmul")]
    fault = staticmethod(lambda y: y)

    @staticmethod
    def version():
        return "numpy " + numpy.__version__

    def prepare(self, _method, graph, images, _threads):
        return lambda: reference.compute(graph, images).astype(numpy.float32), self.fault

    def prepare_distances(self, _method, x, y, _threads):
        return (lambda: numpy.sqrt(((x[:, None] - y[None]) ** 2).sum(2)), self.fault)

    def prepare_product(self, _method, a, b, _threads):
        return (lambda: a @ b), self.fault


class TimePeers(unittest.TestCase):
    def setUp(self):
        self.library = Library("peers.libraries.onnxruntime_peer")
        sys.modules[self.library.__name__] = self.library
        os.environ.pop("MAXPOOL_PYTHON", None)

    def test_environments_are_named_by_folder_too(self):
        """A folder without a Python is passed over, with a message."""
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as empty:
            os.mkdir(f"{folder}/bin")
            os.symlink("/usr/bin/python3", f"{folder}/bin/python")
            os.environ["MAXPOOL_PYTHON"] = f"{folder}:{empty}::/usr/bin/python3"
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(list(interpreter.named()), [f"{folder}/bin/python", "/usr/bin/python3"])
            self.assertIn(f"{empty} is no Python here", said.getvalue())

    def test_the_programs_table_has_all_methods(self):
        """CMake reads METHODS line by line, and would miss a line of another form."""
        table = (BUILD / "generated/script_methods.inc").read_text(encoding="utf-8")
        folder = SCRIPTS / "peers/libraries"
        self.assertGreater(len(list(declared(folder))), 20)
        self.assertEqual(unknown_to_cmake(folder, table), set())
        with tempfile.TemporaryDirectory() as scratch:
            planted = pathlib.Path(scratch)
            for path in folder.glob("*_peer.py"):
                (planted / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
            faiss = (folder / "faiss_peer.py").read_text(encoding="utf-8")
            (planted / "faiss_peer.py").write_text(faiss.replace('METHODS = (\n', "METHODS = (\n    ('matmul', 'faiss', "
                                                                 '"in other quotes"),\n'), encoding="utf-8")
            self.assertEqual(unknown_to_cmake(planted, table), {("matmul", "faiss", "in other quotes")})

    def run_program(self, operator, *options):
        """Exit status and output; the pair of operator and library need not have a link."""
        sys.argv = [str(BUILD / "bin" / f"{operator}_onnxruntime"), *map(str, options),
                    "--samples", "3", "--max-seconds", "1e9"]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = time_peers.main()
            except SystemExit as end:
                status = end.code
        return status, out.getvalue(), err.getvalue()

    def rows_of(self, operator, *options):
        status, out, err = self.run_program(operator, *options, "--format", "csv")
        self.assertEqual((status, err), (0, ""))
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(out.split("\n")[0].split(","), ours.columns())
        self.assertEqual([row["warmup"] for row in rows], ["1", "0", "0", "0"])
        self.assertEqual(rows[-1]["stop_reason"], "samples")
        self.assertTrue(all(float(row["total_s"]) > 0 for row in rows))
        self.assertTrue(all(int(row["involuntary_switches"]) >= 0 for row in rows))
        self.assertEqual({row["cpu_mhz"] for row in rows}, {""})  # not read
        self.assertEqual({row["launch_others_cores"] for row in rows[:-1]}, {""})  # it is in the last row
        self.assertTrue(float(rows[-1]["launch_others_cores"] or 0) >= 0)
        return rows

    def test_load_by_others_is_what_is_not_our_own(self):
        stat = "cpu  9 9 9 9 9 9 9 9\ncpu0 {} 10 20 {} 5 1 2 {} 50 5\ncpu3 {} 0 0 {} 0 0 0 0\nintr 7\n"
        before = (10.0, 1.0, {0}, other_load.cpu_times(stat.format(0, 0, 0, 0, 0)), 3.0)
        after = (12.0, 1.5, {0, 3}, other_load.cpu_times(stat.format(120, 40, 40, 100, 100)), 3.5)
        self.assertEqual(other_load.columns_between(before, after), {
            "launch_others_cores": "0.85", "launch_hardware_threads": "2", "launch_stolen_share": f"{0.4 / 2.6:.6g}", "launch_pressure_share": "0.25"})
        none = other_load.columns_between((10.0, 1.0, {0}, {}, None), (12.0, 1.0, {0}, {}, None))
        self.assertEqual(none, {})  # nothing is counted
        quiet = (12.0, 3.18, {0, 3}, after[3], None)  # 0.02 s: an error of the ticks
        self.assertEqual(other_load.columns_between(before, quiet)["launch_others_cores"], "0")
        self.assertEqual(other_load.pressure_s("some avg10=0.00 total=1500000\nfull total=1\n"), 1.5)
        self.assertIsNone(other_load.pressure_s(""))

    def test_random_elements_are_ours(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "map.npy"
            ours.run("maxpool", ["--rows", 5, "--cols", 7, "--planes", 3, "-k", 1, "--seed", 8,
                                 "-o", path])
            self.assertTrue((numpy.load(path) == elements.random_elements(8, 9, (3, 5, 7))).all())

    def test_operators_are_what_ours_compute(self):
        points = [("maxpool", "exact", "-n 19 --planes 2 -k 3 -s 2 -p 1 --pad-mode ignore"),
                  ("conv", "exact", "-n 9 --batch 2 --channels 4 --filters 6 --groups 2 -p 1 -s 2"),
                  ("conv", "exact", "-n 9 --weights random --bias none --activation none --epilogue "
                   "store --residual none --factor none --gradient none"),
                  ("distances", "bound", "-n 40 --dimensions 7"),
                  ("distances", "bound", "-n 20 --dimensions 3 --against random"),
                  ("matmul", "exact", "-R 6 -C 9 --planes 1 --filter random")]
        for operator, most, options in points:
            with self.subTest(operator):
                for row in self.rows_of(operator, *options.split()):
                    self.assertIn(row["verified"], ("exact", most))
                    self.assertEqual(row["operator"], operator)

    def test_networks_are_what_ours_compute(self):
        for network, options in [("solar_cnn", "--batch 2"), ("mlp:9-4", "--batch 3"),
                                 ("alexnet_mri", ""), ("resnet18", "--image-size 33"),
                                 ("mobilenet_v2", "--image-size 33")]:
            with self.subTest(network):
                row = self.rows_of("network", "--network", network, *options.split())[-1]
                self.assertIn(row["verified"], ("exact", "bound"))
                self.assertEqual((row["network"], row["weights"]), (network, "seeded"))

    def test_one_wrong_value_is_seen(self):
        def spoil(y):
            y = y.copy()
            y.flat[y.size // 2] += numpy.abs(y).max() * numpy.float32(1e-3) + numpy.float32(1e-3)
            return y
        for operator, options in [("maxpool", "-n 8"), ("conv", "-n 8"), ("matmul", "-n 8"),
                                  ("distances", "-n 8"), ("network", "--network mlp:9")]:
            with self.subTest(operator):
                self.library.fault = spoil
                status, _, err = self.run_program(operator, *options.split())
                self.assertEqual(status, failure.WRONG, err)

    def test_nothing_and_nan_are_wrong(self):
        known = numpy.ones((2, 3), numpy.float32)
        for found in (numpy.ones((3, 2)), known * numpy.nan, numpy.zeros((2, 3))):
            problem = Problem({}, None, lambda _, y=found: y, known, 1e-3)
            self.assertEqual(verdict(problem, None), "wrong")
        self.assertEqual(sum_error(4, known * 2, -known * 3), 2 * 4 * 2.0 ** -24 * 24)

    def test_errors_are_reported_in_ulps_and_bounds(self):
        """The values have root mean square 1, so that an ulp is 2 ** -23; the second value is off by 3 ulps."""
        right = numpy.array([1.0, -1.0, 1.0, -1.0])
        found = (right + numpy.array([0, 3, 0, 0]) * 2.0 ** -23).astype(numpy.float32)
        problem = Problem({}, None, lambda _: found, right.astype(numpy.float32),
                          numpy.full(4, 6 * 2.0 ** -23))
        self.assertEqual(ulp(right), 2.0 ** -23)
        self.assertEqual({name: float(text) for name, text in errors(problem, None, "bound").items()},
                         {"error_bound_max": 0.5, "error_bound_rms": 0.25, "error_ulps_max": 3.0,
                          "error_ulps_rms": 1.5})
        problem.whole = True  # of our outputs, which are rounded too, no error is reported
        self.assertEqual(errors(problem, None, "bound"), {})
        problem.right = right[:2]
        self.assertAlmostEqual(float(errors(problem, None, "bound")["error_network_ulps"]), 4.5 ** 0.5)
        self.assertEqual(errors(problem, None, "wrong"), {})

    def test_exact_results_have_no_error_and_sums_that_round_have_some(self):
        row = self.rows_of("conv", "-n", 9)[-1]
        self.assertEqual([float(row[f"error_{name}"]) for name in
                          ("bound_max", "bound_rms", "ulps_max", "ulps_rms")], [0.0] * 4)
        for operator, options in [("conv", "-n 9 --max-value 9999999"), ("distances", "-n 40 --dimensions 7"),
                                  ("matmul", "-n 9 --max-value 9999999 --filter random")]:
            with self.subTest(operator):
                row = self.rows_of(operator, *options.split())[-1]
                self.assertEqual(row["verified"], "bound")  # even where it has the bits of ours
                self.assertGreater(float(row["error_bound_max"]), 0)
                self.assertLess(float(row["error_bound_max"]), 1)
                self.assertLess(float(row["error_ulps_rms"]), 4)
                self.assertEqual(row["error_network_ulps"], "")

    def test_our_errors_of_networks_are_those_of_another_reference(self):
        """The references in C and in Python share no code; for one run they report the same errors."""
        for network, size in [("resnet18", 33), ("mobilenet_v2", 33), ("solar_cnn", 50)]:
            with self.subTest(network), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder)
                ours.run("network", ["--network", network, "--image-size", size, "--batch", 2, "--graph",
                                     path / "graph", "--save", path / "weights", "-o", path / "out.npy",
                                     "--record", path / "rows.csv"])
                reported = network_file.read(path / "graph")
                graph = network_file.build(reported, 1, safetensors.read(path / "weights"), rounded=False)
                images = elements.random_elements(35, 9, (2, *graph.shape[1:]))
                right = reference.compute(graph, images[:1])
                problem = Problem({}, None, lambda _, p=path: numpy.load(p / "out.npy").reshape(2, -1),
                                  right, right=right, whole=True)
                with open(path / "rows.csv", encoding="utf-8") as file:
                    row = next(csv.DictReader(file))
                self.assertAlmostEqual(float(row["error_network_ulps"]) /
                                       float(errors(problem, None, "bound")["error_network_ulps"]), 1, 6)

    def test_what_cannot_be_is_refused(self):
        for operator, options in [("maxpool", "-n 8 -p 1"), ("maxpool", "-n 2 -k 3"),
                                  ("conv", "--channels 3 --groups 2"), ("conv", "--batch 0"),
                                  ("network", "--network nonet"), ("maxpool", "--method nomethod"),
                                  ("network", "--network mlp:9 --image-size 4"), ("matmul", "-R 3"),
                                  ("matmul", "-n 4 --planes 2")]:
            with self.subTest(options):
                status, out, err = self.run_program(operator, *options.split())
                self.assertEqual((status, out), (failure.USAGE, ""))
                self.assertIn(operator, err)

    def limited(self, limits, keeps, features, isa="avx2"):
        """The end of a program with --isa whose library has these limits, on a processor with these features."""
        self.library.keeps_limit = lambda o, run: run() is not None and keeps and os.environ["MAXPOOL_LIMIT"] == o.isa
        with unittest.mock.patch.object(libraries, "constant", lambda _, word, usual: {
                "LIMITS": limits, "PACKAGES": ""}.get(word, usual)), \
                unittest.mock.patch.object(instruction_set, "features", lambda: set(features)), \
                unittest.mock.patch.dict(os.environ):
            return self.run_program("conv", "-n", 8, "--isa", isa, "--format", "csv")

    def test_a_limit_is_kept_or_refused(self):
        avx2, both = ("avx2", "fma", "bmi2"), {isa: {"MAXPOOL_LIMIT": isa} for isa in ("avx2", "avx512")}
        status, out, err = self.limited(both, True, avx2)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual({row["isa_limit"] for row in csv.DictReader(io.StringIO(out))}, {"avx2"})
        for status, words, case in [
                (failure.USAGE, "chooses its code by itself", (None, True, avx2)),
                (failure.UNAVAILABLE, "does not keep to it", (both, False, avx2)),
                (failure.UNAVAILABLE, "does not keep to it", (both, True, avx2, "baseline")),
                (failure.UNAVAILABLE, "has no AVX2", (both, True, ("avx2", "fma"))),
                (failure.UNAVAILABLE, "has no AVX-512", (both, True, avx2, "avx512"))]:
            with self.subTest(words):
                found, out, err = self.limited(*case)
                self.assertEqual((found, out), (status, ""))
                self.assertIn(words, err)
        with unittest.mock.patch.dict(os.environ, {"MAXPOOL_LIMIT": "avx512"}):  # what a user has set remains
            self.assertEqual(self.limited(both, True, avx2)[0], failure.UNAVAILABLE)
        self.assertEqual({row["isa_limit"] for row in self.rows_of("conv", "-n", 8)}, {""})

    def test_a_library_that_is_not_there(self):
        del sys.modules[self.library.__name__]
        sys.modules["onnxruntime"] = None  # an import of it fails
        status, _, err = self.run_program("conv", "-n", "8")
        del sys.modules["onnxruntime"]
        self.assertEqual(status, failure.UNAVAILABLE)
        self.assertIn("onnxruntime", err)

    def test_methods_are_listed_and_rows_appended(self):
        status, out, _ = self.run_program("conv", "--list-methods=all")
        self.assertEqual((status, out), (0, "numpy             [peer] an idea\n"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "samples.csv"
            for _ in range(2):
                status, _, err = self.run_program("matmul", "-n", 4, "--record", path)
                self.assertEqual(status, 0, err)
            self.assertEqual(len(path.read_text().splitlines()), 1 + 2 * 4)
            path.write_text("another,header\n")
            status, _, err = self.run_program("matmul", "-n", 4, "--record", path)
            self.assertEqual((status, path.read_text()), (failure.USAGE, "another,header\n"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
