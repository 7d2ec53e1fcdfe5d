"""The counts of naive, loop and tiled equal those derived on paper, and what --count prints.

    test_count.py BIN

Blocks are 16 x 16 threads: a warp is 16 columns of 2 rows. All blocks are full. A row of the image of n elements begins
n mod 8 elements further in a sector (8 floats) than the row above. b is the number of blocks, w = 8 b that of warps.

naive and loop: a warp makes one request for each of the k² elements of the window, and one for each of the filter's,
which is 1 sector. A request of the window is two rows of 16 lanes, s elements apart.
  k = 2, s = 2, n = 64: both rows span 32 floats from a multiple of 8, less one: 4 sectors each.
      4 (4 + 4) + 4 = 36 sectors for a warp; w = 32.
  k = 2, s = 1, n = 65: row r begins at r mod 8. 16 floats are 2 sectors if they begin at a multiple of 8, otherwise 3.
      Element (i, j) of the windows begins at (row + i + j) mod 8, 0 in one of 8 rows: 8 x 2 + 56 x 3 = 184 for a column of
      blocks, 4 columns, 4 elements: 2944, and 4 x 128 for the filter.
  k = 3, s = 1, n = 66: row r begins at 2r mod 8. For even j, one of 4 rows has its 16 floats in 2 sectors:
      16 x 2 + 48 x 3 = 176; for odd j none: 64 x 3 = 192. 3 rows of the window, 4 columns of blocks:
      12 (176 + 192 + 176) = 6528, and 9 x 128 for the filter.
  k = 3, s = 2, n = 65: 16 lanes span 31 floats from (2 row + i + j) mod 8: 4 sectors from 0 and 1, otherwise 5. In 4
      rows the beginnings are 0, 2, 4, 6 or 1, 3, 5, 7: 19 sectors. 8 x 19 for each element and column of blocks:
      9 x 2 x 152 = 2736, and 9 x 32 for the filter.

tiled: a block fetches (15 s + k)² elements once, 16 columns at a time, and the filter with one request.
  k = 2, s = 2: 32 x 32 elements, 2 x 2 requests a warp, each 2 + 2 sectors: 33 requests, 129 sectors for a block. Rows of
      the tile are 32 apart: the two rows of a store are in the same 16 banks, 1 wavefront more for each of 32 stores.
      Loads: 2 pairs of elements and 4 of the filter.
  k = 2, s = 1: 17 x 17: 8 warps x 2 + 2 requests for row 16, and the filter: 19. Sectors: of 17 rows 3 begin at a multiple
      of 8: 3 x 2 + 14 x 3 = 48, 17 for column 16, 1 for the filter: 66. Rows of the tile are 20 apart: 16 banks from b and
      from b + 20 have 4 in common: 8 stores and all 4 loads of the window take 1 more. Loads: 4 + 4.
  k = 3, s = 1: 18 x 18: 9 x 2 requests and the filter: 19. Sectors: row y begins at 2y mod 8: 5 x 2 + 13 x 3 = 49, 18 for
      columns 16 and 17, 2 for the filter: 69. Rows are 20 apart: 9 stores and the 9 loads of the window take 1 more.
      Loads: 9 + 9.
  k = 3, s = 2: 33 x 33: 16 x 3 + 3 and the filter: 52. Sectors: rows y = 0, 8, .. 32 begin at a multiple of 8:
      5 x 2 + 28 x 3 = 94 twice, 33 for column 32, 2 for the filter: 223. Rows are 36 apart: 32 stores take 1 more. Loads: 2
      pairs in each of 3 rows, and 9 of the filter.

roof, k = 2: a warp is 16 strips of 4 columns in 2 rows, and once more 64 columns further, each loaded as 2 rows. n = 64 has
one strip of each thread in the map: 2 loads of 16 bytes, 4 of the filter, 1 store of 8 bytes, and no other request; 8 warps
in each of 2 blocks. n = 66: 33 rows of outputs are 17 warps. Rows of 264 bytes allow loads of 8 bytes: 2 rows of 2 loads for
the 16 first strips, and once more for the 17th; the last strip, of 2 columns, is loaded pixel by pixel: 4; 4 of the filter.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import checks

BIN = pathlib.Path(sys.argv[1]).resolve()

# (k, s, n): blocks; for a warp, window sectors of all warps together; tiled for a block: requests, sectors, loads of a
# warp, loads that conflict of a warp, stores that conflict.
KNOWN = {(2, 2, 64): (4, 32 * 32, 33, 129, 6, 0, 32),
         (2, 1, 65): (16, 2944, 19, 66, 8, 4, 8),
         (3, 1, 66): (16, 6528, 19, 69, 18, 9, 9),
         (3, 2, 65): (4, 2736, 52, 223, 15, 0, 32)}


def run(*options):
    return subprocess.run([BIN / "maxpool_cuda", "--device", "cpu", *map(str, options)], capture_output=True, text=True,
                          check=False)


def expect(what, got, expected):
    checks.expect(what, got == expected, f"{got}, expected {expected}")


def rows_of(*options):
    done = run("--count=csv", "--method", "naive,loop,tiled", *options)
    expect(f"{options}: status", done.returncode, 0)
    rows = {row["method"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    expect(f"{options}: rows", list(rows), ["naive", "loop", "tiled"])
    return rows


def known(k, s, n):
    blocks, window, requests, sectors, loads, load_conflicts, store_conflicts = KNOWN[k, s, n]
    warps = 8 * blocks
    rows = rows_of("-n", n, "-k", k, "-s", s)
    wanted = {"blocks": blocks, "warps": warps, "splits": 0, "active_lanes": 32, "barriers": 0, "shared_load_requests": 0,
              "read_requests": 2 * k * k * warps, "read_sectors": window + k * k * warps, "write_requests": warps,
              "write_sectors": 4 * warps, "write_sectors_least": 4 * warps, "write_sectors_per_least": 1}
    for method in ("naive", "loop"):
        for name, value in wanted.items():
            expect(f"{method} {(k, s, n)} {name}", float(rows[method][name]), value)
    wanted = {"blocks": blocks, "barriers": 2 * blocks, "read_requests": blocks * requests, "read_sectors": blocks * sectors,
              "shared_store_requests": blocks * requests, "shared_load_requests": warps * loads,
              "shared_load_conflicts": warps * load_conflicts, "shared_store_conflicts": blocks * store_conflicts,
              "write_sectors": 4 * warps}
    for name, value in wanted.items():
        expect(f"tiled {(k, s, n)} {name}", float(rows["tiled"][name]), value)
    # The image is n x n floats and the filter has a sector of its own; every element is read by s < k or s = k.
    touched = -(-n * n // 8) + (1 if k == 2 else 2)
    if (n - k) % s == 0:
        expect(f"different sectors {(k, s, n)}", int(rows["tiled"]["read_distinct_sectors"]), touched)


def roof():
    for n, warps, loads in ((64, 16, 2 + 4), (66, 17, 4 + 4 + 4 + 4)):
        row = next(csv.DictReader(io.StringIO(run("--count=csv", "--method", "roof", "-n", n).stdout)))
        expect(f"roof {n}: read requests", int(row["read_requests"]), warps * loads)
        expect(f"roof {n}: coalesced", n > 64 or float(row["read_sectors_per_least"]) == 1.0, True)


def forms():
    rows = json.loads(run("--count=json", "-n", 64, "--method", "naive,tiled", "--card", "a100").stdout)
    expect("json", [(row["method"], row["card"], row["read_sectors"]) for row in rows],
           [("naive", "A100", 32 * 36), ("tiled", "A100", 4 * 129)])
    table = run("--count", "-n", 64).stdout
    expect("table", "sectors per request" in table and "Occupancy on T4" in table and "µs" not in table, True)
    predicted = run("--count", "-n", 64, "--card", "H100").stdout
    lines = [line for line in predicted.splitlines() if "µs" in line or "the least" in line and "predicted" in line]
    expect("predicted", len(lines) == 2 and all("redicted" in line for line in lines) and
           "not yet compared with a GPU" in predicted and "what binds" in predicted, True)
    lines = run("--count=lines", "-n", 64, "--method", "tiled").stdout
    expect("lines", "cuda/kernels/tiled.cu:" in lines and "shared store" in lines, True)
    picture = xml.etree.ElementTree.fromstring(run("--count=svg", "-n", 64, "--method", "naive,loop,tiled").stdout)
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    expect("svg", all(name in texts for name in ("naive", "loop", "tiled")), True)
    expect("svg lanes", any("32 lanes, 8 sectors" in text for text in texts) and
           any("32 lanes, 4 sectors" in text for text in texts), True)


def registers():
    """The registers that ptxas tells limit the occupancy; without them the table says so. A made-up nvcc tells them of naive,
    for k = 2: 100 registers are 3,328 for a warp (units of 256), 19 warps in 65,536, 16 in groups of four: 2 blocks of 8."""
    with tempfile.TemporaryDirectory() as folder:
        nvcc = pathlib.Path(folder, "nvcc")
        nvcc.write_text("""#!/bin/sh
case "$*" in *-arch=sm_75*cuda/kernels/naive.cu) ;; *) exit 1 ;; esac
echo "ptxas info    : Compiling entry function '_Z10pool_naiveILi3EL13filter_memory0EEv9pool_task' for 'sm_75'"
echo "ptxas info    : Used 40 registers, used 1 barriers, 400 bytes cmem[0]"
echo "ptxas info    : Compiling entry function '_Z10pool_naiveILi2EL13filter_memory0EEv9pool_task' for 'sm_75'"
echo "ptxas info    : Used 100 registers, used 1 barriers, 512 bytes smem, 400 bytes cmem[0]"
""", encoding="utf-8")
        nvcc.chmod(0o755)
        os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
        told = {row["method"]: row for row in csv.DictReader(io.StringIO(
            run("--count=csv", "-n", 64, "--method", "naive,tiled", "--card", "T4").stdout))}
        expect("ptxas told", [told["naive"][name] for name in ("registers", "occupancy_limit", "resident_blocks",
                                                               "shared_bytes_per_block")], ["100", "registers", "2", "512"])
        expect("ptxas did not tell", (told["tiled"]["registers"], told["tiled"]["occupancy_limit"]), ("", "threads"))
        table = run("--count", "-n", 64, "--method", "naive,tiled", "--card", "T4").stdout
        line = next(line for line in table.splitlines() if "registers of a thread" in line)
        expect("the table", (line.split()[-2:], "Registers that are unknown" in table), (["100", "unknown"], True))


def page():
    """The tables of docs/tiled.md."""
    names = {"read requests of a warp": "read_requests", "sectors read": "read_sectors",
             "fetches of each different sector": "read_fetches_per_sector",
             "loads from shared memory, requests": "shared_load_requests",
             "extra wavefronts of stores to shared memory": "shared_store_conflicts",
             "extra wavefronts of loads from shared memory": "shared_load_conflicts",
             "barriers, passed by a block each": "barriers"}
    text = (pathlib.Path(__file__).parents[2] / "docs" / "tiled.md").read_text(encoding="utf-8")
    for k, s in ((2, 2), (3, 1)):
        rows = rows_of("-n", 256, "-k", k, "-s", s)
        table = text.split(f"| k = {k}, s = {s} |")[1].split("\n\n")[0].splitlines()[2:]
        expect(f"lines of the page's table {(k, s)}", len(table), 6)
        for line in table:
            label, *values = (cell.strip() for cell in line.strip("|").split("|"))
            for method, value in zip(rows, values):
                expect(f"page {(k, s)} {method} {label}",
                       round(float(rows[method][names[label]]), 2), float(value.replace(",", "")))


def refused():
    for options, word in ((("--count", "--card", "T5"), "T4"), (("--card", "T4"), "--count"), (("--count=x",), "lines"),
                          (("--count", "--format", "csv"), "--format text")):
        done = run("-n", 8, *options)
        expect(f"{options}", (done.returncode, word in done.stderr), (2, True))
    done = subprocess.run([BIN / "maxpool_cuda", "-n", "8", "--count"], capture_output=True, text=True, check=False)
    expect("without --device cpu", (done.returncode in (2, 3), "--device cpu" in done.stderr or done.returncode == 3),
           (True, True))


for case in KNOWN:
    known(*case)
roof()
forms()
page()
refused()
registers()
sys.exit(checks.finish())
