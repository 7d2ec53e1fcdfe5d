/* El producto de matrices C = A * B.
 *
 *     study lab ARCHIVO --operator matmul       revisa esta función y después la mide
 *
 * Los arreglos. Fila por fila, un float tras otro:
 *
 *     a   rows * inner elementos; el elemento (i, q) es a[i * inner + q]
 *     b   inner * cols elementos; el elemento (q, j) es b[q * cols + j]
 *     c   rows * cols elementos; los escribe todos esta función: c[i * cols + j] es la suma sobre q
 *         de a[i * inner + q] * b[q * cols + j]
 *
 * Puedes leer a y b, pero no escribir en ellos. Las sumas pueden hacerse en cualquier orden.
 *
 * A la vez pueden ejecutarse como máximo `threads` hilos. Esta primera versión usa uno. */
#include <stddef.h>

void matmul(const float *a, const float *b, float *c, int rows, int inner, int cols, int threads)
{
    (void)threads;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float sum = 0.0f;
            for (int q = 0; q < inner; q++)
                sum += a[(size_t)i * inner + q] * b[(size_t)q * cols + j];
            c[(size_t)i * cols + j] = sum;
        }
}
