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

static __device__ __forceinline__ struct product_piece piece_of_block(const struct product_task &t)
{
    const unsigned number = (unsigned)t.first_piece + blockIdx.z;
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
        return plane_of(t, blockIdx.z);
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
static __device__ __forceinline__ void fetch_pair(TILES &to, const struct product_task &t,
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

/* If inner and cols are multiples of 4, rows are aligned to 16 bytes, and so are planes and the
 * pieces of the terms. */
template <int THREADS, enum filter_memory MEMORY, class TILES>
static __device__ __forceinline__ void fetch(TILES &to, const struct product_task &t, int64_t terms,
                                             int64_t q0, int thread)
{
    if (t.inner % 4 == 0 && t.cols % 4 == 0)
        fetch_pair<THREADS, 4, MEMORY>(to, t, terms, q0, thread);
    else
        fetch_pair<THREADS, 1, MEMORY>(to, t, terms, q0, thread);
}

#endif
