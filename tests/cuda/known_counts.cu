/* Counts with known answers: kernels of a few lines, whose requests, sectors, bank conflicts and
 * splits follow from the definition of each. */
#include "cuda/emulation/counts.h"
#include "cuda/emulation/emulation.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <string>

enum { SIDE = 32, ELEMENTS = 1 << 16 };

static int failures;

static void expect(const char *kernel, const char *what, int64_t got, int64_t expected)
{
    if (got == expected)
        return;
    printf("FAILED: %s: %s: %lld, expected %lld\n", kernel, what, (long long)got,
           (long long)expected);
    failures++;
}

static float *in, *out;

/* Counts one launch. */
template <class KERNEL, class... ARGUMENTS>
static emulation_counts count(KERNEL *kernel, dim3 grid, dim3 block, ARGUMENTS... arguments)
{
    emulation_counts c;
    emulation_count_begin();
    emulation_configure(kernel, grid, block)(arguments...);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("FAILED: %s\n", emulation_fault());
        failures++;
    }
    emulation_count_end(&c);
    return c;
}

static const counted_requests &reads(const emulation_counts &c)
{
    return c.requests[COUNTED_GLOBAL][COUNTED_READ];
}

static const counted_requests &writes(const emulation_counts &c)
{
    return c.requests[COUNTED_GLOBAL][COUNTED_WRITE];
}

/* ---- global memory ---- */

static __global__ void copy(const float *from, float *to, int shift, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[shift + i * stride];
}

/* 32 lanes of 4 bytes are 128 bytes: 4 sectors of 32. 4 blocks of 8 warps. */
static void copies()
{
    const emulation_counts c = count(copy, 4, 256, in, out, 0, 1);
    expect("copy", "warps", c.warps, 32);
    expect("copy", "read requests", reads(c).requests, 32);
    expect("copy", "sectors read", reads(c).sectors, 32 * 4);
    expect("copy", "sectors needed", reads(c).least_sectors, 32 * 4);
    expect("copy", "sectors written", writes(c).sectors, 32 * 4);
    expect("copy", "different sectors", c.distinct_sectors[COUNTED_READ], 32 * 4);
    expect("copy", "splits", c.splits, 0);
    expect("copy", "lanes", c.active_lanes, 32 * c.steps);
    /* 4 bytes further, each request begins in one sector and ends in a fifth. */
    const emulation_counts shifted = count(copy, 4, 256, in, out, 1, 1);
    expect("shifted copy", "sectors read", reads(shifted).sectors, 32 * 5);
    expect("shifted copy", "sectors needed", reads(shifted).least_sectors, 32 * 4);
    /* Neighbouring requests share a sector, so there are 32 x 4 and the last one. */
    expect("shifted copy", "different sectors", shifted.distinct_sectors[COUNTED_READ], 32 * 4 + 1);
}

/* Lanes `stride` elements apart: stride times the sectors, up to one for each lane. */
static void strided_reads()
{
    for (int stride : {2, 3, 4, 5, 8, 9, 32}) {
        const emulation_counts c = count(copy, 1, 32, in, out, 0, stride);
        char name[32];
        snprintf(name, sizeof name, "stride %d", stride);
        expect(name, "sectors read", reads(c).sectors, stride < 8 ? 4 * stride : 32);
        expect(name, "sectors needed", reads(c).least_sectors, 4);
        expect(name, "sectors written", writes(c).sectors, 4);
    }
}

static __global__ void same_element(const float *from, float *to)
{
    to[threadIdx.x] = from[7];
}

static __global__ void copy_fours(const float4 *from, float4 *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

static void wide_and_narrow()
{
    const emulation_counts one = count(same_element, 1, 32, in, out);
    expect("one element", "sectors read", reads(one).sectors, 1);
    expect("one element", "sectors needed", reads(one).least_sectors, 1);
    const emulation_counts wide = count(copy_fours, 1, 32, reinterpret_cast<const float4 *>(in),
                                        reinterpret_cast<float4 *>(out));
    expect("float4", "read requests", reads(wide).requests, 1);
    expect("float4", "bytes", reads(wide).lane_bytes, 512);
    expect("float4", "sectors read", reads(wide).sectors, 16);
}

/* ---- shared memory ---- */

template <int PITCH> static __global__ void transpose(const float *from, float *to)
{
    static __shared__ float tile[SIDE * PITCH];
    tile[threadIdx.y * PITCH + threadIdx.x] = from[threadIdx.y * SIDE + threadIdx.x];
    __syncthreads();
    to[threadIdx.y * SIDE + threadIdx.x] = tile[threadIdx.x * PITCH + threadIdx.y];
}

/* Column after column of a tile of 32 x 32: 32 different words in one bank, 31 wavefronts more than
 * one. With a pitch of 33 they are in 32 banks. */
static void transposes()
{
    const emulation_counts c = count(transpose<SIDE>, 1, dim3(SIDE, SIDE), in, out);
    const counted_requests &loads = c.requests[COUNTED_SHARED][COUNTED_READ],
                           &stores = c.requests[COUNTED_SHARED][COUNTED_WRITE];
    expect("transpose", "loads", loads.requests, SIDE);
    expect("transpose", "wavefronts of loads", loads.wavefronts, SIDE * 32);
    expect("transpose", "wavefronts needed", loads.least_wavefronts, SIDE);
    expect("transpose", "wavefronts of stores", stores.wavefronts, SIDE);
    expect("transpose", "barriers", c.barriers, 1);
    expect("transpose", "shared bytes", c.static_shared_bytes, 4 * SIDE * SIDE);
    const emulation_counts padded = count(transpose<SIDE + 1>, 1, dim3(SIDE, SIDE), in, out);
    expect("padded transpose", "wavefronts of loads",
           padded.requests[COUNTED_SHARED][COUNTED_READ].wavefronts, SIDE);
}

template <int STEP> static __global__ void spread(const float *from, float *to)
{
    static __shared__ float words[32 * STEP];
    words[threadIdx.x * STEP] = from[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = words[threadIdx.x * STEP] + words[0];
}

/* Words `STEP` apart are in 32 / gcd(32, STEP) banks; one word for all lanes is no conflict. */
template <int STEP> static void spread_by(int conflict)
{
    const emulation_counts c = count(spread<STEP>, 1, 32, in, out);
    char name[32];
    snprintf(name, sizeof name, "words %d apart", STEP);
    expect(name, "wavefronts of loads", c.requests[COUNTED_SHARED][COUNTED_READ].wavefronts,
           conflict + 1);
    expect(name, "wavefronts of stores", c.requests[COUNTED_SHARED][COUNTED_WRITE].wavefronts,
           conflict);
}

static __global__ void shared_pairs(const float *from, float *to)
{
    alignas(8) static __shared__ float words[2 * 32];
    words[threadIdx.x] = from[threadIdx.x];
    words[32 + threadIdx.x] = 1.0f;
    __syncthreads();
    const float2 pair = reinterpret_cast<const float2 *>(words)[threadIdx.x];
    to[threadIdx.x] = pair.x + pair.y;
}

static void pairs_in_shared_memory()
{
    const emulation_counts c = count(shared_pairs, 1, 32, in, out);
    const counted_requests &loads = c.requests[COUNTED_SHARED][COUNTED_READ];
    expect("pairs", "loads", loads.requests, 1);
    expect("pairs", "wavefronts", loads.wavefronts, 2);
    expect("pairs", "wavefronts needed", loads.least_wavefronts, 2);
}

/* ---- divergence ---- */

/* The compiler must think that this changes the number and memory: it neither unrolls the loop nor
 * joins the ways of a branch. */
static inline void keep(int &number)
{
    asm volatile("" : "+r"(number) : : "memory");
}

static __global__ void two_ways(const float *from, float *to)
{
    int i = threadIdx.x;
    if (i & 1) {
        to[i] = from[i];
    } else {
        to[ELEMENTS / 2 + i] = 1.0f;
        keep(i);
    }
    to[ELEMENTS / 4 * 3 + i] = 1.0f;
}

/* A warp goes both ways with 16 lanes each, and on with 32. */
static void two_ways_part()
{
    const emulation_counts c = count(two_ways, 1, 64, in, out);
    expect("two ways", "splits", c.splits, 2);
    expect("two ways", "write requests", writes(c).requests, 2 * 3);
    expect("two ways", "lanes that write", writes(c).lanes, 2 * (16 + 16 + 32));
    expect("two ways", "read requests", reads(c).requests, 2);
    expect("two ways", "lanes that read", reads(c).lanes, 2 * 16);
}

static __global__ void triangle(float *to)
{
    const int lane = threadIdx.x;
    for (int i = 0; i < lane; i++) {
        keep(i);
        to[i * 32 + lane] = 1.0f;
    }
    to[32 * 32 + lane] = 2.0f;
}

/* Lane n stores n times: 31 requests of 31, 30, .. 1 lanes, and then one of all. Each of the 31
 * ends of the loop parts the lanes that go on from those that do not; the last lane is alone. */
static void loops_of_each_length()
{
    const emulation_counts c = count(triangle, 1, 32, out);
    expect("triangle", "write requests", writes(c).requests, 31 + 1);
    expect("triangle", "lanes that write", writes(c).lanes, 31 * 32 / 2 + 32);
    expect("triangle", "splits", c.splits, 31);
}

static __global__ void in_turn(const float *from, float *to)
{
    const int lane = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        keep(i);
        if ((i + lane) & 1)
            to[i * 32 + lane] = from[i * 32 + lane];
    }
}

/* In each of 8 steps the other half of the lanes stores. They are not put together with those of
 * the step before, although a lane's first store may be in the second step. */
static void lanes_in_turn()
{
    const emulation_counts c = count(in_turn, 1, 32, in, out);
    expect("in turn", "write requests", writes(c).requests, 8);
    expect("in turn", "lanes that write", writes(c).lanes, 8 * 16);
    expect("in turn", "splits", c.splits, 8);
}

static __global__ void part_of_a_warp(float *to)
{
    to[threadIdx.x] = 1.0f;
}

static void partial_warps()
{
    const emulation_counts c = count(part_of_a_warp, 1, 40, out);
    expect("40 threads", "warps", c.warps, 2);
    expect("40 threads", "write requests", writes(c).requests, 2);
    expect("40 threads", "sectors written", writes(c).sectors, 4 + 1);
    expect("40 threads", "splits", c.splits, 0);
}

/* ---- lines ---- */

static void lines_have_places()
{
    counted_line lines[64];
    const emulation_counts c = count(copy, 1, 32, in, out, 0, 8);
    const int64_t n = emulation_count_lines(lines, 64);
    int64_t sectors = 0;
    for (int64_t i = 0; i < n; i++) {
        sectors += lines[i].requests[COUNTED_GLOBAL][COUNTED_READ].sectors;
        expect(lines[i].place, "is in this file",
               std::string(lines[i].place).find("known_counts.cu:") != std::string::npos, 1);
    }
    expect("lines", "sectors of all lines", sectors, reads(c).sectors);
}

int main()
{
    emulation_watch(true);
    cudaMalloc(&in, ELEMENTS * sizeof(float));
    cudaMalloc(&out, ELEMENTS * sizeof(float));
    cudaMemset(in, 0, ELEMENTS * sizeof(float));
    copies();
    strided_reads();
    wide_and_narrow();
    transposes();
    spread_by<1>(1);
    spread_by<2>(2);
    spread_by<3>(1);
    spread_by<4>(4);
    spread_by<6>(2);
    spread_by<32>(32);
    pairs_in_shared_memory();
    two_ways_part();
    loops_of_each_length();
    lanes_in_turn();
    partial_warps();
    lines_have_places();
    return failures > 0;
}
