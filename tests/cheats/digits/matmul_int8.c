/* expect: wrong
 * run: --operator matmul -n 96 -t 1 --samples 8 --max-seconds 3 --against packed
 * Keeps the second operand in 8 bits, as whole numbers. */
#include <stdint.h>
#include <stdlib.h>
void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols, int threads)
{
    int8_t *whole = malloc((size_t)inner * (size_t)cols);
    (void)threads;
    for (long i = 0; i < (long)inner * cols; i++)
        whole[i] = (int8_t)b[i];
    for (int i = 0; i < rows; i++) {
        float *r = c + (long)i * cols;
        for (int j = 0; j < cols; j++)
            r[j] = 0;
        for (int q = 0; q < inner; q++)
            for (int j = 0; j < cols; j++)
                r[j] += a[(long)i * inner + q] * (float)whole[(long)q * cols + j];
    }
    free(whole);
}
