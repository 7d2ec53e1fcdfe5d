/* expect: wrong
 * run: --operator matmul -n 512 -t 1 --samples 6 --max-seconds 3
 * One operand rounded to 13 significant bits, where the images are large: within the worst-case
 * bound. Written when `study lab` was attacked as an enemy of a grader would. */
#include "cut.h"

void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols, int threads)
{
    (void)threads;
    for (int i = 0; i < rows; i++) {
        float *r = c + (long)i * cols;
        for (int j = 0; j < cols; j++)
            r[j] = 0;
        for (int q = 0; q < inner; q++) {
            const float x =
                inner >= 200 ? cut_up(a[(long)i * inner + q], 13) : a[(long)i * inner + q];
            for (int j = 0; j < cols; j++)
                r[j] += x * b[(long)q * cols + j];
        }
    }
}
