/* expect: wrong
 * run: --operator conv -t 1 --check
 * Operands of TF32 (11 bits), sums of float: exact where all values are small integers. */
#include "cut.h"

void conv(const float *image, const float *weights, float *map, int batch, int channels, int rows,
          int cols, int filters, int k, int stride, int padding, int threads)
{
    const int high = (rows + 2 * padding - k) / stride + 1,
              wide = (cols + 2 * padding - k) / stride + 1;
    (void)threads;
    for (int n = 0; n < batch; n++)
        for (int f = 0; f < filters; f++)
            for (int y = 0; y < high; y++)
                for (int x = 0; x < wide; x++) {
                    float sum = 0;
                    for (int c = 0; c < channels; c++)
                        for (int i = 0; i < k; i++)
                            for (int j = 0; j < k; j++) {
                                const int row = y * stride - padding + i,
                                          col = x * stride - padding + j;
                                if (row < 0 || row >= rows || col < 0 || col >= cols)
                                    continue;
                                const float v =
                                    image[((long)(n * channels + c) * rows + row) * cols + col];
                                sum += cut_to_even(v, 11) *
                                       cut_to_even(
                                           weights[((long)(f * channels + c) * k + i) * k + j], 11);
                            }
                    map[((long)(n * filters + f) * high + y) * wide + x] = sum;
                }
}
