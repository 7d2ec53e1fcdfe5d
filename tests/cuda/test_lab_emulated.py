"""`study lab FILE.cu --check --device cpu`: kernels with a planted fault each are refused, and the line of the fault is
named; right ones are correct, with shuffles, votes, atomic operations and streams too.

    test_lab_emulated.py BIN"""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, finish, run

BIN = pathlib.Path(sys.argv[1]).resolve()

# Max pooling by tiles in shared memory: blocks of 8 x 8 outputs, the filter in constant memory.
TILED = """#include <cuda_runtime.h>

enum { SIDE = 8, MOST = 1024 };
__constant__ float weights[MOST];

__global__ void pool(const float *image, float *map, int rows, int cols, int k, int stride, int padding, int out_rows,
                     int out_cols)
{
    extern __shared__ float tile[];
    __shared__ float margin[SIDE][SIDE];
    const int width = (SIDE - 1) * stride + k;
    const int top = blockIdx.y * SIDE * stride - padding, left = blockIdx.x * SIDE * stride - padding;
    const float *plane = image + (size_t)blockIdx.z * rows * cols;
    for (int y = threadIdx.y; y < width; y += SIDE)
        for (int x = threadIdx.x; x < width; x += SIDE) {
            const bool inside = top + y >= 0 && top + y < rows && left + x >= 0 && left + x < cols;
            tile[y * width + x] = inside ? plane[(size_t)(top + y) * cols + left + x] : 0.0f;
        }
    margin[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();
    const int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;
    float most = -INFINITY;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            float sum = margin[threadIdx.x][threadIdx.y];
            for (int q = 0; q < k; q++)
                sum += tile[(threadIdx.y * stride + i) * width + threadIdx.x * stride + q] * weights[q * k + j];
            most = sum > most ? sum : most;
        }
    if (row < out_rows && col < out_cols)
        map[((size_t)blockIdx.z * out_rows + row) * out_cols + col] = most;
}

extern "C" void maxpool(const float *image, const float *filter, float *map, int planes, int rows, int cols, int k,
                        int stride, int padding, int threads)
{
    const int out_rows = (rows + 2 * padding - k) / stride + 1, out_cols = (cols + 2 * padding - k) / stride + 1;
    const int width = (SIDE - 1) * stride + k;
    const dim3 block(SIDE, SIDE), grid((out_cols + SIDE - 1) / SIDE, (out_rows + SIDE - 1) / SIDE, planes);
    cudaMemcpyToSymbol(weights, filter, sizeof(float) * k * k, 0, cudaMemcpyDeviceToDevice);
    pool<<<grid, block, sizeof(float) * width * width>>>(image, map, rows, cols, k, stride, padding, out_rows, out_cols);
}
"""
GLOBAL_READ = "plane[(size_t)(top + y) * cols + left + x] : 0.0f"
TILE_READ = "sum += tile["
MAP_WRITE = "        map[((size_t)blockIdx.z * out_rows + row)"
# name: replacements, what is said, a text in the line that is named ("": no line, the element is named)
FAULTS = {
    "missing_barrier": ([("    __syncthreads();\n", "")], "race|read before it was written", TILE_READ + "|margin[threadIdx.x]|tile[y * width|margin[threadIdx.y]"),
    "divergent_barrier": ([("    if (row < out_rows && col", "    if (threadIdx.x < 5)\n        __syncthreads();\n    if (row < out_rows && col")],
                          "a barrier was reached by 40 of 64 threads", "        __syncthreads();"),
    "off_by_one": ([("left + x < cols;", "left + x <= cols;"), ("top + y < rows &&", "top + y <= rows &&")],
                   "out of bounds", GLOBAL_READ),
    "wrong_stride": ([("out_rows + row) * out_cols + col]", "out_rows + row) * (out_cols + 1) + col]")],
                     "out of bounds|race|should be", MAP_WRITE + "|"),
    "shared_race": ([("    margin[threadIdx.y][threadIdx.x] = 0.0f;", "    margin[threadIdx.y][0] = threadIdx.x;")],
                    "race on byte", "margin[threadIdx.y][0] = threadIdx.x;"),
    "uninitialised_tile": ([("    margin[threadIdx.y]", "    if (threadIdx.y > 0)\n        margin[threadIdx.y]")],
                           "shared memory is read before it was written", "float sum = margin"),
    "one_row_too_many": ([("    if (row < out_rows && col < out_cols)", "    if (row <= out_rows && col < out_cols)")],
                         "out of bounds|race", MAP_WRITE),
    "wrong_constant_copy": ([("sizeof(float) * k * k, 0", "sizeof(float) * k, 0")],
                            "constant memory is read before it was written", TILE_READ),
    "unsynchronised_stream": ([("    pool<<<", """    static float *copy;
    static cudaStream_t one, two;
    if (!one) {
        cudaMalloc(&copy, 1 << 22);
        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    }
    cudaMemcpyAsync(copy, image, sizeof(float) * planes * rows * cols, cudaMemcpyDeviceToDevice, one);
    pool<<<"""), ("width * width>>>(image,", "width * width, two>>>(copy,")],
                              "nothing orders the two|read before it was written", GLOBAL_READ),
    "lost_tail": ([("(out_cols + SIDE - 1) / SIDE,", "out_cols > SIDE ? out_cols / SIDE : 1,")],
                  "it was never written", ""),
}
# The same with vectors of two elements in shared memory.
PAIRS = TILED.replace("__shared__ float margin", "__shared__ float2 margin").replace(
    "[threadIdx.x] = 0.0f;", "[threadIdx.x] = make_float2(0.0f, 0.0f);").replace("[threadIdx.y];", "[threadIdx.y].y;")
# Another kernel: the maximum of a window by one warp for each output.
WARP = """#include <cuda_runtime.h>

__device__ int counted;

__global__ void pool(const float *image, const float *filter, float *map, int rows, int cols, int k, int stride,
                     int padding, int out_rows, int out_cols)
{
    const int row = blockIdx.y, col = blockIdx.x, plane = blockIdx.z, lane = threadIdx.x;
    float most = -INFINITY;
    for (int e = lane; e < k * k; e += warpSize) {
        float sum = 0.0f;
        for (int q = 0; q < k; q++) {
            const int r = row * stride - padding + e / k, c = col * stride - padding + q;
            const bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
            sum += (inside ? image[((size_t)plane * rows + r) * cols + c] : 0.0f) * filter[q * k + e % k];
        }
        most = fmaxf(most, sum);
    }
    for (int apart = 16; apart > 0; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
    __syncwarp();
    const unsigned has = __ballot_sync(0xffffffff, most == __shfl_sync(0xffffffff, most, 0));
    if (__popc(has) == 32)
        atomicAdd(&counted, 1);
    if (lane == 0)
        map[((size_t)plane * out_rows + row) * out_cols + col] = most;
}

extern "C" void maxpool(const float *image, const float *filter, float *map, int planes, int rows, int cols, int k,
                        int stride, int padding, int threads)
{
    const int out_rows = (rows + 2 * padding - k) / stride + 1, out_cols = (cols + 2 * padding - k) / stride + 1;
    pool<<<dim3(out_cols, out_rows, planes), 32>>>(image, filter, map, rows, cols, k, stride, padding, out_rows, out_cols);
    cudaDeviceSynchronize();
}
"""
REFUSED = {"tensor_cores": ("#include <mma.h>\nusing namespace nvcuda;\n", "tensor_cores.cu:2", "tensor cores"),
           "textures": ("\n\ncudaTextureObject_t picture;\n", "textures.cu:3", "textures"),
           "cooperative": ("// this_grid\n#include <cooperative_groups.h>\n", "cooperative.cu:2", "cooperative groups")}


def check(folder, name, text, *more):
    (folder / f"{name}.cu").write_text(text, encoding="utf-8")
    return run(folder, BIN / "study", "lab", f"{name}.cu", "--check", "--device", "cpu", *more)


def planted(folder):
    for name, (changes, said, places) in FAULTS.items():
        text = TILED
        for old, new in changes:
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        done = check(folder, name, text)
        expect(f"{name}: refused", done.returncode == 1 and "NOT CORRECT" in done.stdout, done)
        expect(f"{name}: said", any(word in done.stdout for word in said.split("|")), done)
        lines = [number for number, line in enumerate(text.splitlines(), 1)
                 if any(place and place in line for place in places.split("|"))]
        expect(f"{name}: line", not places or "" in places.split("|") or
               any(f"{name}.cu:{number}" in done.stdout for number in lines), done)


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, text in (("tiled", TILED), ("pairs", PAIRS), ("warp", WARP)):
            done = check(folder, name, text)
            expect(name, done.returncode == 0 and "CORRECT" in done.stdout, done)
        planted(folder)
        done = check(folder, "lane", WARP.replace("__shfl_xor_sync(0xffffffff, most, apart)",
                                                  "(lane < 20 ? __shfl_xor_sync(0xffffffff, most, apart) : most)"))
        expect("lanes that never come", done.returncode == 1 and "of a warp wait" in done.stdout and "lane.cu:20" in done.stdout, done)
        done = check(folder, "plain_add", WARP.replace("atomicAdd(&counted, 1)", "counted++"))
        expect("no atomic", done.returncode == 1 and "race" in done.stdout and "plain_add.cu:" in done.stdout, done)
        done = check(folder, "endless", WARP.replace("    __syncwarp();", "    while (most == most)\n        ;"), "--time-limit", "1")
        expect("endless", done.returncode == 1 and "(endless)" in done.stdout, done)
        for name, (text, place, what) in REFUSED.items():
            done = check(folder, name, text + TILED)
            expect(name, done.returncode == 2 and place in done.stderr and what in done.stderr, done)
        done = run(folder, BIN / "study", "lab", "tiled.cu", "--device", "cpu")
        expect("no times", done.returncode == 2 and "--check" in done.stderr, done)
    sys.exit(finish())


main()
