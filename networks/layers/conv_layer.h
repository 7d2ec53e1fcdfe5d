/* What forward and backward convolution layers share. */
#ifndef MAXPOOL_LAYERS_CONV_LAYER_H
#define MAXPOOL_LAYERS_CONV_LAYER_H

#include "kernels/method_call.h"
#include "networks/plan.h"

enum { CONV_WEIGHT, CONV_BIAS };

/* The convolution of one image. */
struct conv_shape conv_layer_shape(const struct layer *l);

/* The method of a layer under a plan. */
const struct conv_method *conv_layer_choice(const struct plan *p, const struct layer *l);

/* Rows [row, row + rows) of the outputs of one image, or all rows of several images. */
struct conv_rows {
    int64_t image, images;
    int64_t row, rows;
};

/* A step's whole input and output for one image. */
struct view conv_layer_input(const struct step *s, int64_t image);
struct map_view conv_layer_output(const struct step *s, int64_t image);

/* Computes rows `r` of all channels of a part. The views contain at least the rows that are read
 * and written. */
void conv_layer_run(const struct step *s, const struct step_part *part, struct conv_rows r,
                    struct view in, struct map_view out, void *scratch);

/* Packs the weights and copies the biases again, for a step without a batch norm. */
void conv_pack_again(struct step *s, const struct plan *p);

#endif
