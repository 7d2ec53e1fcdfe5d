/* Max pooling por un producto: para cada ventana W de la imagen, la matriz W * F, de k x k
 * elementos, y de ellos el mayor. F es el filtro, una matriz de k x k.
 *
 *     study lab ARCHIVO       revisa esta función y después la mide
 *
 * Los arreglos. Fila por fila, un float tras otro:
 *
 *     image   planes * rows * cols elementos; el elemento (p, r, c) es
 *             image[(p * rows + r) * cols + c]
 *     filter  k * k elementos; el elemento (i, j) es filter[i * k + j]
 *     map     planes * out_rows * out_cols elementos; los escribe todos esta función, donde
 *             out_rows = (rows + 2 * padding - k) / stride + 1, y out_cols de igual manera
 *
 * La ventana de la salida (r, c) empieza en la fila r * stride - padding y la columna c * stride -
 * padding de la imagen. Los elementos fuera de la imagen cuentan como 0. Puedes leer image y
 * filter, pero no escribir en ellos.
 *
 * A la vez pueden ejecutarse como máximo `threads` hilos. Esta primera versión usa uno. */
#include <stddef.h>

/* El elemento (row, col) de un plano, o 0 fuera de él. */
static float element(const float *plane, int rows, int cols, int row, int col)
{
    if (row < 0 || row >= rows || col < 0 || col >= cols)
        return 0.0f;
    return plane[(size_t)row * cols + col];
}

/* El mayor elemento del producto de una ventana con el filtro. */
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
