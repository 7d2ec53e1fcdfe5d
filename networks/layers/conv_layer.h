/* What the two directions of a convolution layer share. */
#ifndef MAXPOOL_LAYERS_CONV_LAYER_H
#define MAXPOOL_LAYERS_CONV_LAYER_H

#include "kernels/method_call.h"
#include "networks/plan.h"

enum { CONV_WEIGHT, CONV_BIAS };

/* The convolution of one image. */
struct conv_shape conv_layer_shape(const struct layer *l);

/* The method of a layer under a plan. */
const struct conv_method *conv_layer_choice(const struct plan *p, const struct layer *l);

/* Rows [row, row + rows) of the outputs of an image; or all rows of several. */
struct conv_rows {
    int64_t image, images;
    int64_t row, rows;
};

/* Where a step's whole input and output of an image lie. */
struct view conv_layer_input(const struct step *s, int64_t image);
struct map_view conv_layer_output(const struct step *s, int64_t image);

/* Computes some rows of all channels of a part, from and to where views say, which hold at least
 * those rows. */
void conv_layer_run(const struct step *s, const struct step_part *part, struct conv_rows r,
                    struct view in, struct map_view out, void *scratch);

/* Packs the weights and copies the biases of a step without a batch norm once more. */
void conv_pack_again(struct step *s, const struct plan *p);

#endif
