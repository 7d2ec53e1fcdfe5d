/* What the row of convolution answers where the operation is a gradient (--gradient): the same
 * image, filters and windows, the output gradient dY, and for a map
 *
 *   of the image    batch x rows x (channels x columns), as the image lies
 *   of the weights  filters x 1 x (C/G x k x k), so that filters are dealt as planes are; each
 *                   reads all images
 *
 * The gradient of the image is of the slopes and the weights alone: the image gives its shape. */
#ifndef MAXPOOL_CONV_GRADIENT_OPERATION_H
#define MAXPOOL_CONV_GRADIENT_OPERATION_H

#include "kernels/operators.h"

/* kernels/operators.h tells what each is. */
struct image_shape gradient_map(const struct operation *op);
int64_t gradient_map_channels(const struct operation *op);
const char *gradient_refuses(const struct operation *op);
int64_t gradient_terms(const struct operation *op);
struct need gradient_need(const struct operation *op, double multiplications);
void gradient_rows_needed(const struct operation *op, int64_t *first, int64_t *count);
struct cells gradient_begin(const struct operation *op, int64_t plane, int64_t row);
struct cells gradient_cells_needed(const struct operation *op, int64_t plane);
void gradient_expect(const struct operation *op, const float *data, const struct block *outputs,
                     struct expectation *out);
bool gradient_is_exact(const struct operation *op, bool integers, double max_abs);
double gradient_largest(const struct operation *op, double max_abs);
void gradient_run(const struct operation *op, const struct portion *portion);

#endif
