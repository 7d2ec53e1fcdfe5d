/* Convolución de imágenes de varios canales con un banco de filtros, como la usan las redes
 * neuronales: el filtro no se refleja.
 *
 *     study lab ARCHIVO --operator conv       revisa esta función y después la mide
 *
 * Los arreglos. Fila por fila, plano por plano, un float tras otro:
 *
 *     image    batch * channels planos de rows * cols elementos
 *     weights  filters * channels planos de k * k elementos
 *     map      batch * filters planos de out_rows * out_cols elementos; los escribe todos esta
 *              función, donde out_rows = (rows + 2 * padding - k) / stride + 1, y out_cols de igual
 *              manera
 *
 * Una salida es la suma, sobre todos los canales y los k * k elementos de la ventana, de elemento
 * de la imagen por peso. La ventana de la salida (r, c) empieza en la fila r * stride - padding y
 * la columna c * stride - padding. Los elementos fuera de la imagen cuentan como 0. Puedes leer
 * image y weights, pero no escribir en ellos. Las sumas pueden hacerse en cualquier orden.
 *
 * A la vez pueden ejecutarse como máximo `threads` hilos. Esta primera versión usa uno. */
#include <stddef.h>

/* La suma de una ventana de un canal con un plano de pesos. */
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

/* Una salida: todos los canales de una imagen con un filtro. */
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
