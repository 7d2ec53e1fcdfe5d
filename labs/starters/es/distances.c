/* Las distancias euclidianas entre los puntos de X y los de Y.
 *
 *     study lab ARCHIVO --operator distances       revisa esta función y después la mide
 *
 * Los arreglos. Un punto es una fila de `dimensions` floats:
 *
 *     x    points_x * dimensions elementos; la coordenada q del punto i es x[i * dimensions + q]
 *     y    points_y * dimensions elementos, de igual manera
 *     map  points_x * points_y elementos; los escribe todos esta función: map[i * points_y + j] es
 *          la raíz de la suma sobre q del cuadrado de x[i * dimensions + q] - y[j * dimensions + q]
 *
 * Puedes leer x e y, pero no escribir en ellos. Las sumas pueden hacerse en cualquier orden.
 *
 * A la vez pueden ejecutarse como máximo `threads` hilos. Esta primera versión usa uno. */
#include <math.h>
#include <stddef.h>

void distances(const float *x, const float *y, float *map, int points_x, int points_y,
               int dimensions, int threads)
{
    (void)threads;
    for (int i = 0; i < points_x; i++)
        for (int j = 0; j < points_y; j++) {
            float sum = 0.0f;
            for (int q = 0; q < dimensions; q++) {
                const float apart = x[(size_t)i * dimensions + q] - y[(size_t)j * dimensions + q];
                sum += apart * apart;
            }
            map[(size_t)i * points_y + j] = sqrtf(sum);
        }
}
