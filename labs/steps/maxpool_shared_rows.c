/* From the starter, step 3: overlapping windows share work. Row i of a window's product depends on
 * row i of the window alone, so the largest of its k elements is the same for all windows that have
 * this row at this column. It is computed once per image row; an output is then the largest of k of
 * them in consecutive rows. The ladder's `shared_rows`. docs/lab.md explains the steps. */
#include <stddef.h>
#include <stdlib.h>

/* For each output column: the largest of the k products of one image row with the columns of the
 * filter. */
static void row_products(const float *row, const float *filter, float *largest, int cols, int k,
                         int stride, int padding, int out_cols)
{
    for (int c = 0; c < out_cols; c++)
        for (int j = 0; j < k; j++) {
            float sum = 0.0f;
            for (int q = 0; q < k; q++) {
                const int col = c * stride - padding + q;
                if (col >= 0 && col < cols)
                    sum += row[col] * filter[q * k + j];
            }
            if (j == 0 || sum > largest[c])
                largest[c] = sum;
        }
}

/* One row of the map from the k rows under its windows; rows outside the image have products of
 * 0. */
static void down(const float *products, float *map, int rows, int k, int top, int out_cols)
{
    for (int i = 0; i < k; i++) {
        const int row = top + i;
        const float *from = products + (size_t)row * out_cols;
        for (int c = 0; c < out_cols; c++) {
            const float value = row >= 0 && row < rows ? from[c] : 0.0f;
            map[c] = i == 0 || value > map[c] ? value : map[c];
        }
    }
}

void maxpool(const float *image, const float *filter, float *map, int planes, int rows, int cols,
             int k, int stride, int padding, int threads)
{
    const int out_rows = (rows + 2 * padding - k) / stride + 1;
    const int out_cols = (cols + 2 * padding - k) / stride + 1;
    float *products = malloc((size_t)rows * out_cols * sizeof *products);
    for (int p = 0; p < planes; p++) {
#pragma omp parallel num_threads(threads)
        {
#pragma omp for
            for (int row = 0; row < rows; row++)
                row_products(image + ((size_t)p * rows + row) * cols, filter,
                             products + (size_t)row * out_cols, cols, k, stride, padding, out_cols);
#pragma omp for
            for (int r = 0; r < out_rows; r++)
                down(products, map + ((size_t)p * out_rows + r) * out_cols, rows, k,
                     r * stride - padding, out_cols);
        }
    }
    free(products);
}
