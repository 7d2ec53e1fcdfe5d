/* Convolution, with the batch norm after it folded into weights and bias. */
#include "kernels/conv/oracle.h"
#include "kernels/min_max.h"
#include "kernels/operators.h"
#include "networks/layers/backward.h"
#include "networks/layers/batchnorm.h"
#include "networks/layers/conv_choices.h"
#include "networks/layers/conv_layer.h"
#include "networks/layers/kinds.h"
#include "networks/plan.h"
#include "networks/step.h"
#include "networks/verify.h"

#include "harness/machine/memory.h"
#include "harness/machine/memory_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- properties -------------------------------------------------------------------------------
 */

struct conv_shape conv_layer_shape(const struct layer *l)
{
    return (struct conv_shape){.batch = 1,
                               .channels = l->in.channels,
                               .rows = l->in.rows,
                               .cols = l->in.cols,
                               .filters = l->filters,
                               .groups = l->groups,
                               .kernel = l->kernel,
                               .stride = l->stride,
                               .padding = l->padding,
                               .out_rows = l->out.rows,
                               .out_cols = l->out.cols};
}

static enum status shape(struct layer *l, struct failure *f)
{
    struct conv_shape s = conv_layer_shape(l);
    switch (conv_complete(&s)) {
    case CONV_OK:
        l->out = (struct tensor_shape){s.filters, s.out_rows, s.out_cols};
        return STATUS_OK;
    case CONV_BAD_SIZE:
        return fail(f, STATUS_USAGE, "a size is below 1");
    case CONV_BAD_GROUPS:
        return fail(f, STATUS_USAGE, "%lld groups divide neither %lld channels nor %lld filters",
                    (long long)s.groups, (long long)s.channels, (long long)s.filters);
    case CONV_NO_FIT:
        return fail(f, STATUS_USAGE, "a window of %lld x %lld does not fit %lld x %lld",
                    (long long)s.kernel, (long long)s.kernel, (long long)s.rows, (long long)s.cols);
    case CONV_OVERFLOW:
        break;
    }
    return fail(f, STATUS_RESOURCE, "its sizes cannot be counted in bytes");
}

static bool parameter(const struct layer *l, int i, struct parameter_tensor *out)
{
    const int64_t depth = l->in.channels / l->groups;
    if (i > (l->bias ? CONV_BIAS : CONV_WEIGHT))
        return false;
    *out = (struct parameter_tensor){.suffix = "weight",
                                     .dimensions = 4,
                                     .lengths = {l->filters, depth, l->kernel, l->kernel},
                                     .fan_in = depth * l->kernel * l->kernel,
                                     .fan_out = l->filters / l->groups * l->kernel * l->kernel,
                                     .seeded = SEEDED_WEIGHT,
                                     .trained = true};
    if (i == CONV_BIAS) {
        out->suffix = "bias";
        out->dimensions = 1;
        out->seeded = SEEDED_BIAS;
    }
    return true;
}

static bool attribute(const struct layer *l, int i, struct layer_attribute *out)
{
    const struct layer_attribute all[] = {{"filters", (double)l->filters},
                                          {"groups", (double)l->groups},
                                          {"kernel", (double)l->kernel},
                                          {"stride", (double)l->stride},
                                          {"padding", (double)l->padding}};
    if (i >= (int)(sizeof all / sizeof *all))
        return false;
    *out = all[i];
    return true;
}

static double multiply_adds(const struct layer *l)
{
    const struct conv_shape s = conv_layer_shape(l);
    return (double)conv_terms(&s) * (double)tensor_elements(l->out);
}

/* Counted as in the operator's row: without windows outside of the image, with Winograd's tiles. */
static double least_multiply_adds(const struct layer *l)
{
    struct operation op = {.kind = &conv_operator,
                           .parameters = {.kernel = l->kernel,
                                          .stride = l->stride,
                                          .padding = l->padding,
                                          .batch = 1,
                                          .channels = l->in.channels,
                                          .filters = l->filters,
                                          .groups = l->groups}};
    op.image = shape_of_lines((struct image_shape){l->in.channels, l->in.rows, l->in.cols},
                              l->in.channels);
    return conv_operator.shape(&op).kind == REFUSAL_NONE
               ? conv_operator.need(&op, true).least.multiply_adds
               : 0.0;
}

/* ---- weights ----------------------------------------------------------------------------------
 */

static struct norm norm_at(const struct step *s, const float *parameters, int64_t filter)
{
    return s->norm ? norm_of(s->norm, parameters, filter) : (struct norm){1.0, 0.0};
}

/* Multiplies the weights by the norm's scale, each rounded once; `to` may be the weights
 * themselves. */
static void fold_weights(const struct step *s, const struct plan *p, float *to)
{
    const struct layer *l = s->layer;
    const struct conv_shape whole = conv_layer_shape(l);
    const int64_t terms = conv_terms(&whole);
    const float *weights = p->parameters + l->offset[CONV_WEIGHT];
    for (int64_t k = 0; k < l->filters; k++) {
        const double scale = norm_at(s, p->parameters, k).scale;
        for (int64_t i = k * terms; i < (k + 1) * terms; i++)
            to[i] = (float)(weights[i] * scale);
    }
}

static enum status fold_bias(struct step *s, const struct plan *p, struct failure *f)
{
    const struct layer *l = s->layer;
    if (!l->bias && !s->norm)
        return STATUS_OK;
    const enum status status =
        memory_allocate((void **)&s->bias, (size_t)l->filters * sizeof(float), "the biases", f);
    for (int64_t k = 0; status == STATUS_OK && k < l->filters; k++) {
        const struct norm norm = norm_at(s, p->parameters, k);
        const double bias = l->bias ? p->parameters[l->offset[CONV_BIAS] + k] : 0.0;
        s->bias[k] = (float)(bias * norm.scale + norm.shift);
    }
    return status;
}

/* Allocates *folded, filters x terms, and step->bias if the step has any, and fills both. */
static enum status fold(struct step *s, const struct plan *p, float **folded, struct failure *f)
{
    const struct conv_shape whole = conv_layer_shape(s->layer);
    const size_t weights = (size_t)(s->layer->filters * conv_terms(&whole));
    enum status status =
        memory_allocate((void **)folded, weights * sizeof(float), "the weights", f);
    if (status == STATUS_OK)
        status = fold_bias(s, p, f);
    if (status == STATUS_OK)
        fold_weights(s, p, *folded);
    return status;
}

static enum status weights(struct step *s, const struct plan *p, struct step_weights *out,
                           struct failure *f)
{
    *out = (struct step_weights){0};
    const enum status status = fold(s, p, &out->own, f);
    out->weights = out->own;
    out->bias = s->bias;
    return status;
}

/* Folds the weights in place: weights whose memory is given back once they are packed need no
 * copy. */
static enum status fold_in_place(struct step *s, const struct plan *p, float **folded,
                                 struct failure *f)
{
    *folded = p->droppable + s->layer->offset[CONV_WEIGHT];
    const enum status status = fold_bias(s, p, f);
    if (status == STATUS_OK)
        fold_weights(s, p, *folded);
    return status;
}

/* Writes the part's weights in the method's own order. */
static void lay(const struct step *s, const struct step_part *part, const float *from)
{
    const struct conv_method *c = s->choice;
    const enum isa isa = conv_method_isa(c, s->isa);
    if (c->pack[isa])
        c->pack[isa](&part->shape, from, part->weights);
    else
        memcpy(part->weights, from,
               (size_t)(part->channels * conv_terms(&part->shape)) * sizeof(float));
}

static enum status pack(struct step *s, struct step_part *part, const struct plan *p,
                        const float *folded, struct failure *f)
{
    const struct conv_method *c = s->choice;
    const int64_t terms = conv_terms(&part->shape);
    const float *from = folded + part->channel * terms;
    const size_t floats = c->packed ? c->packed(&part->shape) : (size_t)(part->channels * terms);
    const size_t bytes = memory_multiply(floats, sizeof(float));
    const enum status status =
        memory_pool_take(p->packed, (void **)&part->weights, bytes, "the packed weights", f);
    if (status != STATUS_OK)
        return status;
    s->packed_bytes += bytes;
    lay(s, part, from);
    return STATUS_OK;
}

/* Chooses for the whole batch, so that every process chooses the same method. */
const struct conv_method *conv_layer_choice(const struct plan *p, const struct layer *l)
{
    struct conv_shape whole = conv_layer_shape(l);
    whole.batch = larger(1, p->whole_batch);
    return conv_choice_for(&whole, p->forced);
}

/* ---- partitioning -----------------------------------------------------------------------------
 */

/* True if workers partition the filters, or the channels of a depthwise convolution, instead of
 * rows. */
static bool partitions_filters(const struct step *s)
{
    const struct conv_shape whole = conv_layer_shape(s->layer);
    const bool depthwise = whole.groups == whole.filters && whole.groups == whole.channels;
    return (whole.groups == 1 || depthwise) &&
           conv_partitions_own_filters(s->choice, &whole, s->images, s->out.rows, s->workers);
}

/* The convolution with this part's filters alone; if depthwise, on their channels alone. */
static struct conv_shape shape_of_part(const struct layer *l, const struct step_part *part)
{
    struct conv_shape s = conv_layer_shape(l);
    if (s.groups > 1 && part->channels < s.filters)
        s.channels = s.groups = part->channels;
    s.filters = part->channels;
    return s;
}

/* The most images that one worker computes. */
static int64_t most_images(const struct step *s)
{
    return s->partitioning == PARTITION_CHANNELS ? s->images
                                                 : (s->images + s->workers - 1) / s->workers;
}

static enum status prepare_part(struct step *s, struct step_part *part, const struct plan *p,
                                const float *folded, struct failure *f)
{
    if (part->channels == 0)
        return STATUS_OK;
    part->shape = shape_of_part(s->layer, part);
    part->shape.batch = most_images(s);
    part->bias = s->bias ? s->bias + part->channel : NULL;
    const size_t scratch = s->choice->scratch ? s->choice->scratch(&part->shape, s->out.rows) : 0;
    s->scratch_bytes = scratch > s->scratch_bytes ? scratch : s->scratch_bytes;
    return pack(s, part, p, folded, f);
}

static enum status prepare(struct step *s, const struct plan *p, struct failure *f)
{
    float *folded = NULL;
    s->choice = conv_layer_choice(p, s->layer);
    s->method = s->choice->head.name;
    s->partitioning = PARTITION_ROWS;
    s->align = conv_tile_rows(s->choice);
    enum status status = s->bands == 0 && partitions_filters(s)
                             ? step_make_parts(s, conv_own_panel(s->choice), f)
                             : step_make_part(s, f);
    if (status == STATUS_OK)
        status = (p->droppable ? fold_in_place : fold)(s, p, &folded, f);
    for (int i = 0; status == STATUS_OK && i < s->part_count; i++)
        status = prepare_part(s, &s->parts[i], p, folded, f);
    if (!p->droppable)
        free(folded);
    return status;
}

void conv_pack_again(struct step *s, const struct plan *p)
{
    const struct layer *l = s->layer;
    const float *weights = p->parameters + l->offset[CONV_WEIGHT];
    for (int i = 0; i < s->part_count; i++)
        if (s->parts[i].channels > 0)
            lay(s, &s->parts[i], weights + s->parts[i].channel * conv_terms(&s->parts[i].shape));
    if (s->bias)
        memcpy(s->bias, p->parameters + l->offset[CONV_BIAS], (size_t)l->filters * sizeof(float));
}

/* One worker packs all weights of a layer: convolutions have few. */
static void refresh(struct step *s, const struct plan *p, int64_t worker)
{
    if (worker == (s - p->steps) % s->workers)
        conv_pack_again(s, p);
}

static void release(struct step *s)
{
    free(s->parts);
    free(s->bias);
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* The epilogue, applied as tiles are stored: residual and clamp. The residual has the layout of the
 * output. */
static struct conv_finish finish_of(const struct step *s)
{
    const int64_t outputs = s->out.rows * s->out.cols;
    return (struct conv_finish){.residual = {NULL, s->out.cols, 0, s->out.rows, outputs},
                                .clamped = s->clamp != NULL,
                                .least = s->clamp ? s->clamp->kind->least : 0.0f,
                                .most = s->clamp ? s->clamp->kind->most : 0.0f};
}

struct view conv_layer_input(const struct step *s, int64_t image)
{
    return (struct view){s->from + image * tensor_elements(s->in), s->in.cols, 0, s->in.rows,
                         s->in.rows * s->in.cols};
}

struct map_view conv_layer_output(const struct step *s, int64_t image)
{
    return (struct map_view){s->to + image * tensor_elements(s->out), s->out.cols, 0,
                             s->out.rows * s->out.cols};
}

void conv_layer_run(const struct step *s, const struct step_part *part, struct conv_rows r,
                    struct view in, struct map_view out, void *scratch)
{
    struct conv_call call = {.shape = &part->shape,
                             .weights = part->weights,
                             .packed = part->weights,
                             .bias = part->bias,
                             .image = in,
                             .map = out,
                             .row = r.row,
                             .rows = r.rows,
                             .finish = finish_of(s),
                             .images = r.images,
                             .image_strides = {tensor_elements(s->in), tensor_elements(s->out),
                                               tensor_elements(s->out)}};
    if (s->add)
        call.finish.residual.data = s->residual + r.image * tensor_elements(s->out) +
                                    part->channel * call.finish.residual.plane_stride;
    s->choice->run[conv_method_isa(s->choice, s->isa)](&call, scratch);
}

static void run(const struct step *s, const struct portion_of_step *p)
{
    const struct step_part *part = p->part;
    const int64_t channel = part->shape.channels < s->in.channels ? part->channel : 0;
    const int64_t together = s->choice->head.whole_planes ? p->images : 1;
    for (int64_t n = p->image; n < p->image + p->images; n += together) {
        struct view in = conv_layer_input(s, n);
        struct map_view out = conv_layer_output(s, n);
        in.data += channel * in.plane_stride;
        out.data += part->channel * out.plane_stride;
        conv_layer_run(s, part, (struct conv_rows){n, together, p->row, p->rows}, in, out,
                       p->scratch);
    }
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

/* The residual of image `image`; its data is NULL if the step adds none. */
static struct view residual_of(const struct verified_step *j, int64_t image)
{
    const struct tensor_shape out = j->step->out;
    const float *all = j->step->add ? j->residual : NULL;
    return (struct view){all ? all + image * tensor_elements(out) : NULL, out.cols, 0, out.rows,
                         out.rows * out.cols};
}

static struct expectation expect(const struct verified_step *j, int64_t image, int64_t channel,
                                 int64_t row, int64_t col)
{
    const struct step *s = j->step;
    const struct layer *l = s->layer;
    const struct conv_shape whole = conv_layer_shape(l);
    const int64_t elements = s->in.rows * s->in.cols;
    const struct norm n = norm_at(s, j->parameters, channel);
    const struct conv_norm norm = {n.scale, n.shift};
    const struct conv_operands o = {
        .shape = &whole,
        .image = {j->from + image * s->in.channels * elements, s->in.cols, 0, s->in.rows, elements},
        .weights = j->parameters + l->offset[CONV_WEIGHT],
        .bias = l->bias ? j->parameters + l->offset[CONV_BIAS] : NULL,
        .norm = s->norm ? &norm : NULL,
        .finish = {.residual = residual_of(j, image)}};
    struct expectation e = oracle_conv(&o, channel, row, col);
    if (s->choice && s->choice->bound)
        e.bound = fmax(e.bound, s->choice->bound(&o, channel, row, col));
    return e;
}

const struct layer_kind conv_layer = {.name = "conv",
                                      .role = ROLE_COMPUTE,
                                      .form = FORM_CONV,
                                      .shape = shape,
                                      .parameter = parameter,
                                      .attribute = attribute,
                                      .multiply_adds = multiply_adds,
                                      .least_multiply_adds = least_multiply_adds,
                                      .folds_norm = true,
                                      .finishes = true,
                                      .prepare = prepare,
                                      .release = release,
                                      .weights = weights,
                                      .refresh = refresh,
                                      .run = run,
                                      .expect = expect,
                                      .backward = &conv_backward};
