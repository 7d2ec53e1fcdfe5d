#!/usr/bin/env python3
"""The Python libraries themselves, as far as a Python of MAXPOOL_PYTHON has them: networks, layers of every kind and
max pooling with our weights, verified, with their errors. Usage: test_libraries.py BUILD_FOLDER. Skipped (77) if none
is available."""
import csv
import io
import pathlib
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
UNAVAILABLE = 3
LIBRARIES = ["ncnn", "mnn", "litert", "onnxruntime", "openvino", "pytorch", "tract"]
LAYERS = ["onednn3"]
"""Libraries that compute no networks."""
COMPILED = "pytorch-compile"
"""A method of pytorch that also needs a C++ compiler."""
POOLING = ["mnn", "litert", "onnxruntime", "openvino", "pytorch", "tract"]
LIMITED = ["onednn3", "openvino", "pytorch"]
"""Libraries that can be limited to AVX2; the processor may lack it."""
UNLIMITED = ["mnn", "onnxruntime", "tract"]
CONVOLUTIONS = ["-n 14 --channels 8 --filters 16 -k 3 -p 1", "-n 15 --channels 8 --filters 16 -k 3 -s 2 -p 1",
                "-n 9 --channels 8 --filters 8 --groups 8 -k 3 -p 1", "-n 8 --channels 4 --filters 6 -k 1 --batch 2"]
SUMS_ROUND = "--max-value 16777215"
POOLS = ["-n 15 --planes 3 -k 3 -s 2 -p 1 --pad-mode ignore", "-n 12 --planes 2 -k 2 --max-value 16777215",
         "-n 9 -k 3 -s 1 -p 1 --pad-mode ignore"]
NETWORKS = ["--network resnet18 --image-size 45", "--network mobilenet_v2 --image-size 45 --batch 2"]
MOST_ULPS = 1000
"""Largest error of outputs; a wrong output has an error of a million."""


def run(program, options):
    """Returns status, last row and output."""
    words = [str(BUILD / "bin" / program), *options.split(), "--samples", "2", "--max-seconds", "1e9", "--format",
             "csv"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    return done.returncode, rows[-1] if rows else None, done.stderr.strip()[-300:]


def there(library, options=""):
    """Returns whether a Python has it, and the reason if none has."""
    status, _, said = run(f"conv_{library}", "-n 8 " + options)
    return status != UNAVAILABLE, said


class Libraries(unittest.TestCase):
    def check_error(self, row):
        """Small integers have exact sums, except with Winograd tiles; exact results have no error."""
        self.assertIn(row["verified"], ("exact", "bound"))
        self.assertLess(float(row["error_bound_max"]), 1)
        self.assertEqual(row["verified"] == "exact", float(row["error_ulps_max"]) == 0)

    def check_layers(self, library, method):
        for options in CONVOLUTIONS:
            with self.subTest(library=library, options=options + method):
                status, row, said = run(f"conv_{library}", options + method)
                self.assertEqual(status, 0, said)
                self.check_error(row)
        with self.subTest(library=library, options=SUMS_ROUND + method):
            status, row, said = run(f"conv_{library}", CONVOLUTIONS[0] + " " + SUMS_ROUND + method)
            self.assertEqual(status, 0, said)
            self.assertEqual(row["verified"], "bound")
            self.assertGreater(float(row["error_ulps_rms"]), 0)
            self.assertLess(float(row["error_ulps_rms"]), MOST_ULPS)

    def check_networks(self, library, method):
        for options in NETWORKS:
            with self.subTest(library=library, options=options + method):
                status, row, said = run(f"network_{library}", options + method)
                self.assertEqual(status, 0, said)
                self.assertEqual(row["verified"], "bound")
                self.assertGreater(float(row["error_network_ulps"]), 0)
                self.assertLess(float(row["error_network_ulps"]), MOST_ULPS)

    def check(self, library, method=""):
        here, why = there(library, method)
        if not here:
            self.skipTest(why)
        self.check_layers(library, method)
        self.check_networks(library, method)

    def check_pooling(self, library):
        """Maxima are exact for any values, and padding never wins."""
        here, why = there(library)
        if not here:
            self.skipTest(why)
        for options in POOLS:
            with self.subTest(library=library, options=options):
                status, row, said = run(f"maxpool_{library}", options)
                self.assertEqual(status, 0, said)
                self.assertEqual(row["verified"], "exact")

    def check_alone(self, library):
        here, why = there(library)
        if not here:
            self.skipTest(why)
        self.check_layers(library, "")

    def check_limit(self, library, larger="-n 56 --channels 64 --filters 64 -k 3 -p 1 --isa avx2"):
        here, why = there(library)
        if not here:
            self.skipTest(why)
        status, row, said = run(f"conv_{library}", larger)
        if status == UNAVAILABLE and "this processor has no AVX2" in said:
            self.skipTest(said)
        self.assertEqual((status, row and row["isa_limit"]), (0, "avx2"), said)

    def test_libraries_without_a_limit_refuse_one(self):
        for library in UNLIMITED:
            with self.subTest(library):
                status, _, said = run(f"conv_{library}", "-n 8 --isa avx2")
                self.assertIn(status, (2, UNAVAILABLE), said)
                self.assertEqual(status == 2, there(library)[0], said)

    def test_openblas(self):
        status, row, said = run("matmul_scipy-openblas", "-n 65 --filter random")
        if status == UNAVAILABLE:
            self.skipTest(said)
        self.assertEqual((status, row["verified"]), (0, "exact"), said)
        self.assertRegex(row["isa"], r"^OpenBLAS [0-9.]+ [A-Z]")
        status, row, said = run("matmul_scipy-openblas", "-n 65 --max-value 16777215 --filter random -t 2")
        self.assertEqual((status, row["verified"]), (0, "bound"), said)

    def test_pytorch_compile(self):
        self.check("pytorch", " --method " + COMPILED)


for name in LIBRARIES:
    setattr(Libraries, "test_" + name, lambda self, library=name: self.check(library))
for name in LAYERS:
    setattr(Libraries, "test_" + name, lambda self, library=name: self.check_alone(library))
for name in LIMITED:
    setattr(Libraries, "test_limit_" + name, lambda self, library=name: self.check_limit(library))
for name in POOLING:
    setattr(Libraries, "test_pooling_" + name, lambda self, library=name: self.check_pooling(library))

if __name__ == "__main__":
    if not any(there(library)[0] for library in LIBRARIES + LAYERS):
        print("no Python of MAXPOOL_PYTHON has any of " + ", ".join(LIBRARIES + LAYERS))
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]])
