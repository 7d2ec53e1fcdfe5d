/* What the kernels of the matrix product by tiles in two pairs of buffers have in common: they copy
 * the next pair of tiles from global to shared memory while they multiply this one. And they sum
 * all terms, or a piece of them (split-K).
 *
 * TILES has the arrays a[ROWS][...] and b[TERMS][...], the latter of COLS columns, and the numbers
 * ROWS, COLS and TERMS of a step. */
#ifndef MAXPOOL_CUDA_PRODUCT_FETCH_CUH
#define MAXPOOL_CUDA_PRODUCT_FETCH_CUH

#include "cuda/kernels/copy_async.cuh"
#include "cuda/kernels/skeleton.cuh"

/* What a block sums of a product whose terms are cut: a piece of a plane's terms, from `first` on.
 * 32 bits are enough for a grid's planes. */
struct product_piece {
    unsigned plane, number;
    int64_t first;
};

/* Returns the block's plane of the grid. It is read anew wherever it is asked for, because the
 * registers have no space to keep what follows from it while the block multiplies. */
static __device__ __forceinline__ unsigned plane_of_grid()
{
#ifdef __CUDA_ARCH__
    unsigned plane;
    asm volatile("mov.u32 %0, %%ctaid.z;\n" : "=r"(plane));
    return plane;
#else
    return blockIdx.z;
#endif
}

static __device__ __forceinline__ struct product_piece piece_of_block(const struct product_task &t)
{
    const unsigned number = (unsigned)t.first_piece + plane_of_grid();
    const unsigned plane = number / (unsigned)t.pieces;
    const unsigned piece = number - plane * (unsigned)t.pieces;
    return {plane, piece, piece * t.piece_terms};
}

/* Numbers of terms. Those of a piece are below 2^31, or no device would hold the operands, and the
 * registers have no space for more bits. */
template <bool IN_PIECES> struct term_count {
    typedef int64_t type;
};
template <> struct term_count<true> {
    typedef int32_t type;
};

/* Returns the terms that a block sums, and its product: of one plane and, if the terms are cut,
 * from the piece's first term on. Its C is then the piece's part of the sums, and only the first
 * piece records the threads. */
template <bool IN_PIECES>
static __device__ __forceinline__ typename term_count<IN_PIECES>::type
terms_of_block(const struct product_task &t)
{
    typedef typename term_count<IN_PIECES>::type count;
    if (!IN_PIECES)
        return (count)t.inner;
    const int64_t left = t.inner - piece_of_block(t).first;
    return (count)(left < t.piece_terms ? left : t.piece_terms);
}

template <bool IN_PIECES>
static __device__ __forceinline__ struct product_task product_of_block(const struct product_task &t)
{
    if (!IN_PIECES)
        return plane_of(t, plane_of_grid());
    const struct product_piece piece = piece_of_block(t);
    struct product_task own = plane_of(t, piece.plane);
    own.a += piece.first;
    own.b_first += piece.first * t.cols;
    own.c = t.parts + (piece.number * t.piece_stride + piece.plane * t.c_plane);
    if (piece.number > 0)
        own.places = NULL;
    return own;
}

/* Copy a portion `number` of the tile of A, and of B, whose terms begin at q0. A portion has
 * ELEMENTS elements. */
template <int ELEMENTS, class TILES>
static __device__ __forceinline__ void fetch_a(TILES &to, const struct product_task &t,
                                               int64_t terms, int64_t q0, int number)
{
    const int row = number / (TILES::TERMS / ELEMENTS);
    const int term = number % (TILES::TERMS / ELEMENTS) * ELEMENTS;
    const int64_t r = (int64_t)blockIdx.y * TILES::ROWS + row, q = q0 + term;
    const bool in_range = r < t.rows && q < terms;
    copy_begin<ELEMENTS>(&to.a[row][term], in_range ? &t.a[r * t.inner + q] : t.a, in_range);
}

template <int ELEMENTS, enum filter_memory MEMORY, class TILES>
static __device__ __forceinline__ void fetch_b(TILES &to, const struct product_task &t,
                                               int64_t terms, int64_t q0, int number)
{
    const int term = number / (TILES::COLS / ELEMENTS);
    const int col = number % (TILES::COLS / ELEMENTS) * ELEMENTS;
    const int64_t q = q0 + term, c = (int64_t)blockIdx.x * TILES::COLS + col;
    const bool in_range = q < terms && c < t.cols;
    if (MEMORY == FILTER_TRANSFERRED)
        copy_begin<ELEMENTS>(&to.b[term][col], in_range ? &t.b[t.b_first + q * t.cols + c] : t.b,
                             in_range);
    else
        for (int i = 0; i < ELEMENTS; i++)
            to.b[term][col + i] =
                in_range ? filter_at<MEMORY>(t.b, t.b_first + q * t.cols + c + i) : 0.0f;
}

template <int THREADS, int ELEMENTS, enum filter_memory MEMORY, class TILES>
static __device__ __forceinline__ void fetch_portions(TILES &to, const struct product_task &t,
                                                      int64_t terms, int64_t q0, int thread)
{
    constexpr int OF_A = TILES::ROWS * TILES::TERMS / ELEMENTS;
    constexpr int OF_B = TILES::COLS * TILES::TERMS / ELEMENTS;
#pragma unroll 1 /* the addresses of all portions would take the registers of the sums */
    for (int number = thread; number < (OF_A > OF_B ? OF_A : OF_B); number += THREADS) {
        if (OF_A >= OF_B || number < OF_A)
            fetch_a<ELEMENTS>(to, t, terms, q0, number);
        if (OF_B >= OF_A || number < OF_B)
            fetch_b<ELEMENTS, MEMORY>(to, t, terms, q0, number);
    }
}

/* Copy a pair of which terms, rows and columns may be missing. If inner and cols are multiples of
 * 4, rows are aligned to 16 bytes, and so are planes and the pieces of the terms. */
template <int THREADS, enum filter_memory MEMORY, class TILES>
static __device__ __forceinline__ void fetch_pair(TILES &to, const struct product_task &t,
                                                  int64_t terms, int64_t q0, int thread)
{
    if (t.inner % 4 == 0 && t.cols % 4 == 0)
        fetch_portions<THREADS, 4, MEMORY>(to, t, terms, q0, thread);
    else
        fetch_portions<THREADS, 1, MEMORY>(to, t, terms, q0, thread);
}

/* What a thread copies of every pair of tiles whose terms all exist. Of B it copies four columns,
 * and moves its pointer from step to step. Columns beyond the last ones are replaced by these:
 * their sums are not stored. */
template <int THREADS, filter_memory MEMORY, class TILES> struct whole_tiles {
    static constexpr int FOURS = TILES::COLS / 4; /* of a row of B */
    static constexpr bool SERVE = MEMORY == FILTER_TRANSFERRED &&
                                  row_copies<THREADS, TILES>::SERVE &&
                                  TILES::TERMS * FOURS >= THREADS;
    static constexpr int EACH = SERVE ? TILES::TERMS * FOURS / THREADS : 1;
    static constexpr int DOWN = TILES::TERMS / EACH; /* rows of B that are copied at a time */
    row_copies<THREADS, TILES> rows;
    const float *b;
    int to_a, to_b; /* positions in the tiles */
    int64_t on;     /* from rows of B to those that are copied next */

    static __device__ __forceinline__ int64_t first_row()
    {
        return (int64_t)blockIdx.y * TILES::ROWS;
    }

    __device__ __forceinline__ whole_tiles(const struct product_task &t, int thread)
        : rows(t.a + first_row() * t.inner, t.inner, t.rows - 1 - first_row(), thread),
          to_a(rows.place_of(thread)), on(DOWN * t.cols)
    {
        constexpr int ROW = sizeof(TILES::b[0]) / sizeof(float);
        const int row = thread / FOURS, col = 4 * (thread % FOURS);
        const int64_t c = (int64_t)blockIdx.x * TILES::COLS + col;
        to_b = row * ROW + col;
        b = SERVE ? t.b + (t.b_first + row * t.cols + (c < t.cols ? c : t.cols - 4)) : t.b;
    }

    /* Starts to copy the next pair. */
    __device__ __forceinline__ void fetch(TILES &tiles)
    {
        constexpr int ROW = sizeof(TILES::b[0]) / sizeof(float);
        rows.fetch(tiles, to_a);
#pragma unroll
        for (int n = 0; n < EACH; n++) {
            copy_four(&tiles.b[0][0] + to_b + DOWN * ROW * n, b);
            b += on;
        }
    }
};

/* Copies the pairs of tiles of a block one after the other. Steps are numbered by 32 bits: no
 * device holds operands of more. */
template <int THREADS, filter_memory MEMORY, bool IN_PIECES, class TILES> struct tile_copies {
    whole_tiles<THREADS, MEMORY, TILES> whole;
    int steps;       /* that the block's terms take */
    int whole_steps; /* those before the last one where rows, planes and pieces are aligned to 16
                      * bytes, and that one too if all of its terms exist */

    __device__ __forceinline__ explicit tile_copies(const struct product_task &all)
        : whole(product_of_block<IN_PIECES>(all), thread_anew())
    {
        const int64_t terms = terms_of_block<IN_PIECES>(all);
        const bool serve = whole.SERVE && all.inner % 4 == 0 && all.cols % 4 == 0;
        steps = (int)((terms + TILES::TERMS - 1) / TILES::TERMS);
        whole_steps = serve ? (int)(terms / TILES::TERMS) : 0;
    }

    /* Starts to copy the pair of that step, if there is one. */
    __device__ __forceinline__ void fetch(TILES &to, const struct product_task &all, int step)
    {
        if (step < whole_steps)
            whole.fetch(to);
        else if (step < steps)
            fetch_pair<THREADS, MEMORY>(to, product_of_block<IN_PIECES>(all),
                                        terms_of_block<IN_PIECES>(all),
                                        (int64_t)step * TILES::TERMS, thread_anew());
    }
};

#endif
