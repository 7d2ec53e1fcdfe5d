/* expect: wrong
 * run: --operator matmul -n 512 -t 1 --samples 6 --max-seconds 3
 * Only the second operand rounded, to 16 significant bits, where the matrices are large: the error
 * is a part of what roundings explain. */
#include "cut.h"

void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols, int threads)
{
    (void)threads;
    for (int i = 0; i < rows; i++) {
        float *r = c + (long)i * cols;
        for (int j = 0; j < cols; j++)
            r[j] = 0;
        for (int q = 0; q < inner; q++) {
            const float x = a[(long)i * inner + q];
            for (int j = 0; j < cols; j++) {
                const float y = b[(long)q * cols + j];
                r[j] += x * (inner >= 200 ? cut_up(y, 16) : y);
            }
        }
    }
}
