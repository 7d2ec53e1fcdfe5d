/* expect: wrong
 * run: --operator matmul -t 1 --check
 * Operands of half precision (11 bits), sums of float: exact where all values are small integers.
 */
#include "cut.h"

void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols, int threads)
{
    (void)threads;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float sum = 0.0f;
            for (int q = 0; q < inner; q++)
                sum += cut_to_even(a[(long)i * inner + q], 11) *
                       cut_to_even(b[(long)q * cols + j], 11);
            c[(long)i * cols + j] = sum;
        }
}
