/* Batches of square matrices no wider than a vector, each with a B of its own: what is looked up
 * for a product elsewhere would take longer than these. As libraries generate code for a size, the
 * compiler does for all that there are. Included once per instruction set. */
#ifndef MAXPOOL_MATMUL_SQUARE_H
#define MAXPOOL_MATMUL_SQUARE_H

#include "kernels/matmul/matmul.h"
#include "kernels/matmul/tile.h"

/* The widest: all of its sums stay in registers. */
enum { SQUARE_MOST = LANES };

#define SQUARE_VECTOR vec
#include "kernels/matmul/square_tile.h"
#if VECTOR_EIGHT
#define SQUARE_VECTOR vec8
#include "kernels/matmul/square_tile.h"
#endif

/* n is a constant wherever this is inlined; wider ones than this set takes never come here. */
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

/* Whether the call is of whole square matrices, rows one behind the other. */
TILE_INLINE bool are_squares(const struct matmul_call *call)
{
    const int64_t n = call->inner;
    return n <= SQUARE_MOST && call->block.planes > 1 && call->block.rows == n &&
           call->block.cols == n && call->terms == n && call->a.row_stride == n &&
           call->b.row_stride == n && call->c.row_stride == n;
}

static void multiply_squares(const struct matmul_call *call)
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

#endif
