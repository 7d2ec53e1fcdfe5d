"""`study lab FILE.cu --count`: an uncoalesced load and a bank conflict in a right kernel are counted, beside naive, loop and
tiled, whose counts are those that maxpool_cuda prints.

    test_lab_count.py BIN"""
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, finish, run

BIN = pathlib.Path(sys.argv[1]).resolve()

# A warp computes 32 rows of a column, so each of its loads is in 32 rows of the image: 32 sectors. It stores its maxima to
# shared memory 32 words apart: 32 words of one bank.
PLANTED = """#include <cuda_runtime.h>

__global__ void pool(const float *image, const float *filter, float *map, int rows, int cols, int k, int stride, int padding,
                     int out_rows, int out_cols)
{
    __shared__ float maxima[32 * 32];
    const int row = blockIdx.x * 32 + threadIdx.x, col = blockIdx.y;
    const float *plane = image + (size_t)blockIdx.z * rows * cols;
    float most = -INFINITY;
    for (int i = 0; row < out_rows && i < k; i++)
        for (int j = 0; j < k; j++) {
            float sum = 0.0f;
            for (int q = 0; q < k; q++) {
                const int r = row * stride - padding + i, c = col * stride - padding + q;
                sum += (r >= 0 && r < rows && c >= 0 && c < cols ? plane[(size_t)r * cols + c] : 0.0f) * filter[q * k + j];
            }
            most = sum > most ? sum : most;
        }
    maxima[threadIdx.x * 32] = most;
    __syncthreads();
    if (row < out_rows)
        map[((size_t)blockIdx.z * out_rows + row) * out_cols + col] = maxima[threadIdx.x * 32];
}

extern "C" void maxpool(const float *image, const float *filter, float *map, int planes, int rows, int cols, int k,
                        int stride, int padding, int threads)
{
    const int out_rows = (rows + 2 * padding - k) / stride + 1, out_cols = (cols + 2 * padding - k) / stride + 1;
    pool<<<dim3((out_rows + 31) / 32, out_cols, planes), 32>>>(image, filter, map, rows, cols, k, stride, padding, out_rows,
                                                               out_cols);
}
"""


def lab(folder, *options):
    return run(folder, BIN / "study", "lab", "planted.cu", *options)


def numbers(table, label, which=0):
    """The numbers of a row, by its label; the which-th row of that label."""
    lines = [line for line in table.splitlines() if line.startswith("  " + label + "  ")]
    return [float(word.replace(",", "")) for word in lines[which][len(label) + 2:].split()]


def line_counts(table):
    """Requests, and sectors or wavefronts, by place and kind."""
    found = {}
    for line in table.splitlines():
        place, _, rest = line.strip().partition(" ")
        words = rest.split()
        if ":" in place and len(words) >= 4:
            found[place, " ".join(words[:2])] = [int(word.replace(",", "")) for word in words[2:4]]
    return found


def tables(page):
    """The cells of numbers of every row of a page, in order."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    return [cells[1:] for cells in rows if len(cells) > 2 and re.fullmatch(r"[0-9.,]+", cells[1])]


def pages(folder):
    """The fourth column of docs/tiled.md is the starter's; the page in Spanish has the same numbers."""
    docs = pathlib.Path(__file__).parents[2] / "docs"
    english, spanish = ((docs / name).read_text(encoding="utf-8") for name in ("tiled.md", "es/tiled.md"))
    done = run(folder, BIN / "study", "lab", "starter.cu", "--count", "-n", "256", "-k", "3", "--stride", "1")
    expect("the two pages have the same numbers", tables(english) == tables(spanish) and len(tables(english)) == 17, done)
    labels = (("requests of a warp", 0), ("sectors of 32 bytes", 0), ("fetches of each of them", 0), ("sectors of 32 bytes", 1),
              ("barriers, passed by a block each", 0))
    for (label, which), cells in zip(labels, tables(english)[-5:]):
        expect(f"the page's {label}", numbers(done.stdout, label, which) == [float(cell.replace(",", "")) for cell in cells], done)


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "planted.cu").write_text(PLANTED, encoding="utf-8")
        done = lab(folder, "--count", "-n", "64")
        expect("counted", done.returncode == 0 and "CORRECT" in done.stdout and "planted.cu" in done.stdout, done)
        if done.returncode != 0:
            return
        # 32 columns of 32 rows: 32 warps, in each of which half of the requests read 32 rows and half the filter.
        expect("warps", numbers(done.stdout, "warps")[-1] == 32, done)
        expect("uncoalesced load", numbers(done.stdout, "sectors per request")[-1] >= 16, done)
        expect("uncoalesced store", numbers(done.stdout, "sectors per request", 1)[-1] == 32, done)
        for which in (0, 1):
            expect("bank conflict", numbers(done.stdout, "extra wavefronts (bank conflicts)", which)[-1] == 32 * 31, done)
        lines = line_counts(done.stdout.split("planted.cu, line by line")[-1])
        number = {text: n for n, line in enumerate(PLANTED.splitlines(), 1)
                  for text in ("plane[(size_t)r", "maxima[threadIdx.x * 32] = most", "map[((size_t)") if text in line}
        expect("the uncoalesced load has its line", lines[f"planted.cu:{number['plane[(size_t)r']}", "global read"] ==
               [512, 8192 + 256], done)
        for text, kind, numbers_ in (("maxima[threadIdx.x * 32] = most", "shared store", [32, 1024]),
                                     ("map[((size_t)", "shared load", [32, 1024]),
                                     ("map[((size_t)", "global write", [32, 1024])):
            expect(f"{kind} has its line", lines[f"planted.cu:{number[text]}", kind] == numbers_, done)
        ours = subprocess.run([BIN / "maxpool_cuda", "--device", "cpu", "--count=csv", "-n", "64", "--method",
                               "naive,loop,tiled"], capture_output=True, text=True, check=True)
        expect("ours", numbers(done.stdout, "sectors of 32 bytes")[:3] ==
               [float(row["read_sectors"]) for row in csv.DictReader(io.StringIO(ours.stdout))], done)
        # Each line of the starter is known, too.
        subprocess.run([BIN / "study", "lab", "new", "starter.cu"], cwd=folder, capture_output=True, check=True)
        done = run(folder, BIN / "study", "lab", "starter.cu", "--count", "-n", "16")
        lines = line_counts(done.stdout.split("starter.cu, line by line")[-1])
        source = (folder / "starter.cu").read_text(encoding="utf-8").splitlines()
        for text, kind in (("t.filter[", "global read"), ("t.map[output] = most;", "global write")):
            number = next(n for n, line in enumerate(source, 1) if text in line)
            expect(f"starter: {text}", (f"starter.cu:{number}", kind) in lines, done)
        expect("starter: no line is unknown", "elsewhere" not in done.stdout, done)
        pages(folder)
        for options, word in ((("--count", "--operator", "conv"), "conv"), (("--card", "T4", "--check"), "--count")):
            done = lab(folder, *options)
            expect(f"{options}", done.returncode == 2 and word in done.stderr, done)


main()
sys.exit(finish())
