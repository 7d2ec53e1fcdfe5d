/* How the kernels of convolution by pairs of tiles copy a step: weights (filters x terms) into the
 * tile `a`, and windows (terms x pixels), which are packed from the image, into the tile `b`.
 *
 * Where a term's element is, as seen from the first element of a window, is the same for all
 * pixels. So some threads compute it, a step ahead, for a table in shared memory. And whether a
 * place of a window is in the image is the same for all channels. */
#ifndef MAXPOOL_CUDA_CONV_COPIES_CUH
#define MAXPOOL_CUDA_CONV_COPIES_CUH

#include "cuda/kernels/conv_terms.cuh"
#include "cuda/kernels/copy_async.cuh"

/* An entry of the table: a term's element, `offset` floats after the first of a window. `bit` is
 * that of its place in the window, or 0 if there is no such term. */
template <int SIZE, class INT> struct alignas(2 * sizeof(INT)) window_tap {
    INT offset;
    unsigned bit;

    __device__ __forceinline__ void set(const struct conv_task &t, const struct term<INT> &at,
                                        bool there)
    {
        offset = there ? at.channel * (INT)t.in.channel + at.i * (INT)t.in.row + at.j : 0;
        bit = there ? 1u << (at.i * SIZE + at.j) : 0;
    }
};

/* The same for windows of any size, whose places may be too many for bits. */
template <class INT> struct alignas(16) window_tap<ANY_SIZE, INT> {
    INT offset;
    int i, j;
    bool there;

    __device__ __forceinline__ void set(const struct conv_task &t, const struct term<INT> &at,
                                        bool exists)
    {
        offset = exists ? at.channel * (INT)t.in.channel + at.i * (INT)t.in.row + at.j : 0;
        i = at.i;
        j = at.j;
        there = exists;
    }
};

/* Which places of a pixel's window are in the image. */
template <int SIZE, class INT> struct window_places {
    unsigned inside; /* a bit for each */

    __device__ __forceinline__ window_places(const struct conv_task &t, const struct pixel<INT> &p,
                                             bool there)
        : inside(0)
    {
#pragma unroll
        for (int i = 0; i < SIZE; i++)
#pragma unroll
            for (int j = 0; j < SIZE; j++)
                if (there && is_below(p.top + i, t.in_rows) && is_below(p.left + j, t.in_cols))
                    inside |= 1u << (i * SIZE + j);
    }

    __device__ __forceinline__ bool have(const struct conv_task &,
                                         const struct window_tap<SIZE, INT> &tap) const
    {
        return (inside & tap.bit) != 0;
    }
};

template <class INT> struct window_places<ANY_SIZE, INT> {
    INT top, left;
    bool there;

    __device__ __forceinline__ window_places(const struct conv_task &, const struct pixel<INT> &p,
                                             bool exists)
        : top(p.top), left(p.left), there(exists)
    {
    }

    __device__ __forceinline__ bool have(const struct conv_task &t,
                                         const struct window_tap<ANY_SIZE, INT> &tap) const
    {
        const bool in_rows = is_below(top + tap.i, t.in_rows);
        const bool in_cols = is_below(left + tap.j, t.in_cols);
        return there & tap.there & in_rows & in_cols; /* one after the other would be branches */
    }
};

/* Weights in global memory. */
struct transferred_weights {
    static constexpr enum filter_memory MEMORY = FILTER_TRANSFERRED;

    static __device__ __forceinline__ float at(const float *weights, int64_t place)
    {
        return weights[place];
    }
};

/* What a thread copies. It has one pixel, and adjacent terms of it. */
template <int THREADS, int SIZE, class WEIGHTS, class TILES, class INT> struct conv_copies {
    typedef struct window_tap<SIZE, INT> taps[TILES::TERMS];
    static constexpr int EACH = TILES::TERMS * TILES::COLS / THREADS;
    /* More positions of 64 bits at a time would be spilled. */
    static constexpr int AT_ONCE = sizeof(INT) == 8 ? 1 : EACH;
    static constexpr bool ROWS_SERVE =
        WEIGHTS::MEMORY == FILTER_TRANSFERRED && row_copies<THREADS, TILES>::SERVE;
    struct window_places<SIZE, INT> places;
    const float *window; /* its first element, perhaps outside the image */
    struct row_copies<THREADS, TILES> rows;
    INT whole; /* before this term, `rows` copies the weights: in whole steps, of aligned rows */

    /* first_filter: the tile's, of its group. p: the thread's pixel, if it is there. */
    __device__ __forceinline__ conv_copies(const struct conv_task &t, const float *image,
                                           const float *weights,
                                           const struct term_piece<INT> &piece, INT first_filter,
                                           const struct pixel<INT> &p, bool there, int thread)
        : places(t, p, there),
          window(image + (p.image + piece.group * (INT)t.depth * (INT)t.in.channel +
                          p.top * (INT)t.in.row + p.left)),
          rows(WEIGHTS::MEMORY == FILTER_TRANSFERRED
                   ? weights +
                         ((piece.group * (INT)t.filters + first_filter) * piece.all + piece.first)
                   : weights,
               piece.all, (INT)t.filters - 1 - first_filter, thread)
    {
        const bool aligned = piece.all % 4 == 0 && (uintptr_t)weights % 16 == 0;
        whole = aligned ? piece.end - (piece.end - piece.first) % TILES::TERMS : piece.first;
    }

    /* Sets the table of the step of terms from q0 on. */
    static __device__ __forceinline__ void set_taps(taps &to, const struct conv_task &t,
                                                    const struct term_piece<INT> &piece, INT q0)
    {
        const int thread = thread_anew();
        if (thread < TILES::TERMS)
            to[thread].set(t, term_of<SIZE, INT>(t, q0 + thread), q0 + thread < piece.end);
    }

    /* Copies weights one by one. Neighbouring threads copy neighbouring terms. */
    static __device__ __forceinline__ void fetch_weights(TILES &to, const struct conv_task &t,
                                                         const float *weights,
                                                         const struct term_piece<INT> &piece,
                                                         INT first_filter, INT q0, int thread)
    {
#pragma unroll 1 /* the addresses of all weights would take the registers of the sums */
        for (int number = thread; number < TILES::ROWS * TILES::TERMS; number += THREADS) {
            const int row = number / TILES::TERMS, term = number % TILES::TERMS;
            const INT filter = first_filter + row, q = q0 + term;
            const bool in_range = filter < (INT)t.filters && q < piece.end;
            const INT place = (piece.group * (INT)t.filters + filter) * piece.all + q;
            if (WEIGHTS::MEMORY == FILTER_TRANSFERRED)
                copy_begin<1>(&to.a[row][term], in_range ? &weights[place] : weights, in_range);
            else
                to.a[row][term] = in_range ? WEIGHTS::at(weights, place) : 0.0f;
        }
    }

    /* Copies AT_ONCE adjacent terms of the pixel. Their places are read before the copies, in few
     * pieces. */
    __device__ __forceinline__ void fetch_windows(TILES &to, const taps &table,
                                                  const struct conv_task &t, int first, int thread)
    {
        struct window_tap<SIZE, INT> own[AT_ONCE];
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++)
            own[n] = table[first + n];
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++)
            copy_begin<1>(&to.b[first + n][thread % TILES::COLS], window + own[n].offset,
                          places.have(t, own[n]));
    }

    /* Starts to copy the step of terms from q0 on, whose table is complete. */
    __device__ __forceinline__ void fetch(TILES &to, const taps &table, const struct conv_task &t,
                                          const float *weights, const struct term_piece<INT> &piece,
                                          INT first_filter, INT q0)
    {
        const int thread = thread_anew(), first = thread / TILES::COLS * EACH;
        if (ROWS_SERVE && q0 < whole)
            rows.fetch(to, rows.place_of(thread));
        else
            fetch_weights(to, t, weights, piece, first_filter, q0, thread);
#pragma unroll 1 /* narrow positions: once */
        for (int m = first; m < first + EACH; m += AT_ONCE)
            fetch_windows(to, table, t, m, thread);
    }
};

#endif
