/* From the starter, step 1: windows inside the image need no test of their elements, and a k that
 * the compiler knows lets it unroll the loops and keep sums in registers. The ladder's `fused`.
 * docs/lab.md explains the steps. */
#include <stddef.h>

/* The largest element of the product; the window's rows begin at `window`, `apart` elements apart.
 */
static inline float largest(const float *window, size_t apart, const float *filter, int k)
{
    float most = 0.0f;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            float sum = 0.0f;
            for (int q = 0; q < k; q++)
                sum += window[i * apart + q] * filter[q * k + j];
            if ((i == 0 && j == 0) || sum > most)
                most = sum;
        }
    return most;
}

static float inside(const float *window, size_t apart, const float *filter, int k)
{
    switch (k) {
    case 2:
        return largest(window, apart, filter, 2);
    case 3:
        return largest(window, apart, filter, 3);
    default:
        return largest(window, apart, filter, k);
    }
}

/* At the border: elements outside the image are 0. */
static float border(const float *plane, const float *filter, int rows, int cols, int k, int top,
                    int left)
{
    float most = 0.0f;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            const int row = top + i;
            float sum = 0.0f;
            for (int q = 0; q < k; q++)
                if (row >= 0 && row < rows && left + q >= 0 && left + q < cols)
                    sum += plane[(size_t)row * cols + left + q] * filter[q * k + j];
            if ((i == 0 && j == 0) || sum > most)
                most = sum;
        }
    return most;
}

void maxpool(const float *image, const float *filter, float *map, int planes, int rows, int cols,
             int k, int stride, int padding, int threads)
{
    const int out_rows = (rows + 2 * padding - k) / stride + 1;
    const int out_cols = (cols + 2 * padding - k) / stride + 1;
#pragma omp parallel for collapse(2) num_threads(threads)
    for (int p = 0; p < planes; p++)
        for (int r = 0; r < out_rows; r++)
            for (int c = 0; c < out_cols; c++) {
                const float *plane = image + (size_t)p * rows * cols;
                const int top = r * stride - padding, left = c * stride - padding;
                const int within = top >= 0 && left >= 0 && top + k <= rows && left + k <= cols;
                map[((size_t)p * out_rows + r) * out_cols + c] =
                    within ? inside(plane + (size_t)top * cols + left, (size_t)cols, filter, k)
                           : border(plane, filter, rows, cols, k, top, left);
            }
}
