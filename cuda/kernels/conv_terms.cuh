/* What a block computes and the terms of an output's sum, for the kernels of convolution by
 * tiles. */
#ifndef MAXPOOL_CUDA_CONV_TERMS_CUH
#define MAXPOOL_CUDA_CONV_TERMS_CUH

#include "cuda/kernels/conv.cuh"

/* What a block computes: of the group, the filters and the pixels from the first ones on. */
template <class INT> struct conv_tile {
    INT group, filter, pixel;
    INT terms; /* of a sum */
};

/* Blocks have FILTERS filters and PIXELS pixels. */
template <int FILTERS, int PIXELS, int SIZE, class INT>
static __device__ __forceinline__ struct conv_tile<INT> conv_tile_of(const struct conv_task &t) {
    const INT k = SIZE == ANY_SIZE ? (INT)t.kernel : SIZE;
    struct conv_tile<INT> tile;
    tile.group = (INT)t.first_plane + (INT)blockIdx.z;
    tile.filter = (INT)t.first_filter + (INT)blockIdx.y * FILTERS;
    tile.pixel = (INT)blockIdx.x * PIXELS;
    tile.terms = (INT)t.depth * k * k;
    return tile;
}

/* The terms that a block sums: from `first` to before `end`, of the group's `all`. */
template <class INT>
struct term_piece {
    INT group, number;
    INT first, end, all;
};

/* 32 bits are enough for planes of a grid, and a 64-bit division is a call that costs registers. */
template <class INT>
static __device__ __forceinline__ struct term_piece<INT> piece_of_block(const struct conv_task &t,
                                                                        INT terms) {
    const unsigned plane = (unsigned)t.first_plane + blockIdx.z;
    const unsigned pieces = t.pieces > 1 ? (unsigned)t.pieces : 1;
    const unsigned group = plane / pieces;
    struct term_piece<INT> piece;
    piece.group = (INT)group;
    piece.number = (INT)(plane - group * pieces);
    piece.first = piece.number * (INT)t.piece_terms;
    piece.end = pieces > 1 && piece.first + (INT)t.piece_terms < terms
                    ? piece.first + (INT)t.piece_terms
                    : terms;
    piece.all = terms;
    return piece;
}

/* Stores an output if the sum has all terms, otherwise the sum of a piece, which another kernel
 * adds. */
template <class INT>
static __device__ __forceinline__ void set_sum(const struct conv_task &t,
                                               const struct term_piece<INT> &piece, INT filter,
                                               const struct pixel<INT> &p, float sum)
{
    if (t.pieces > 1)
        (t.parts + (int64_t)piece.number * t.piece_stride)[p.output + filter * (INT)t.out.channel] =
            sum;
    else
        set_conv<INT>(t, filter, p, sum);
}

/* Element (i, j) of a channel of the group. */
template <class INT> struct term {
    INT channel;
    int i, j;
};

template <int SIZE, class INT>
static __device__ __forceinline__ INT kernels_in(const struct conv_task &t, INT number)
{
    return SIZE == ANY_SIZE ? quotient(number, t.by.kernel)
                            : (INT)((unsigned)number / (SIZE == ANY_SIZE ? 1 : SIZE));
}

template <int SIZE, class INT>
static __device__ __forceinline__ struct term<INT> term_of(const struct conv_task &t, INT number) {
    const INT k = SIZE == ANY_SIZE ? (INT)t.kernel : SIZE;
    const INT line = kernels_in<SIZE, INT>(t, number);
    struct term<INT> out;
    out.j = (int)(number - line * k);
    out.channel = kernels_in<SIZE, INT>(t, line);
    out.i = (int)(line - out.channel * k);
    return out;
}

#endif
