#!/usr/bin/env python3
"""Python libraries themselves, those that a Python of MAXPOOL_PYTHON has: networks and layers of every kind, with
our weights, verified, with their errors. Usage: test_libraries.py BUILD_FOLDER. Skipped (77) where there is none of
them."""
import csv
import io
import pathlib
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
UNAVAILABLE = 3
LIBRARIES = ["ncnn", "mnn", "litert", "onnxruntime", "openvino", "pytorch"]
CONVOLUTIONS = ["-n 14 --channels 8 --filters 16 -k 3 -p 1", "-n 15 --channels 8 --filters 16 -k 3 -s 2 -p 1",
                "-n 9 --channels 8 --filters 8 --groups 8 -k 3 -p 1", "-n 8 --channels 4 --filters 6 -k 1 --batch 2"]
NETWORKS = ["--network resnet18 --image-size 45", "--network mobilenet_v2 --image-size 45 --batch 2"]
MOST_ULPS = 1000
"""Of outputs; a wrong one is off by a million."""


def run(program, options):
    """Status, the last row and what is said."""
    words = [str(BUILD / "bin" / program), *options.split(), "--samples", "2", "--max-seconds", "1e9", "--format",
             "csv"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    return done.returncode, rows[-1] if rows else None, done.stderr.strip()[-300:]


def there(library):
    """Whether a Python has it, and why not."""
    status, _, said = run(f"conv_{library}", "-n 8")
    return status != UNAVAILABLE, said


class Libraries(unittest.TestCase):
    def check(self, library):
        here, why = there(library)
        if not here:
            self.skipTest(why)
        for options in CONVOLUTIONS:
            with self.subTest(library=library, options=options):
                status, row, said = run(f"conv_{library}", options)
                self.assertEqual(status, 0, said)
                self.assertIn(row["verified"], ("exact", "bound"))
                self.assertLess(float(row["error_bound_max"]), 1)
                self.assertEqual(row["verified"] == "exact", float(row["error_ulps_max"]) == 0)
        for options in NETWORKS:
            with self.subTest(library=library, options=options):
                status, row, said = run(f"network_{library}", options)
                self.assertEqual(status, 0, said)
                self.assertEqual(row["verified"], "bound")
                self.assertGreater(float(row["error_network_ulps"]), 0)
                self.assertLess(float(row["error_network_ulps"]), MOST_ULPS)


for name in LIBRARIES:
    setattr(Libraries, "test_" + name, lambda self, library=name: self.check(library))

if __name__ == "__main__":
    if not any(there(library)[0] for library in LIBRARIES):
        print("no Python of MAXPOOL_PYTHON has any of " + ", ".join(LIBRARIES))
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]])
