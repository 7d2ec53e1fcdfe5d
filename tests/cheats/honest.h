/* Max pooling without a trick, for cheats that compute only sometimes. */
#ifndef HONEST_H
#define HONEST_H

#include <stddef.h>

#define ARGUMENTS                                                                                  \
    const float *image, const float *filter, float *map, int planes, int rows, int cols, int k,    \
        int stride, int padding, int threads

static inline size_t outputs(int planes, int rows, int cols, int k, int stride, int padding)
{
    return (size_t)planes * ((rows + 2 * padding - k) / stride + 1) *
           ((cols + 2 * padding - k) / stride + 1);
}

/* Output number `index` of the map. */
static inline float one_output(const float *image, const float *filter, size_t index, int rows,
                               int cols, int k, int stride, int padding)
{
    const size_t wide = (size_t)(cols + 2 * padding - k) / stride + 1;
    const size_t high = (size_t)(rows + 2 * padding - k) / stride + 1;
    const float *plane = image + index / (wide * high) * rows * cols;
    const int top = (int)(index / wide % high) * stride - padding;
    const int left = (int)(index % wide) * stride - padding;
    float most = 0.0f;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            float sum = 0.0f;
            for (int q = 0; q < k; q++) {
                const int row = top + i, col = left + q;
                if (row >= 0 && row < rows && col >= 0 && col < cols)
                    sum += plane[(size_t)row * cols + col] * filter[q * k + j];
            }
            most = (i == 0 && j == 0) || sum > most ? sum : most;
        }
    return most;
}

static inline void honest(const float *image, const float *filter, float *map, int planes, int rows,
                          int cols, int k, int stride, int padding)
{
    const size_t count = outputs(planes, rows, cols, k, stride, padding);
    for (size_t i = 0; i < count; i++)
        map[i] = one_output(image, filter, i, rows, cols, k, stride, padding);
}

#define HONEST()  honest(image, filter, map, planes, rows, cols, k, stride, padding)
#define OUTPUTS() outputs(planes, rows, cols, k, stride, padding)

#endif
