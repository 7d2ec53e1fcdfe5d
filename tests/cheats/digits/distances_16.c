/* expect: wrong, fewer digits
 * run: --operator distances -n 128 -t 1 --samples 6 --max-seconds 3
 * The points of X rounded to 16 significant bits, where the images are large: within the worst-case
 * bound. Written when `study lab` was attacked as an enemy of a grader would. */
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
                const float apart =
                    (points_x >= 100 ? cut_up(from, 16) : from) - y[j * dimensions + q];
                sum += apart * apart;
            }
            map[i * points_y + j] = sqrtf(sum);
        }
}
