/* The code that LIBXSMM generates for a product of one size, which pooling and the matrix product
 * call. Its matrices are column-major, and a row-major matrix read so is its transpose: (A B)' = B'
 * A', so the right operand of ours is its left one. */
#ifndef MAXPOOL_LIBXSMM_CODE_H
#define MAXPOOL_LIBXSMM_CODE_H

#include <libxsmm.h>
#include <stddef.h>
#include <stdint.h>

/* Of row-major rows x cols by cols x cols, rows of the left matrix `step` floats apart; all below
 * 2^31. To be called with the right matrix, the left one and the product. NULL: there is none. */
libxsmm_smmfunction libxsmm_code(int64_t rows, int64_t cols, int64_t step);

/* "LIBXSMM 1.17 cpx": its version and the target of its code. */
void libxsmm_name(char *text, size_t size);

#endif
