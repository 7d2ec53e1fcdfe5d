/* A network runs in steps. A step is a layer that computes, together with the layers fused into it:
 * a batch norm folded into its weights, a residual added to its output, a clamp. Fused layers need
 * no separate pass over memory. Steps run one after the other; within a step, the outputs are
 * distributed over the workers. */
#ifndef MAXPOOL_STEP_H
#define MAXPOOL_STEP_H

#include "harness/space/shares.h"
#include "kernels/conv/shape.h"
#include "kernels/isa.h"
#include "networks/network.h"

#include <stddef.h>

/* How a step's outputs are distributed over workers. Every output sums the same terms in the same
 * order, whoever computes it, so that the bits do not depend on the distribution. */
enum partitioning {
    PARTITION_ROWS,    /* rows of all images, in groups of `align` */
    PARTITION_PLANES,  /* channels of all images */
    PARTITION_CHANNELS /* each worker has the same channels of every image: parts */
};

/* The weights of one worker, or of all, in the order in which the method reads them. */
struct step_part {
    int64_t channel, channels; /* first channel and number of channels of the output; 0: no work */
    struct conv_shape shape;   /* of a convolution with these filters alone */
    float *weights;            /* folded and packed by the method; NULL: it reads `raw` */
    const float *bias;         /* of these channels, or NULL */
};

/* Weights and biases of all channels as the step uses them: K x C/G x k x k, or out x in. */
struct step_weights {
    const float *weights, *bias; /* bias: NULL if there is none; valid as long as the step */
    float *own; /* memory that the caller frees; NULL: the weights are the parameters */
};

struct conv_method;   /* kernels/conv/methods.h */
struct linear_method; /* networks/layers/linear.c */

struct step {
    const struct layer *layer;       /* the layer that computes, or a lone add or clamp */
    const struct layer *norm;        /* the batch norm folded into it, or NULL */
    const struct layer *add, *clamp; /* the layers that add to its output and clamp it, or NULL */
    const struct layer *drop;        /* the layer that drops elements of it in training, or NULL */
    int input, other; /* the layers read: by the computation, and as the residual (or none) */
    int output;       /* the last layer fused into it: the step writes that layer's output */
    struct tensor_shape in, out;
    int64_t images;
    enum partitioning partitioning;
    int64_t align;
    int64_t workers;    /* workers that compute it */
    const char *method; /* the method's name, for a reader; "" if none */
    const struct conv_method *choice;
    const struct linear_method *linear; /* of a fully connected layer */
    struct step_part *parts;            /* 1, or one per worker with PARTITION_CHANNELS */
    int part_count;
    float *bias;          /* of all channels, folded; NULL: none */
    const float *raw;     /* weights that are read unchanged from the network's parameters */
    size_t packed_bytes;  /* of all parts' weights */
    size_t scratch_bytes; /* of one worker */
    int bands; /* computed in bands (networks/bands.h): in the first step the number of steps, in
                  the i-th step after it -i; 0: not in bands */
    int64_t band_rows; /* rows per band, in the first step */
    enum isa isa;
    const struct draws *draws; /* that decide which elements are dropped */
    /* While it runs. */
    const float *from, *residual; /* the inputs and the residual, all images */
    float *to;
};

/* Some outputs of a step: rows [row, row + rows) of channels [channel, channel + channels) of
 * images [image, image + images). */
struct portion_of_step {
    int64_t image, images;
    int64_t channel, channels;
    int64_t row, rows;
    const struct step_part *part;
    void *scratch; /* of the worker, aligned to 64 bytes */
};

/* Runs the pieces of a step that one worker takes: computes each portion of them, then adds to and
 * clamps that portion. */
void step_run_pieces(const struct step *s, const struct shares *shares, int64_t worker,
                     void *scratch);

/* Runs one worker's share. */
void step_run_share(const struct step *s, int64_t worker, void *scratch);

/* The number of pieces into which each worker's share of the step is cut. */
int64_t step_pieces(const struct step *s);

/* The partitioning of a step whose kind has no prepare() that chooses another. */
void step_partition_planes(struct step *s);

/* Makes parts of channels, one per worker: multiples of `align` channels each, except the last. */
enum status step_make_parts(struct step *s, int64_t align, struct failure *f);
enum status step_make_part(struct step *s, struct failure *f); /* one part, for all workers */

/* The name of the error bound for the outputs of a step with multiply-adds. "sum": the bound of a
 * sum in any order. "tiles of 2", "tiles of 4": the bound of sums of transformed tiles with 2 or 4
 * outputs per side; those of 4 are never exact. */
const char *step_bound(const struct step *s);
bool step_is_never_exact(const struct step *s);

#endif
