/* expect: wrong
 * run: --operator conv -n 16 -t 1 --samples 8 --max-seconds 3 --against literal
 * Computes with whole numbers only. */
void conv(const float *image, const float *weights, float *map, int batch, int channels, int rows,
          int cols, int filters, int k, int stride, int padding, int threads)
{
    const int high = (rows + 2 * padding - k) / stride + 1,
              wide = (cols + 2 * padding - k) / stride + 1;
    (void)threads;
    for (long x = 0; x < (long)batch * filters * high * wide; x++) {
        const long image_number = x / wide / high / filters, filter = x / wide / high % filters;
        const int top = (int)(x / wide % high) * stride - padding,
                  left = (int)(x % wide) * stride - padding;
        long sum = 0;
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < k; i++)
                for (int j = 0; j < k; j++)
                    if (top + i >= 0 && top + i < rows && left + j >= 0 && left + j < cols)
                        sum += (long)image[((image_number * channels + c) * rows + top + i) * cols +
                                           left + j] *
                               (long)weights[((filter * channels + c) * k + i) * k + j];
        map[x] = (float)sum;
    }
}
