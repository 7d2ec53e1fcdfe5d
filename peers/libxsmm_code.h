/* The code that LIBXSMM generates for a product of one size, which pooling and the matrix product
 * call. LIBXSMM's matrices are column-major. A row-major matrix read as column-major is its
 * transpose, and (A B)' = B' A', so our right operand is LIBXSMM's left one. */
#ifndef MAXPOOL_LIBXSMM_CODE_H
#define MAXPOOL_LIBXSMM_CODE_H

#include <libxsmm.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the code for a row-major product, rows x inner by inner x cols, with the left matrix's
 * rows `step` floats apart, or NULL if there is none; all sizes are below 2^31. Call it with the
 * right matrix, the left one and the product. */
libxsmm_smmfunction libxsmm_code(int64_t rows, int64_t inner, int64_t cols, int64_t step);

/* Writes "LIBXSMM 1.17 cpx": its version and the target of its code. */
void libxsmm_name(char *text, size_t size);

#endif
