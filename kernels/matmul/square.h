/* Batches of square matrices that are no wider than a vector, or have one of some common sizes. The
 * decisions that the general code takes for each product would take longer than the smallest of
 * these products, and a tenth of the time of larger ones. So the compiler generates code for each
 * size, as libraries do. Included once per instruction set. */
#ifndef MAXPOOL_MATMUL_SQUARE_H
#define MAXPOOL_MATMUL_SQUARE_H

#include "kernels/matmul/in_place.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/tile.h"

/* The largest size whose sums all stay in registers, one vector per row. */
enum { SQUARE_MOST = LANES };

#define SQUARE_VECTOR vec
#include "kernels/matmul/square_tile.h"
#if VECTOR_EIGHT
#define SQUARE_VECTOR vec8
#include "kernels/matmul/square_tile.h"
#endif

/* n is a constant wherever this is inlined. Sizes above SQUARE_MOST never occur at run time. */
TILE_INLINE void squares_of(const struct matmul_call *call, int n)
{
    if (n > SQUARE_MOST)
        return;
#if VECTOR_EIGHT
    if (n <= 8) {
        squares_vec8(call, n);
        return;
    }
#endif
    squares_vec(call, n);
}

/* ---- wider squares -----------------------------------------------------------------------------
 */

/* Multiplies all rows by one micro-panel of B, in tiles of near-equal height. n, and what follows
 * from it, is a constant wherever this is inlined. */
TILE_INLINE void micro_panel_of_square(struct place p, int n, int vectors, bool whole)
{
    const int parts = (n + TILE_ROWS - 1) / TILE_ROWS, high = (n + parts - 1) / parts;
    const int of_high = n - parts * (high - 1);
    for (int i = 0; i < of_high; i++, p.a += high * n, p.c += high * n)
        tile_in_place(&p, high, vectors, whole);
    for (int i = of_high; i < parts; i++, p.a += (high - 1) * n, p.c += (high - 1) * n)
        tile_in_place(&p, high - 1, vectors, whole);
}

TILE_INLINE void wide_square(const float *a, const float *b, float *c, int n)
{
    enum { EVERY = TILE_COLS };
    struct place p = {a, b, c, n, n, n, n, n, false};
    for (; p.cols >= EVERY; p.cols -= EVERY, p.b += EVERY, p.c += EVERY)
        micro_panel_of_square(p, n, TILE_VECTORS, true);
    p.cols = n % EVERY;
    if (n % EVERY > LANES)
        micro_panel_of_square(p, n, TILE_VECTORS, false);
    else if (n % EVERY > 0)
        micro_panel_of_square(p, n, 1, false);
}

TILE_INLINE void wide_squares(const struct matmul_call *call, int n)
{
    for (int64_t plane = 0; plane < call->block.planes; plane++)
        wide_square(call->a.data + plane * call->a.plane_stride,
                    call->b.data + plane * call->b.plane_stride,
                    call->c.data + plane * call->c.plane_stride, n);
}

static void multiply_wide_squares(const struct matmul_call *call)
{
    switch (call->inner) {
    case 24:
        wide_squares(call, 24);
        break;
    case 32:
        wide_squares(call, 32);
        break;
    case 40:
        wide_squares(call, 40);
        break;
    case 48:
        wide_squares(call, 48);
        break;
    case 56:
        wide_squares(call, 56);
        break;
    default:
        wide_squares(call, 64);
    }
}

/* Whether the call multiplies whole square matrices of a size that has its own code, with
 * contiguous rows. */
TILE_INLINE bool are_squares(const struct matmul_call *call)
{
    const int64_t n = call->inner;
    const bool known = n <= SQUARE_MOST || (n % 8 == 0 && n >= 24 && n <= 64);
    return known && call->block.planes > 1 && call->block.rows == n && call->block.cols == n &&
           call->terms == n && call->a.row_stride == n && call->b.row_stride == n &&
           call->c.row_stride == n;
}

static void multiply_narrow_squares(const struct matmul_call *call)
{
    switch (call->inner) {
    case 1:
        squares_of(call, 1);
        break;
    case 2:
        squares_of(call, 2);
        break;
    case 3:
        squares_of(call, 3);
        break;
    case 4:
        squares_of(call, 4);
        break;
    case 5:
        squares_of(call, 5);
        break;
    case 6:
        squares_of(call, 6);
        break;
    case 7:
        squares_of(call, 7);
        break;
    case 8:
        squares_of(call, 8);
        break;
    case 9:
        squares_of(call, 9);
        break;
    case 10:
        squares_of(call, 10);
        break;
    case 11:
        squares_of(call, 11);
        break;
    case 12:
        squares_of(call, 12);
        break;
    case 13:
        squares_of(call, 13);
        break;
    case 14:
        squares_of(call, 14);
        break;
    case 15:
        squares_of(call, 15);
        break;
    default:
        squares_of(call, 16);
    }
}

static void multiply_squares(const struct matmul_call *call)
{
    if (call->inner <= SQUARE_MOST)
        multiply_narrow_squares(call);
    else
        multiply_wide_squares(call);
}

#endif
