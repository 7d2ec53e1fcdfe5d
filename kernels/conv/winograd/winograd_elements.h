/* The transform of tiles of 4 x 4 elements, shared by the forward `winograd` and that of the weight
 * gradient. Included once per instruction set. */
#ifndef MAXPOOL_CONV_WINOGRAD_ELEMENTS_H
#define MAXPOOL_CONV_WINOGRAD_ELEMENTS_H

#include "kernels/conv/windows.h"
#include "kernels/conv/winograd/winograd_tiles.h"

/* Computes B' d B of LANES tiles. */
WINDOWS_INLINE void transform_elements(const vec d[4][4], vec out[TILE_ELEMENTS])
{
    vec t[4][4];
    for (int j = 0; j < 4; j++) {
        t[0][j] = vec_subtract(d[0][j], d[2][j]);
        t[1][j] = vec_add(d[1][j], d[2][j]);
        t[2][j] = vec_subtract(d[2][j], d[1][j]);
        t[3][j] = vec_subtract(d[1][j], d[3][j]);
    }
    for (int i = 0; i < 4; i++) {
        out[i * 4] = vec_subtract(t[i][0], t[i][2]);
        out[i * 4 + 1] = vec_add(t[i][1], t[i][2]);
        out[i * 4 + 2] = vec_subtract(t[i][2], t[i][1]);
        out[i * 4 + 3] = vec_subtract(t[i][1], t[i][3]);
    }
}

#endif
