/* The Euclidean distances between the points of X and those of Y.
 *
 *     study lab FILE --operator distances          checks this function, then measures it
 *
 * The arrays. A point is a row of `dimensions` floats:
 *
 *     x    points_x * dimensions elements; coordinate q of point i is x[i * dimensions + q]
 *     y    points_y * dimensions elements, likewise
 *     map  points_x * points_y elements, all of which you write: map[i * points_y + j] is the
 *          root of the sum over q of the square of x[i * dimensions + q] - y[j * dimensions + q]
 *
 * You may read x and y, and not write them. Sums may be added in any order.
 *
 * At most `threads` threads may run at once. This first version uses one. */
#include <math.h>
#include <stddef.h>

void distances(const float *x, const float *y, float *map, int points_x, int points_y,
               int dimensions, int threads)
{
    (void)threads;
    for (int i = 0; i < points_x; i++)
        for (int j = 0; j < points_y; j++) {
            float sum = 0.0f;
            for (int q = 0; q < dimensions; q++) {
                const float apart = x[(size_t)i * dimensions + q] - y[(size_t)j * dimensions + q];
                sum += apart * apart;
            }
            map[(size_t)i * points_y + j] = sqrtf(sum);
        }
}
