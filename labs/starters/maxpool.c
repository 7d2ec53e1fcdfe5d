/* Max pooling by a product: for every window W of the image, the k x k matrix W * F, and of its k *
 * k elements the largest. F is the filter, a k x k matrix.
 *
 *     study lab FILE          checks this function, then measures it
 *
 * The arrays. Row by row, one float after the other:
 *
 *     image   planes * rows * cols elements; element (p, r, c) is image[(p * rows + r) * cols + c]
 *     filter  k * k elements; element (i, j) is filter[i * k + j]
 *     map     planes * out_rows * out_cols elements, all of which you write, where
 *             out_rows = (rows + 2 * padding - k) / stride + 1, and out_cols likewise
 *
 * The window of output (r, c) begins at row r * stride - padding and column c * stride - padding of
 * the image. Elements outside the image count as 0. You may read image and filter, and not write
 * them.
 *
 * At most `threads` threads may run at once. This first version uses one. */
#include <stddef.h>

/* Element (row, col) of a plane, or 0 outside it. */
static float element(const float *plane, int rows, int cols, int row, int col)
{
    if (row < 0 || row >= rows || col < 0 || col >= cols)
        return 0.0f;
    return plane[(size_t)row * cols + col];
}

/* The largest element of the product of one window with the filter. */
static float largest(const float *plane, const float *filter, int rows, int cols, int k, int top,
                     int left)
{
    float most = 0.0f;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            float sum = 0.0f;
            for (int q = 0; q < k; q++)
                sum += element(plane, rows, cols, top + i, left + q) * filter[q * k + j];
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
    (void)threads;
    for (int p = 0; p < planes; p++)
        for (int r = 0; r < out_rows; r++)
            for (int c = 0; c < out_cols; c++)
                map[((size_t)p * out_rows + r) * out_cols + c] =
                    largest(image + (size_t)p * rows * cols, filter, rows, cols, k,
                            r * stride - padding, c * stride - padding);
}
