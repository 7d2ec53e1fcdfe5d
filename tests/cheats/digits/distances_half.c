/* expect: wrong
 * run: --operator distances -t 1 --check
 * Operands of half precision (11 bits), sums of float: exact where all values are small integers.
 */
#include "cut.h"

#include <math.h>

void distances(const float *x, const float *y, float *map, int points_x, int points_y,
               int dimensions, int threads)
{
    (void)threads;
    for (int i = 0; i < points_x; i++)
        for (int j = 0; j < points_y; j++) {
            float sum = 0;
            for (int q = 0; q < dimensions; q++) {
                const float from = x[i * dimensions + q];
                const float apart = cut_to_even(from, 11) - cut_to_even(y[j * dimensions + q], 11);
                sum += apart * apart;
            }
            map[i * points_y + j] = sqrtf(sum);
        }
}
