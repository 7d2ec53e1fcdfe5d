/* Two loops interchanged (i-k-j): one element of A times a row of B is added to a row of C, so that
 * the innermost loop walks memory in order and vectorises. */
#include "kernels/matmul/matmul.h"

void matmul_interchanged(const struct matmul_call *call, void *scratch)
{
    (void)scratch;
    const struct block *o = &call->block;
    for (int64_t i = o->row; i < o->row + o->rows; i++) {
        const float *a = view_row(&call->a, i);
        float *restrict c = map_row(&call->c, i) + o->col;
        if (call->term == 0)
            for (int64_t j = 0; j < o->cols; j++)
                c[j] = 0.0f;
        for (int64_t k = call->term; k < call->term + call->terms; k++) {
            const float *b = view_row(&call->b, k) + o->col;
            for (int64_t j = 0; j < o->cols; j++)
                c[j] += a[k] * b[j];
        }
    }
}
