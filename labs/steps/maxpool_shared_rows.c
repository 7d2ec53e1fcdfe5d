/* From the starter, step 3: overlapping windows share work. Row i of a window's product depends on
 * row i of the window alone, so the largest of its k elements is the same for all windows that have
 * this row at this column. It is computed once per image row, LANES columns at a time as in step 2;
 * an output is then the largest of k of them in consecutive rows. The ladder's `shared_rows`.
 * docs/lab.md explains the steps. */
#include <stddef.h>
#include <stdlib.h>

enum { LANES = 16 };

/* LANES neighbouring outputs whose elements are all inside the image: for each, the largest of the
 * k products of one image row with the columns of the filter. */
static inline void inside(const float *row, const float *filter, float *largest, int k, int stride)
{
    float most[LANES];
    for (int j = 0; j < k; j++) {
        float sum[LANES] = {0.0f};
        for (int q = 0; q < k; q++)
#pragma omp simd
            for (int l = 0; l < LANES; l++)
                sum[l] += row[(size_t)(l * stride + q)] * filter[q * k + j];
#pragma omp simd
        for (int l = 0; l < LANES; l++)
            most[l] = j == 0 || sum[l] > most[l] ? sum[l] : most[l];
    }
    for (int l = 0; l < LANES; l++)
        largest[l] = most[l];
}

/* One output at the border: elements outside the image are 0. */
static float border(const float *row, const float *filter, int cols, int k, int left)
{
    float most = 0.0f;
    for (int j = 0; j < k; j++) {
        float sum = 0.0f;
        for (int q = 0; q < k; q++)
            if (left + q >= 0 && left + q < cols)
                sum += row[left + q] * filter[q * k + j];
        if (j == 0 || sum > most)
            most = sum;
    }
    return most;
}

/* The same for all output columns of one image row. */
static void row_products(const float *row, const float *filter, float *largest, int cols, int k,
                         int stride, int padding, int out_cols)
{
    for (int c = 0; c < out_cols;) {
        const int left = c * stride - padding;
        if (c + LANES <= out_cols && left >= 0 && left + (LANES - 1) * stride + k <= cols) {
            if (stride == 1) /* a constant: the lanes are contiguous */
                inside(row + left, filter, largest + c, k, 1);
            else
                inside(row + left, filter, largest + c, k, stride);
            c += LANES;
        } else {
            largest[c] = border(row, filter, cols, k, left);
            c++;
        }
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
