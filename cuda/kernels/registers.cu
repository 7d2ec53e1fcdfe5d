/* The matrix product with sums in registers. `tiled` is limited by shared memory: it reads two
 * elements for every multiplication. Here each thread has 8 x 8 sums in registers, in a block of 16
 * x 16 threads: 16 elements read serve 64 multiplications. A block computes 128 x 128 elements in
 * steps of 16 terms. While it multiplies one pair of tiles, the next pair is copied into a second
 * pair of buffers.
 *
 * One barrier per step is enough: after it, the copies of all threads have arrived, and no thread
 * still reads the other pair of buffers, into which the next copies go. */
#include "cuda/kernels/copy_async.cuh"
#include "cuda/kernels/skeleton.cuh"

enum {
    TILE = 128,        /* elements of a block, each way */
    TERMS = 16,        /* per step */
    A_ROW = TERMS + 4, /* elements from one row of the tile of A to the next: two rows that a warp
                        * reads at a time are 20 elements apart, in different banks */
    FOURS = TILE * TERMS / 4 /* pieces of 16 bytes in a tile */
};

struct tiles {
    float a[TILE][A_ROW], b[TERMS][TILE];
};

/* Copy piece `number` of the tile of A, and of B, whose terms begin at q0. A piece has ELEMENTS
 * elements. */
template <int ELEMENTS>
static __device__ __forceinline__ void fetch_a(struct tiles &to, const struct product_task &t,
                                               int64_t q0, int number)
{
    const int row = number / (TERMS / ELEMENTS), term = number % (TERMS / ELEMENTS) * ELEMENTS;
    const int64_t r = (int64_t)blockIdx.y * TILE + row, q = q0 + term;
    const bool in_range = r < t.rows && q < t.inner;
    copy_begin<ELEMENTS>(&to.a[row][term], in_range ? &t.a[r * t.inner + q] : t.a, in_range);
}

template <int ELEMENTS, enum filter_memory MEMORY>
static __device__ __forceinline__ void fetch_b(struct tiles &to, const struct product_task &t,
                                               int64_t q0, int number)
{
    const int term = number / (TILE / ELEMENTS), col = number % (TILE / ELEMENTS) * ELEMENTS;
    const int64_t q = q0 + term, c = (int64_t)blockIdx.x * TILE + col;
    const bool in_range = q < t.inner && c < t.cols;
    if (MEMORY == FILTER_TRANSFERRED)
        copy_begin<ELEMENTS>(&to.b[term][col], in_range ? &t.b[t.b_first + q * t.cols + c] : t.b,
                             in_range);
    else
        for (int i = 0; i < ELEMENTS; i++)
            to.b[term][col + i] =
                in_range ? filter_at<MEMORY>(t.b, t.b_first + q * t.cols + c + i) : 0.0f;
}

template <int THREADS, int ELEMENTS, enum filter_memory MEMORY>
static __device__ __forceinline__ void fetch_pair(struct tiles &to, const struct product_task &t,
                                                  int64_t q0, int thread)
{
#pragma unroll 1 /* the addresses of all pieces would take the registers of the sums */
    for (int number = thread; number < 4 / ELEMENTS * FOURS; number += THREADS) {
        fetch_a<ELEMENTS>(to, t, q0, number);
        fetch_b<ELEMENTS, MEMORY>(to, t, q0, number);
    }
}

/* If inner and cols are multiples of 4, rows are aligned to 16 bytes, and so are planes. */
template <int THREADS, enum filter_memory MEMORY>
static __device__ __forceinline__ void fetch(struct tiles &to, const struct product_task &t,
                                             int64_t q0, int thread)
{
    if (t.inner % 4 == 0 && t.cols % 4 == 0)
        fetch_pair<THREADS, 4, MEMORY>(to, t, q0, thread);
    else
        fetch_pair<THREADS, 1, MEMORY>(to, t, q0, thread);
}

static __device__ __forceinline__ void read_four(float *to, const float *from)
{
    const float4 four = *reinterpret_cast<const float4 *>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

/* Row i of a thread is BLOCK rows after row i - 1. Its columns are groups of four, BLOCK groups
 * apart. So a warp reads B contiguously, and one piece of A for all threads of a row. Two terms at
 * a time: the registers have no space for more besides the sums. */
template <int BLOCK, int EACH>
static __device__ __forceinline__ void multiply(float (&sum)[EACH][EACH], const struct tiles &from)
{
#pragma unroll 2
    for (int q = 0; q < TERMS; q += 2) {
        float2 a[EACH];
        for (int i = 0; i < EACH; i++)
            a[i] = *reinterpret_cast<const float2 *>(&from.a[i * BLOCK + threadIdx.y][q]);
#pragma unroll
        for (int p = 0; p < 2; p++) {
            float b[EACH];
            for (int j = 0; j < EACH; j += 4)
                read_four(&b[j], &from.b[q + p][j * BLOCK + 4 * threadIdx.x]);
#pragma unroll
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += (p == 0 ? a[i].x : a[i].y) * b[j];
        }
    }
}

/* Stores four adjacent elements of a row, in one store if rows are aligned to 16 bytes. */
static __device__ __forceinline__ void set_four(const struct product_task &t, int64_t row,
                                                int64_t col, const float *sum)
{
    if (row < t.rows && col < t.cols && t.cols % 4 == 0 && !t.places) {
        *reinterpret_cast<float4 *>(&t.c[row * t.cols + col]) =
            make_float4(sum[0], sum[1], sum[2], sum[3]);
        return;
    }
    for (int p = 0; p < 4; p++)
        if (row < t.rows && col + p < t.cols)
            set_element(t, row, col + p, sum[p]);
}

template <int BLOCK, int EACH>
static __device__ __forceinline__ void set_elements(const struct product_task &t,
                                                    const float (&sum)[EACH][EACH])
{
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j += 4)
            set_four(t, (int64_t)blockIdx.y * TILE + i * BLOCK + threadIdx.y,
                     (int64_t)blockIdx.x * TILE + j * BLOCK + 4 * threadIdx.x, &sum[i][j]);
}

template <int BLOCK, enum filter_memory MEMORY>
static __global__ void __launch_bounds__(BLOCK *BLOCK, BLOCK == 16 ? 2 : 1)
    product_registers(struct product_task all)
{
    const struct product_task t = plane_of(all, blockIdx.z);
    constexpr int EACH = TILE / BLOCK, THREADS = BLOCK * BLOCK;
    alignas(16) static __shared__ struct tiles pairs[2];
    const int thread = threadIdx.y * BLOCK + threadIdx.x;
    float sum[EACH][EACH] = {};
    int now = 0;
    fetch<THREADS, MEMORY>(pairs[0], t, 0, thread);
    for (int64_t q0 = 0; q0 < t.inner; q0 += TERMS) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        if (q0 + TERMS < t.inner)
            fetch<THREADS, MEMORY>(pairs[1 - now], t, q0 + TERMS, thread);
        multiply<BLOCK, EACH>(sum, pairs[now]);
        now = 1 - now;
    }
    set_elements<BLOCK, EACH>(t, sum);
}

template <int BLOCK> static product_kernel *product_of_block(enum filter_memory memory)
{
    return memory == FILTER_CONSTANT ? product_registers<BLOCK, FILTER_CONSTANT>
                                     : product_registers<BLOCK, FILTER_TRANSFERRED>;
}

static product_kernel *product(int64_t block, enum filter_memory memory)
{
    return block == 32 ? product_of_block<32>(memory) : product_of_block<16>(memory);
}

static struct elements_per_thread share(int64_t block, int64_t kernel)
{
    (void)kernel;
    return {TILE / block, TILE / block};
}

HOST_TABLE(cuda_kernels, registers_kernels, {"registers", false, constant_filter_address}, product,
           NULL, NULL, share, NULL);
