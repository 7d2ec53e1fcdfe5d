/* A fully connected layer: every output sums all inputs. */
#include "harness/machine/memory.h"
#include "harness/machine/memory_pool.h"
#include "kernels/geometry.h"
#include "kernels/matmul/matmul.h"
#include "kernels/oracle.h"
#include "networks/layers/backward.h"
#include "networks/layers/kinds.h"
#include "networks/layers/linear_product.h"
#include "networks/plan.h"
#include "networks/step.h"
#include "networks/verify.h"

#include <math.h>
#include <stdlib.h>

enum { WEIGHT, BIAS };

/* ---- properties -------------------------------------------------------------------------------
 */

static enum status shape(struct layer *l, struct failure *f)
{
    if (l->in.rows != 1 || l->in.cols != 1)
        return fail(f, STATUS_USAGE, "its input is %lld x %lld x %lld, not a vector: flatten it",
                    (long long)l->in.channels, (long long)l->in.rows, (long long)l->in.cols);
    if (l->filters < 1)
        return fail(f, STATUS_USAGE, "it has no outputs");
    if (geometry_elements(l->filters, l->in.channels, 1) < 0)
        return fail(f, STATUS_RESOURCE, "its weights cannot be counted in bytes");
    l->out = (struct tensor_shape){l->filters, 1, 1};
    return STATUS_OK;
}

static bool parameter(const struct layer *l, int i, struct parameter_tensor *out)
{
    if (i > BIAS)
        return false;
    *out = (struct parameter_tensor){.suffix = i == WEIGHT ? "weight" : "bias",
                                     .dimensions = i == WEIGHT ? 2 : 1,
                                     .lengths = {l->filters, l->in.channels},
                                     .fan_in = l->in.channels,
                                     .fan_out = l->filters,
                                     .seeded = i == WEIGHT ? SEEDED_WEIGHT : SEEDED_BIAS,
                                     .trained = true};
    return true;
}

static bool attribute(const struct layer *l, int i, struct layer_attribute *out)
{
    *out = (struct layer_attribute){"outputs", (double)l->filters};
    return i == 0;
}

static double multiply_adds(const struct layer *l)
{
    return (double)l->in.channels * (double)l->filters;
}

/* ---- methods -----------------------------------------------------------------------------------
 */

struct linear_method {
    const char *name;
    int64_t align; /* outputs per worker are multiples of it */
    bool packs;    /* packs the weights, once */
    linear_function *run[ISA_COUNT];
};

static const struct linear_method by_dots = {"dots", 16, false, ISA_VARIANTS(linear_dots)};
static const struct linear_method by_tiles = {"tiles", LINEAR_MICRO_PANEL, true,
                                              ISA_VARIANTS(linear_tiles)};
static const struct linear_method by_rows = {"rows", LINEAR_IMAGES_STEP, false,
                                             ISA_VARIANTS(linear_rows)};

/* True if there are too few outputs for the columns of a register tile. */
static bool has_few_outputs(const struct step *s)
{
    enum { FEW_OUTPUTS = 4 };
    return s->out.channels <= FEW_OUTPUTS;
}

/* With at most FEW_IMAGES images, reading the weights takes longer than the sums; the images of all
 * ranks count, since methods round differently. With few outputs, reading the images does. In
 * training, weights would have to be packed again at every step. */
static const struct linear_method *way_of(const struct step *s, const struct plan *p)
{
    enum { FEW_IMAGES = 4 };
    if (p->whole_batch <= FEW_IMAGES || has_few_outputs(s))
        return &by_dots;
    return p->training ? &by_rows : &by_tiles;
}

/* ---- preparation and running ------------------------------------------------------------------
 */

/* Floats that linear_pack writes; SIZE_MAX if they cannot be counted. */
static size_t linear_packed(int64_t inputs, int64_t outputs)
{
    const int64_t rows =
        (outputs + LINEAR_MICRO_PANEL - 1) / LINEAR_MICRO_PANEL * LINEAR_MICRO_PANEL;
    const int64_t elements = geometry_elements(rows, inputs, 1);
    return elements < 0 ? SIZE_MAX : (size_t)elements;
}

/* Bytes of scratch that linear_tiles needs (linear_rows: matmul_packed_bytes), likewise. */
static size_t linear_tiles_scratch(int64_t outputs)
{
    const size_t panel = (size_t)LINEAR_TERMS * LINEAR_IMAGES;
    return memory_multiply(memory_add(panel, memory_multiply((size_t)outputs, LINEAR_IMAGES)),
                           sizeof(float));
}

static enum isa isa_of(enum isa isa)
{
    while (!by_dots.run[isa])
        isa--;
    return isa;
}

static enum status pack_part(struct step *s, struct step_part *part, const struct plan *p,
                             struct failure *f)
{
    static linear_pack_function *const packs[ISA_COUNT] = ISA_VARIANTS(linear_pack);
    const int64_t inputs = s->in.channels;
    const float *weights = p->parameters + s->layer->offset[WEIGHT] + part->channel * inputs;
    const size_t bytes = memory_multiply(linear_packed(inputs, part->channels), sizeof(float));
    const enum status status =
        memory_pool_take(p->packed, (void **)&part->weights, bytes, "the packed weights", f);
    if (status != STATUS_OK)
        return status;
    s->packed_bytes += bytes;
    packs[isa_of(s->isa)](inputs, part->channels, weights, part->weights);
    return STATUS_OK;
}

static size_t scratch_of(const struct step *s, const struct step_part *part)
{
    if (s->linear == &by_rows)
        return matmul_packed_bytes(s->in.channels, part->channels);
    return s->linear->packs ? linear_tiles_scratch(part->channels) : 0;
}

/* Few outputs are too little work for several workers: images are distributed instead, one row per
 * image. */
static enum status make_parts(struct step *s, struct failure *f)
{
    if (!has_few_outputs(s))
        return step_make_parts(s, s->linear->align, f);
    s->partitioning = PARTITION_ROWS;
    s->align = 1;
    return step_make_part(s, f);
}

static enum status prepare(struct step *s, const struct plan *p, struct failure *f)
{
    s->linear = way_of(s, p);
    s->method = s->linear->name;
    enum status status = make_parts(s, f);
    for (int i = 0; status == STATUS_OK && i < s->part_count; i++) {
        struct step_part *part = &s->parts[i];
        part->bias = p->parameters + s->layer->offset[BIAS] + part->channel;
        const size_t scratch = scratch_of(s, part);
        s->scratch_bytes = scratch > s->scratch_bytes ? scratch : s->scratch_bytes;
        if (s->linear->packs && part->channels > 0)
            status = pack_part(s, part, p, f);
    }
    s->raw = p->parameters + s->layer->offset[WEIGHT];
    return status;
}

static enum status weights(struct step *s, const struct plan *p, struct step_weights *out,
                           struct failure *f)
{
    const int64_t *offset = s->layer->offset;
    (void)f;
    *out = (struct step_weights){.weights = p->parameters + offset[WEIGHT],
                                 .bias = p->parameters + offset[BIAS]};
    return STATUS_OK;
}

static void release(struct step *s)
{
    free(s->parts);
}

static void run(const struct step *s, const struct portion_of_step *p)
{
    const struct step_part *part = p->part;
    const struct linear_call call = {
        .inputs = s->in.channels,
        .outputs = part->channels,
        .images = p->images,
        .weights = part->weights ? part->weights : s->raw + part->channel * s->in.channels,
        .bias = part->bias,
        .x = s->from + p->image * s->in.channels,
        .y = s->to + p->image * s->out.channels + part->channel,
        .y_step = s->out.channels};
    s->linear->run[isa_of(s->isa)](&call, p->scratch);
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static struct expectation expect(const struct verified_step *j, int64_t image, int64_t channel,
                                 int64_t row, int64_t col)
{
    const struct layer *l = j->step->layer;
    const int64_t inputs = l->in.channels;
    const float *x = j->from + image * inputs;
    const float *w = j->parameters + l->offset[WEIGHT] + channel * inputs;
    double sum = j->parameters[l->offset[BIAS] + channel], magnitude = fabs(sum);
    (void)row;
    (void)col;
    for (int64_t i = 0; i < inputs; i++) {
        const double term = (double)w[i] * x[i];
        sum += term;
        magnitude += fabs(term);
    }
    return (struct expectation){sum, oracle_bound(inputs + 1, magnitude)};
}

const struct layer_kind linear_layer = {.name = "linear",
                                        .role = ROLE_COMPUTE,
                                        .form = FORM_LINEAR,
                                        .shape = shape,
                                        .parameter = parameter,
                                        .attribute = attribute,
                                        .multiply_adds = multiply_adds,
                                        .prepare = prepare,
                                        .release = release,
                                        .weights = weights,
                                        .run = run,
                                        .expect = expect,
                                        .backward = &linear_backward};
