/* expect: wrong
 * run: --operator matmul -t 1 --check
 * Operands of half precision (11 bits), sums of float: exact where all values are small integers.
 */
#include <stdint.h>
#include <string.h>
enum { BITS = 11 };
/* Rounds to BITS significant bits, to even. */
static float cut(float v)
{
    uint32_t b;
    memcpy(&b, &v, 4);
    b += (1u << (23 - BITS)) - 1 + (b >> (24 - BITS) & 1);
    b &= ~((1u << (24 - BITS)) - 1);
    memcpy(&v, &b, 4);
    return v;
}

void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols, int threads)
{
    (void)threads;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float sum = 0.0f;
            for (int q = 0; q < inner; q++)
                sum += cut(a[(long)i * inner + q]) * cut(b[(long)q * cols + j]);
            c[(long)i * cols + j] = sum;
        }
}
