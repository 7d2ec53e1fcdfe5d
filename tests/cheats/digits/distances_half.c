/* expect: wrong
 * run: --operator distances -t 1 --check
 * Operands of half precision (11 bits), sums of float: exact where all values are small integers.
 */
#include <math.h>
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

void distances(const float *x, const float *y, float *map, int points_x, int points_y,
               int dimensions, int threads)
{
    (void)threads;
    for (int i = 0; i < points_x; i++)
        for (int j = 0; j < points_y; j++) {
            float sum = 0;
            for (int q = 0; q < dimensions; q++) {
                const float from = x[i * dimensions + q];
                const float apart = cut(from) - cut(y[j * dimensions + q]);
                sum += apart * apart;
            }
            map[i * points_y + j] = sqrtf(sum);
        }
}
