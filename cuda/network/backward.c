#include "cuda/network/backward.h"

#include "cuda/choice.h"
#include "cuda/conv_run.h"
#include "kernels/min_max.h"

enum { WEIGHT, BIAS };

static int64_t weights_of(const struct conv_task *t)
{
    return t->groups * t->filters * t->depth * t->kernel * t->kernel;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Blocks of biases that fill a current device, a constant like WEIGHT_BLOCKS. They do little work
 * each, so there are more. */
enum { ENOUGH_OF_BIASES = 1024 };

/* Returns the pieces of a shard that give `enough` blocks if one piece has `blocks`: of equal
 * numbers of images as far as possible, because the largest piece decides, and of at least one. */
static int64_t pieces_for(const struct conv_task *t, int64_t shards, int64_t blocks, int64_t enough)
{
    const int64_t images = t->images / shards, wanted = (enough - 1) / (blocks * shards) + 1;
    const int64_t each = larger(1, images / wanted);
    return larger(1, (images - 1) / each + 1);
}

/* Returns the pieces of a shard; 0 if the tiles of one piece are enough. */
static int64_t pieces_of(const struct weight_tiling *w, const struct conv_task *t, int64_t shards)
{
    const int64_t tiles = weight_tiles(w, t);
    return tiles >= WEIGHT_BLOCKS ? 0 : pieces_for(t, shards, tiles, WEIGHT_BLOCKS);
}

static int64_t biases_of(const struct conv_task *t)
{
    return t->groups * t->filters;
}

/* Returns the convolution of the output gradients by rotated weights, which computes the data
 * gradient. */
static struct conv_task rotated_of(const struct conv_task *t)
{
    struct conv_task rotated = *t;
    rotated.in = t->out;
    rotated.out = t->in;
    rotated.in_rows = t->out_rows;
    rotated.in_cols = t->out_cols;
    rotated.out_rows = t->in_rows;
    rotated.out_cols = t->in_cols;
    rotated.depth = t->filters;
    rotated.filters = t->depth;
    rotated.top = rotated.left = -(t->kernel - 1 + t->top);
    rotated.clamped = false;
    return rotated;
}

static void open_product(struct device_reverse *r, const struct whole_batch *whole,
                         const struct layer_engine *engine)
{
    r->products = true;
    r->conv = device_conv(r->step);
    r->conv.images = whole->images;
    r->tiling = weight_tiling_of(&r->conv, whole->shards);
    r->pieces = pieces_of(r->tiling, &r->conv, whole->shards);
    r->bias_pieces = pieces_for(&r->conv, whole->shards, biases_of(&r->conv), ENOUGH_OF_BIASES);
    r->by_convolution = r->conv.stride == 1 && -r->conv.top < r->conv.kernel;
    r->by_lattices = !r->by_convolution && lattices_serve(&r->conv);
    if (!r->by_convolution)
        return;
    r->rotated = rotated_of(&r->conv);
    const struct choice choice = choose_conv(&conv_tiled_kernels, &r->rotated, engine->device,
                                             engine->block, FILTER_TRANSFERRED);
    r->rotated.pieces = choice.pieces;
    r->rotated.images = r->step->images;
    r->kernel = choice.kernel;
    r->launch = choice.launch;
}

struct scratch_floats device_reverse_scratch(const struct device_reverse *r, int64_t shards)
{
    const int64_t weights = r->products ? weights_of(&r->conv) : 0;
    const int64_t biases = r->products ? biases_of(&r->conv) : 0;
    const int64_t sums = larger(weights * r->pieces, biases * r->bias_pieces) * shards;
    const int64_t rotated = r->by_convolution ? device_conv_parts(&r->rotated) : 0;
    return (struct scratch_floats){larger(sums, rotated),
                                   r->by_convolution || r->by_lattices ? weights : 0};
}

/* ---- the parameters ---------------------------------------------------------------------------
 */

static struct gradient_task task_of(const struct device_reverse *r, const struct reverse_arrays *a)
{
    struct gradient_task g = {.conv = r->conv,
                              .d_output = a->d_output,
                              .weights = a->parameters + r->step->layer->offset[WEIGHT],
                              .shards = a->shards,
                              .pieces = larger(1, r->pieces)};
    g.conv.image = a->from;
    g.conv.images = a->images;
    return g;
}

static enum status sum_weights(const struct device_reverse *r, const struct gradient_task *task,
                               const struct reverse_arrays *a, cudaStream_t stream,
                               struct failure *f)
{
    struct gradient_task g = *task;
    float *to = a->gradients + r->step->layer->offset[WEIGHT];
    const int64_t slices = larger(1, r->pieces * g.shards);
    const int64_t blocks = weight_tiles(r->tiling, &g.conv) * slices;
    g.piece_stride = r->pieces > 0 ? weights_of(&g.conv) : 0;
    g.to = r->pieces > 0 ? a->scratch.parts : to;
    const enum status status =
        CUDA(launch_gradient(weight_gradient(r->tiling, &g.conv), blocks, &g, stream), f);
    if (status != STATUS_OK || r->pieces == 0)
        return status;
    const struct pieces_task pieces = {.from = a->scratch.parts,
                                       .to = to,
                                       .count = g.conv.images > 0 ? weights_of(&g.conv) : 0,
                                       .piece_stride = g.piece_stride,
                                       .shards = g.shards,
                                       .pieces = g.pieces};
    return CUDA(launch_pieces(&pieces, stream), f);
}

/* Sums the biases in two stages: first each piece, then the sums of pieces. */
static enum status sum_biases(const struct device_reverse *r, const struct gradient_task *task,
                              const struct reverse_arrays *a, cudaStream_t stream,
                              struct failure *f)
{
    struct gradient_task g = *task;
    const int64_t biases = biases_of(&g.conv);
    g.pieces = r->bias_pieces;
    g.piece_stride = biases;
    g.to = a->scratch.parts;
    const enum status status =
        CUDA(launch_gradient(&bias_gradient, biases * g.shards * g.pieces, &g, stream), f);
    const struct pieces_task pieces = {.from = a->scratch.parts,
                                       .to = a->gradients + r->step->layer->offset[BIAS],
                                       .count = g.conv.images > 0 ? biases : 0,
                                       .piece_stride = biases,
                                       .shards = g.shards,
                                       .pieces = g.pieces};
    return status == STATUS_OK ? CUDA(launch_pieces(&pieces, stream), f) : status;
}

enum status device_reverse_parameters(const struct device_reverse *r,
                                      const struct reverse_arrays *a, cudaStream_t stream,
                                      struct failure *f)
{
    const struct gradient_task g = task_of(r, a);
    const enum status status = sum_weights(r, &g, a, stream, f);
    if (status != STATUS_OK || layer_parameter_count(r->step->layer) <= BIAS)
        return status;
    return sum_biases(r, &g, a, stream, f);
}

/* ---- the input --------------------------------------------------------------------------------
 */

static enum status pool_input(const struct device_reverse *r, const struct reverse_arrays *a,
                              cudaStream_t stream, struct failure *f)
{
    const struct step *s = r->step;
    const struct pool_gradient_task task = {.image = a->from,
                                            .d_output = a->d_output,
                                            .to = a->d_input,
                                            .planes = s->images * s->in.channels,
                                            .in_rows = s->in.rows,
                                            .in_cols = s->in.cols,
                                            .out_rows = s->out.rows,
                                            .out_cols = s->out.cols,
                                            .kernel = s->layer->kernel,
                                            .stride = s->layer->stride,
                                            .padding = s->layer->padding};
    return CUDA(launch_pool_gradient(&pool_gradient, &task, stream), f);
}

static enum status convolve_input(const struct device_reverse *r, const struct gradient_task *g,
                                  const struct reverse_arrays *a, cudaStream_t stream,
                                  struct failure *f)
{
    struct conv_task rotated = r->rotated;
    struct launch launch = r->launch;
    rotated.images = g->conv.images;
    rotated.image = a->d_output;
    rotated.weights = a->scratch.rotated;
    rotated.map = a->d_input;
    rotated.parts = a->scratch.parts;
    launch.stream = stream;
    const enum status status = CUDA(
        launch_gradient(&rotated_weights, training_blocks(weights_of(&g->conv)), g, stream), f);
    return status == STATUS_OK ? device_conv_run(&r->kernel.conv, &launch, &rotated, f) : status;
}

/* The weights of each lattice, and its convolution. */
static enum status lattices_input(const struct gradient_task *g, const struct reverse_arrays *a,
                                  cudaStream_t stream, struct failure *f)
{
    struct gradient_task packed = *g, sums = *g;
    packed.to = a->scratch.rotated;
    sums.weights = a->scratch.rotated;
    sums.to = a->d_input;
    const int64_t blocks = training_blocks(weights_of(&g->conv));
    const enum status status = CUDA(launch_gradient(&lattice_weights, blocks, &packed, stream), f);
    return status == STATUS_OK
               ? CUDA(launch_gradient(&lattice_gradient, lattice_tiles(&g->conv), &sums, stream), f)
               : status;
}

static enum status product_input(const struct device_reverse *r, const struct reverse_arrays *a,
                                 cudaStream_t stream, struct failure *f)
{
    struct gradient_task g = task_of(r, a);
    g.shards = 1;
    g.to = r->by_convolution ? a->scratch.rotated : a->d_input;
    if (r->by_convolution)
        return convolve_input(r, &g, a, stream, f);
    if (r->by_lattices)
        return lattices_input(&g, a, stream, f);
    const int64_t elements = g.conv.images * tensor_elements(r->step->in);
    return CUDA(launch_gradient(&input_gradient, training_blocks(elements), &g, stream), f);
}

/* ---- forms ------------------------------------------------------------------------------------
 */

static const struct reverse_form {
    /* NULL: nothing is to be chosen. */
    void (*open)(struct device_reverse *r, const struct whole_batch *whole,
                 const struct layer_engine *engine);
    /* NULL: there is no kernel. */
    enum status (*input)(const struct device_reverse *r, const struct reverse_arrays *a,
                         cudaStream_t stream, struct failure *f);
} forms[LAYER_FORMS] = {[FORM_CONV] = {open_product, product_input},
                        [FORM_LINEAR] = {open_product, product_input},
                        [FORM_MAXPOOL] = {NULL, pool_input}};

bool device_reverse_has(enum layer_form form)
{
    return forms[form].input != NULL;
}

enum status device_reverse_open(struct device_reverse *r, const struct step *step,
                                const struct whole_batch *whole, const struct layer_engine *engine,
                                struct failure *f)
{
    const struct layer_kind *kind = step->layer->kind;
    *r = (struct device_reverse){.step = step};
    if (!device_reverse_has(kind->form))
        return fail(f, STATUS_USAGE, "layer %s: no kernel runs a layer of the kind %s backward",
                    step->layer->name, kind->name);
    if (forms[kind->form].open)
        forms[kind->form].open(r, whole, engine);
    return STATUS_OK;
}

enum status device_reverse_input(const struct device_reverse *r, const struct reverse_arrays *a,
                                 cudaStream_t stream, struct failure *f)
{
    return forms[r->step->layer->kind->form].input(r, a, stream, f);
}
