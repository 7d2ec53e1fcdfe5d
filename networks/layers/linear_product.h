/* Fully connected layers: y = W x + b for each image, where W is outputs x inputs. Three methods.
 * For few images: dot products along the rows of W in memory order, which are memory-bound. For
 * many: register tiles of outputs x images over packed weights (kernels/matmul/tile.h). Where
 * weights change from step to step: the packed product of images and rows of W in memory order. */
#ifndef MAXPOOL_LAYERS_LINEAR_PRODUCT_H
#define MAXPOOL_LAYERS_LINEAR_PRODUCT_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

struct linear_call {
    int64_t inputs, outputs, images;
    const float *weights; /* outputs x inputs, or packed by linear_pack */
    const float *bias;
    const float *x; /* images x inputs */
    float *y;       /* the first output of the first image */
    int64_t y_step; /* floats from image to image */
};

typedef void linear_function(const struct linear_call *call, void *scratch);
typedef void linear_pack_function(int64_t inputs, int64_t outputs, const float *weights,
                                  float *packed);

ISA_DECLARE(linear_function, linear_dots);
ISA_DECLARE(linear_function, linear_tiles);
ISA_DECLARE(linear_function, linear_rows);
ISA_DECLARE(linear_pack_function, linear_pack);

/* Block sizes of linear_tiles: panels of LINEAR_TERMS terms by LINEAR_IMAGES images, filters in
 * micro-panels. */
enum { LINEAR_TERMS = 384, LINEAR_IMAGES = 320, LINEAR_MICRO_PANEL = 12, LINEAR_IMAGES_STEP = 32 };

#endif
