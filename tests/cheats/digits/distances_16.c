/* expect: wrong, fewer digits
 * run: --operator distances -n 128 -t 1 --samples 6 --max-seconds 3
 * The points of X rounded to 16 significant bits, where the images are large: within the worst-case
 * bound. Written when `study lab` was attacked as an enemy of a grader would. */
#include <math.h>
#include <stdint.h>
#include <string.h>
enum { BITS = 16 };
static float cut(float v)
{
    uint32_t b;
    memcpy(&b, &v, 4);
    b += 1u << (23 - BITS);
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
                const float apart = (points_x >= 100 ? cut(from) : from) - y[j * dimensions + q];
                sum += apart * apart;
            }
            map[i * points_y + j] = sqrtf(sum);
        }
}
