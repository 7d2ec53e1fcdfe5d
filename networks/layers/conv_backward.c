/* A convolution run backward: the weight gradient, shard by shard, and the data gradient. The data
 * gradient is a convolution of the output gradient with filters rotated by 180 degrees: at stride 1
 * it runs as one more forward layer, otherwise phase by phase of the stride. */
#include "harness/machine/memory.h"
#include "kernels/conv/gradients/gradient.h"
#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/gradients/gradient_phases.h"
#include "networks/layers/backward.h"
#include "networks/layers/conv_layer.h"
#include "networks/layers/kinds.h"
#include "networks/step.h"
#include "networks/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct own {
    struct conv_shape shape;
    int64_t weights; /* floats */
    float *parts;    /* per shard: gradients of weights and biases; NULL: written to `gradients` */
    int64_t part_stride; /* floats from shard to shard */
    int64_t blocks;      /* blocks of filters in which the work on one shard is distributed */
    bool uses_winograd;  /* the weight gradient is computed by Winograd tiles */
    bool by_convolution; /* the data gradient is a forward convolution, with: */
    float *filters;      /* the rotated filters, */
    struct layer layer;
    struct step rotated; /* the step that convolves with them, */
    struct plan plan;    /* the plan whose parameters they are */
    const struct conv_data_gradient_method
        *method; /* otherwise, if the data gradient is needed: computes it by phases, */
    enum isa isa;
    float *phases; /* with these filters */
};

/* ---- preparation -------------------------------------------------------------------------------
 */

/* The smallest number of blocks with which all workers are nearly equally busy. */
static int64_t blocks_of(int64_t shards, int64_t micro_panels, int64_t workers)
{
    int64_t best = 1;
    double most = 0.0;
    for (int64_t blocks = 1; blocks <= micro_panels && blocks <= workers; blocks++) {
        const int64_t units = shards * blocks, rounds = (units + workers - 1) / workers;
        const double busy = (double)units / (double)(rounds * workers);
        if (busy > most + 0.04) {
            most = busy;
            best = blocks;
        }
    }
    return best;
}

static int64_t micro_panels_of(const struct own *own)
{
    return (own->shape.filters + GRADIENT_FILTERS - 1) / GRADIENT_FILTERS;
}

/* Prepares the layer whose forward run is the data gradient. */
static enum status prepare_rotated(struct reverse *r, struct own *own, struct failure *f)
{
    const struct conv_shape rotated = conv_rotated_shape(&own->shape);
    own->layer = (struct layer){.kind = &conv_layer,
                                .filters = rotated.filters,
                                .groups = rotated.groups,
                                .kernel = rotated.kernel,
                                .stride = rotated.stride,
                                .padding = rotated.padding,
                                .in = r->step->out,
                                .out = r->step->in};
    const enum status status = memory_allocate(
        (void **)&own->filters, (size_t)own->weights * sizeof(float), "the turned filters", f);
    if (status != STATUS_OK)
        return status;
    own->plan = *r->plan;
    own->plan.parameters = own->filters;
    own->rotated = (struct step){.layer = &own->layer,
                                 .in = own->layer.in,
                                 .out = own->layer.out,
                                 .images = r->step->images,
                                 .workers = r->step->workers,
                                 .isa = r->step->isa,
                                 .from = r->d_output,
                                 .to = r->d_input};
    conv_rotate_filters(&own->shape, r->plan->parameters + r->step->layer->offset[CONV_WEIGHT],
                        own->filters);
    return conv_layer.prepare(&own->rotated, &own->plan, f);
}

/* Prepares the data gradient by phases of the stride, with the method that suits the shape. */
static enum status prepare_phases(struct reverse *r, struct own *own, struct failure *f)
{
    const struct conv_data_gradient_method *depthwise = conv_data_gradient_find("depthwise");
    own->method = conv_data_gradient_refuses(depthwise, &own->shape)
                      ? conv_data_gradient_find("implicit")
                      : depthwise;
    own->isa = conv_data_gradient_isa(own->method, r->step->isa);
    const size_t floats = conv_data_gradient_packed(own->method, &own->shape);
    const enum status status = memory_allocate(
        (void **)&own->phases, memory_multiply(floats, sizeof(float)), "the turned filters", f);
    if (status == STATUS_OK)
        conv_data_gradient_pack(own->method, own->isa, &own->shape,
                                r->plan->parameters + r->step->layer->offset[CONV_WEIGHT],
                                own->phases);
    return status;
}

static size_t larger_bytes(size_t a, size_t b)
{
    return a > b ? a : b;
}

static enum status prepare(struct reverse *r, struct failure *f)
{
    struct own *own = calloc(1, sizeof *own);
    enum status status = STATUS_OK;
    r->own = own;
    if (!own)
        return fail(f, STATUS_RESOURCE, "no memory for a layer");
    own->shape = conv_layer_shape(r->step->layer);
    own->weights = own->shape.filters * conv_terms(&own->shape);
    own->part_stride = own->weights + own->shape.filters;
    if (r->plan->external) /* a device computes: only the oracle is needed here */
        return STATUS_OK;
    own->uses_winograd = conv_weight_gradient_prefers_winograd(&own->shape);
    own->by_convolution = r->d_input && conv_data_gradient_is_convolution(&own->shape);
    own->blocks = blocks_of(r->shards->count, micro_panels_of(own), r->step->workers);
    if (r->gradients.shard_stride == 0)
        status = memory_allocate(
            (void **)&own->parts,
            memory_multiply((size_t)own->part_stride * sizeof(float), (size_t)r->shards->count),
            "the gradients of shards", f);
    if (status == STATUS_OK && own->by_convolution)
        status = prepare_rotated(r, own, f);
    if (status == STATUS_OK && r->d_input && !own->by_convolution)
        status = prepare_phases(r, own, f);
    const size_t sums =
        (own->uses_winograd ? conv_weight_gradient_winograd_scratch
                            : conv_weight_gradient_scratch)(&own->shape, own->shape.filters);
    r->scratch_bytes = larger_bytes(sums, own->rotated.scratch_bytes);
    if (own->method)
        r->scratch_bytes =
            larger_bytes(r->scratch_bytes, conv_data_gradient_scratch(own->method, &own->shape));
    return status;
}

static void release(struct reverse *r)
{
    struct own *own = r->own;
    if (!own)
        return;
    if (own->rotated.layer)
        conv_layer.release(&own->rotated);
    free(own->filters);
    free(own->phases);
    free(own->parts);
    free(own);
}

static void refresh(const struct reverse *r, int64_t worker)
{
    struct own *own = r->own;
    const int64_t index = r->step - r->plan->steps;
    if (worker != (index + 1) % r->step->workers)
        return;
    if (own->method)
        conv_data_gradient_pack(own->method, own->isa, &own->shape,
                                r->plan->parameters + r->step->layer->offset[CONV_WEIGHT],
                                own->phases);
    if (!own->by_convolution)
        return;
    conv_rotate_filters(&own->shape, r->plan->parameters + r->step->layer->offset[CONV_WEIGHT],
                        own->filters);
    conv_pack_again(&own->rotated, &own->plan);
}

/* ---- the weights -------------------------------------------------------------------------------
 */

/* Computes the gradients of filters [filter, filter + filters) from the images of one shard. */
static void run_shard(const struct reverse *r, int64_t shard, int64_t filter, int64_t filters,
                      void *scratch)
{
    static conv_weight_gradient_function *const plain[ISA_COUNT] =
        ISA_VARIANTS(conv_weight_gradient_tiles);
    static conv_weight_gradient_function *const by_winograd[ISA_COUNT] =
        ISA_VARIANTS(conv_weight_gradient_winograd);
    const struct own *own = r->own;
    conv_weight_gradient_function *const *run = own->uses_winograd ? by_winograd : plain;
    const struct layer *l = r->step->layer;
    const int64_t first = shard_first(r->shards, shard);
    float *values = r->gradients.values + shard * r->gradients.shard_stride;
    float *part = own->parts + shard * own->part_stride;
    float *weights = own->parts ? part : values + l->offset[CONV_WEIGHT];
    float *bias = own->parts ? part + own->weights : values + l->offset[CONV_BIAS];
    const struct conv_weight_gradient call = {
        .shape = &own->shape,
        .image = conv_images_by_planes(&own->shape, r->step->from + first * tensor_elements(l->in)),
        .d_output = r->d_output + first * tensor_elements(l->out),
        .images = r->shards->ends[shard] - first,
        .filter = filter,
        .filters = filters,
        .weights = weights + filter * conv_terms(&own->shape),
        .bias = l->bias ? bias + filter : NULL};
    enum isa isa = r->step->isa;
    while (!run[isa])
        isa--;
    run[isa](&call, scratch);
}

/* Computes block `unit` of the blocks of filters of all shards. */
static void run_block(const struct reverse *r, int64_t unit, void *scratch)
{
    const struct own *own = r->own;
    int64_t first, past;
    shares_part(micro_panels_of(own), own->blocks, unit % own->blocks, &first, &past);
    const int64_t filters = own->shape.filters - first * GRADIENT_FILTERS;
    const int64_t most = (past - first) * GRADIENT_FILTERS;
    run_shard(r, unit / own->blocks, first * GRADIENT_FILTERS, filters < most ? filters : most,
              scratch);
}

static int64_t blocks_in(const struct reverse *r)
{
    return r->shards->count * ((const struct own *)r->own)->blocks;
}

static void run_shards(const struct reverse *r, const struct shares *shares, int64_t worker,
                       void *scratch)
{
    struct taker t = {.shares = shares, .worker = worker, .units = blocks_in(r)};
    while (shares_take(&t))
        for (int64_t unit = t.first; unit < t.end; unit++)
            run_block(r, unit, scratch);
}

static int64_t pieces_of_shards(const struct reverse *r)
{
    const double each = (double)blocks_in(r) / (double)r->step->workers;
    return shares_pieces(ceil(each), 1.0, each, 1.0 / SHARES_MOST_PIECES);
}

/* to[i] = the sum over the shards, in their order, of their values i, for i in [first, end). */
static void add_parts(const struct own *own, int64_t shards, int64_t first, int64_t end, float *to)
{
    enum { TOGETHER = 2048 }; /* floats that stay in the first-level cache */
    for (int64_t at = first; at < end; at += TOGETHER) {
        const int64_t past = at + TOGETHER < end ? at + TOGETHER : end;
        memcpy(to + at, own->parts + at, (size_t)(past - at) * sizeof *to);
        for (int64_t s = 1; s < shards; s++)
            for (int64_t i = at; i < past; i++)
                to[i] += own->parts[s * own->part_stride + i];
    }
}

/* Whoever adds the first weights also adds the biases. */
static void add_shards(const struct reverse *r, const struct shares *shares, int64_t worker,
                       void *scratch)
{
    const struct own *own = r->own;
    const struct layer *l = r->step->layer;
    struct taker t = {.shares = shares, .worker = worker, .units = own->weights};
    (void)scratch;
    while (own->parts && shares_take(&t)) {
        add_parts(own, r->shards->count, t.first, t.end,
                  r->gradients.values + l->offset[CONV_WEIGHT]);
        if (t.first > 0 || !l->bias)
            continue;
        float *bias = r->gradients.values + l->offset[CONV_BIAS] - own->weights;
        add_parts(own, r->shards->count, own->weights, own->part_stride, bias);
    }
}

static int64_t pieces_of_sums(const struct reverse *r)
{
    enum { PIECE_FLOATS = 1 << 14 };
    const double floats = (double)((const struct own *)r->own)->weights / (double)r->step->workers;
    return shares_pieces(floats, PIECE_FLOATS, floats, PIECE_FLOATS);
}

/* ---- the input ---------------------------------------------------------------------------------
 */

/* Computes rows [line, end) of all images, image by image. */
static void run_phases(const struct reverse *r, int64_t line, int64_t end, void *scratch)
{
    const struct own *own = r->own;
    const struct layer *l = r->step->layer;
    const int64_t rows = l->in.rows;
    for (int64_t count; line < end; line += count) {
        count = end - line < rows - line % rows ? end - line : rows - line % rows;
        const struct conv_data_gradient call = {
            .shape = &own->shape,
            .d_output = r->d_output + line / rows * tensor_elements(l->out),
            .image = {.data = r->d_input + line / rows * tensor_elements(l->in),
                      .row_stride = l->in.cols,
                      .plane_stride = rows * l->in.cols},
            .row = line % rows,
            .rows = count};
        conv_data_gradient_by(own->method, own->isa, &call, own->phases, scratch);
    }
}

/* The step of the data gradient, for the images of the current batch. */
static struct step rotated_step(const struct reverse *r)
{
    struct step rotated = ((const struct own *)r->own)->rotated;
    rotated.images = r->step->images;
    return rotated;
}

static void run_input(const struct reverse *r, const struct shares *shares, int64_t worker,
                      void *scratch)
{
    const struct step rotated = rotated_step(r);
    struct taker t = {
        .shares = shares, .worker = worker, .units = r->step->images * r->step->layer->in.rows};
    if (((const struct own *)r->own)->by_convolution) {
        step_run_pieces(&rotated, shares, worker, scratch);
        return;
    }
    while (shares_take(&t))
        run_phases(r, t.first, t.end, scratch);
}

static int64_t pieces_of_input(const struct reverse *r)
{
    const struct step rotated = rotated_step(r);
    return step_pieces(((const struct own *)r->own)->by_convolution ? &rotated : r->step);
}

/* ---- the oracle --------------------------------------------------------------------------------
 */

static struct conv_gradient_operands operands_of(const struct reverse *r, int64_t first,
                                                 int64_t images)
{
    const struct own *own = r->own;
    const struct layer *l = r->step->layer;
    return (struct conv_gradient_operands){
        .shape = &own->shape,
        .image = conv_images_by_planes(&own->shape, r->step->from + first * tensor_elements(l->in)),
        .weights = r->plan->parameters + l->offset[CONV_WEIGHT],
        .d_output = r->d_output + first * tensor_elements(l->out),
        .images = images};
}

/* The bound of a sum in any order also covers sums of shards that are added to each other: a term
 * passes through one addition fewer than there are terms, and the sum of a shard without terms is
 * 0. */
static struct expectation expect_parameter(const struct reverse *r, int tensor, int64_t at,
                                           int64_t first, int64_t end)
{
    const struct conv_gradient_operands o = operands_of(r, first, end - first);
    struct expectation e = tensor == CONV_WEIGHT ? oracle_conv_weight_gradient(&o, at)
                                                 : oracle_conv_bias_gradient(&o, at);
    if (((const struct own *)r->own)->uses_winograd && tensor == CONV_WEIGHT)
        e.bound = oracle_conv_weight_gradient_winograd_bound(&o, at, r->shards->count);
    return e;
}

/* The value follows the definition; the bound is that of the method that computes it, possibly
 * Winograd's. */
static struct expectation expect_input(const struct reverse *r, int64_t image, int64_t channel,
                                       int64_t row, int64_t col)
{
    const struct own *own = r->own;
    const struct conv_gradient_operands o = operands_of(r, image, 1);
    struct expectation e = oracle_conv_data_gradient(&o, 0, channel, row, col);
    if (own->by_convolution) {
        const struct verified_step j = {&own->rotated, own->filters, r->d_output, NULL, r->d_input};
        e.bound = fmax(e.bound, conv_layer.expect(&j, image, channel, row, col).bound);
    }
    return e;
}

const struct backward conv_backward = {
    .prepare = prepare,
    .release = release,
    .refresh = refresh,
    .parameters = {{run_shards, pieces_of_shards}, {add_shards, pieces_of_sums}},
    .input = {run_input, pieces_of_input},
    .expect_parameter = expect_parameter,
    .expect_input = expect_input};
