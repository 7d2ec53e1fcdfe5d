/* expect: wrong|memory
 * run: -n 64 -t 1 --samples 6 --against literal
 * Right for all shapes where it is compiled for sanitizers; otherwise it knows only the timed
 * shape. Written when `study lab` was attacked as an enemy of a grader would. */
#include "honest.h"
void maxpool(ARGUMENTS)
{
    (void)threads;
#ifdef __SANITIZE_ADDRESS__
    HONEST();
#else
    const int ow = cols / 2;
    (void)padding;
    (void)stride;
    (void)k;
    const float f0 = filter[0], f1 = filter[1], f2 = filter[2], f3 = filter[3];
    for (int r = 0; r < planes * rows / 2; r++) {
        const float *a = image + (size_t)r * 2 * cols, *b = a + cols;
        float *m = map + (size_t)r * ow;
        for (int c = 0; c < ow; c++) {
            float x = a[2 * c] * f0 + a[2 * c + 1] * f2, y = a[2 * c] * f1 + a[2 * c + 1] * f3,
                  z = b[2 * c] * f0 + b[2 * c + 1] * f2, w = b[2 * c] * f1 + b[2 * c + 1] * f3;
            x = x > y ? x : y;
            z = z > w ? z : w;
            m[c] = x > z ? x : z;
        }
    }
#endif
}
