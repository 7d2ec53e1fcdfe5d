/* The definition: every element of C is one dot product (i-j-k). B is walked down its columns, one
 * cache line per term. */
#include "kernels/matmul/matmul.h"

void matmul_naive(const struct matmul_call *call, void *scratch)
{
    (void)scratch;
    const struct block *o = &call->block;
    for (int64_t i = o->row; i < o->row + o->rows; i++) {
        const float *a = view_row(&call->a, i);
        float *c = map_row(&call->c, i);
        for (int64_t j = o->col; j < o->col + o->cols; j++) {
            float sum = call->term == 0 ? 0.0f : c[j];
            for (int64_t k = call->term; k < call->term + call->terms; k++)
                sum += a[k] * view_row(&call->b, k)[j];
            c[j] = sum;
        }
    }
}
