/* The matrix product C = A * B.
 *
 *     study lab FILE --operator matmul          checks this function, then measures it
 *
 * The arrays. Row by row, one float after the other:
 *
 *     a   rows * inner elements; element (i, q) is a[i * inner + q]
 *     b   inner * cols elements; element (q, j) is b[q * cols + j]
 *     c   rows * cols elements, all of which you write: c[i * cols + j] is the sum over q of
 *         a[i * inner + q] * b[q * cols + j]
 *
 * You may read a and b, and not write them. Sums may be added in any order.
 *
 * At most `threads` threads may run at once. This first version uses one. */
#include <stddef.h>

void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols, int threads)
{
    (void)threads;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float sum = 0.0f;
            for (int q = 0; q < inner; q++)
                sum += a[(size_t)i * inner + q] * b[(size_t)q * cols + j];
            c[(size_t)i * cols + j] = sum;
        }
}
