/* Convolution of images of several channels with a bank of filters, as neural networks use it: the
 * filter is not mirrored.
 *
 *     study lab FILE --operator conv          checks this function, then measures it
 *
 * The arrays. Row by row, plane by plane, one float after the other:
 *
 *     image    batch * channels planes of rows * cols elements
 *     weights  filters * channels planes of k * k elements
 *     map      batch * filters planes of out_rows * out_cols elements, all of which you write,
 * where out_rows = (rows + 2 * padding - k) / stride + 1, and out_cols likewise
 *
 * An output is the sum over all channels, and over the k * k elements of the window, of image
 * element times weight. The window of output (r, c) begins at row r * stride - padding and column
 * c * stride - padding. Elements outside the image count as 0. You may read image and weights, and
 * not write them. Sums may be added in any order.
 *
 * At most `threads` threads may run at once. This first version uses one. */
#include <stddef.h>

/* The sum of one window of one channel with one plane of weights. */
static float window(const float *plane, const float *weights, int rows, int cols, int k, int top,
                    int left)
{
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            const int row = top + i, col = left + j;
            if (row >= 0 && row < rows && col >= 0 && col < cols)
                sum += plane[(size_t)row * cols + col] * weights[i * k + j];
        }
    return sum;
}

/* One output: all channels of an image with one filter. */
static float output(const float *image, const float *filter, int channels, int rows, int cols,
                    int k, int top, int left)
{
    float sum = 0.0f;
    for (int c = 0; c < channels; c++)
        sum += window(image + (size_t)c * rows * cols, filter + (size_t)c * k * k, rows, cols, k,
                      top, left);
    return sum;
}

void conv(const float *image, const float *weights, float *map, int batch, int channels, int rows,
          int cols, int filters, int k, int stride, int padding, int threads)
{
    const int out_rows = (rows + 2 * padding - k) / stride + 1;
    const int out_cols = (cols + 2 * padding - k) / stride + 1;
    (void)threads;
    for (int n = 0; n < batch; n++)
        for (int f = 0; f < filters; f++)
            for (int r = 0; r < out_rows; r++)
                for (int c = 0; c < out_cols; c++)
                    map[(((size_t)n * filters + f) * out_rows + r) * out_cols + c] =
                        output(image + (size_t)n * channels * rows * cols,
                               weights + (size_t)f * channels * k * k, channels, rows, cols, k,
                               r * stride - padding, c * stride - padding);
}
