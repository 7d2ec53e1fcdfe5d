/* A network as it runs: steps. A step is a layer that computes, with what is folded into it (batch
 * norm), added to its output and clamped in it, so that these cost no pass over memory of their
 * own. Steps run one after the other; within one, workers share out the outputs. */
#ifndef MAXPOOL_STEP_H
#define MAXPOOL_STEP_H

#include "kernels/conv/shape.h"
#include "kernels/isa.h"
#include "networks/network.h"

#include <stddef.h>

/* How a step's outputs are distributed over workers. Whoever computes an output sums the same terms
 * in the same order, so that the bits do not depend on it. */
enum partitioning {
    PARTITION_ROWS,    /* rows of all images, in groups of `align` */
    PARTITION_PLANES,  /* channels of all images */
    PARTITION_CHANNELS /* each worker the same channels of every image: parts */
};

/* The weights of one worker, or of all, in the order in which the method reads them. */
struct step_part {
    int64_t channel, channels; /* of the output; none: no work */
    struct conv_shape shape;   /* of a convolution, as if these were all of its filters */
    float *weights;            /* folded, as the method's pack left them */
    const float *bias;         /* of these channels, or NULL */
};

/* Weights and biases of all channels, as they are computed with: K x C/G x k x k, or out x in. */
struct step_weights {
    const float *weights, *bias; /* bias: NULL where there is none; stays as long as the step */
    float *own;                  /* the caller frees it; NULL: the weights are the parameters */
};

/* Units [first, end) of a worker, of those that are distributed evenly. */
struct step_share {
    int64_t first, end;
};

struct conv_method; /* kernels/conv/methods.h */
struct linear_way;  /* networks/layers/linear.c */

struct step {
    const struct layer *layer;       /* that computes; an add or a clamp, where it stands alone */
    const struct layer *norm;        /* NULL, or the batch norm folded into it */
    const struct layer *add, *clamp; /* likewise what is done to its output */
    const struct layer *drop; /* and what drops elements of it, of a network that is trained */
    int input, other;         /* layers read: by the step, and to be added (or none) */
    int output;               /* the last layer that is done: whose output it writes */
    struct tensor_shape in, out;
    int64_t images;
    enum partitioning partitioning;
    int64_t align;
    int64_t workers;    /* that share it */
    const char *method; /* for a reader; "" */
    const struct conv_method *choice;
    const struct linear_way *way; /* of a fully connected layer */
    struct step_part *parts;      /* 1, or one a worker under PARTITION_CHANNELS */
    int part_count;
    float *bias;          /* all channels', folded; NULL: none */
    const float *raw;     /* weights that are read unchanged from the network's parameters */
    size_t packed_bytes;  /* of all parts' weights */
    size_t scratch_bytes; /* of one worker */
    int bands;            /* of steps computed in bands (networks/bands.h) of the first one their
                             number, of the i-th behind it -i; 0: alone */
    int64_t band_rows;    /* of a band, of the first one */
    enum isa isa;
    const struct draws *draws; /* by which elements are dropped */
    /* While it runs. */
    const float *from, *beside; /* the inputs, of all images */
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

/* One worker's share of a step: every portion of it is computed, added to and clamped in turn. */
void step_run_share(const struct step *s, int64_t worker, void *scratch);

/* The share of worker `worker`. */
struct step_share step_share_of(int64_t units, int64_t workers, int64_t worker);

/* The partitioning that a step has unless its kind's prepare() says otherwise. */
void step_partition_planes(struct step *s);

/* Parts of channels for every worker, multiples of `align` channels each but the last. */
enum status step_make_parts(struct step *s, int64_t align, struct failure *f);
enum status step_make_part(struct step *s, struct failure *f); /* one, for all */

/* Which bound the outputs of a step with multiply-adds are held to: "sum", that of a sum in any
 * order; "tiles of 2", "tiles of 4": of sums of transformed tiles of so many outputs a side, of
 * which those of 4 are never exact. */
const char *step_bound(const struct step *s);
bool step_is_never_exact(const struct step *s);

#endif
