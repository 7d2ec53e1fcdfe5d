/* Pooling: maxima of windows, by this suite's separable method, and means of whole planes. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/oracle.h"
#include "networks/layers/backward.h"
#include "networks/layers/kinds.h"
#include "networks/step.h"
#include "networks/verify.h"

#include <math.h>

/* ---- maxima -----------------------------------------------------------------------------------
 */

static struct geometry geometry_of(const struct layer *l)
{
    return (struct geometry){.planes = l->in.channels,
                             .rows = l->in.rows,
                             .cols = l->in.cols,
                             .kernel = l->kernel,
                             .stride = l->stride,
                             .padding = l->padding,
                             .pad_mode = PAD_IGNORE,
                             .out_rows = l->out.rows,
                             .out_cols = l->out.cols};
}

static enum status maxpool_shape(struct layer *l, struct failure *f)
{
    struct geometry g = geometry_of(l);
    const enum geometry_status status = geometry_complete(&g);
    if (status == GEOMETRY_NO_FIT)
        return fail(f, STATUS_USAGE, "a window of %lld x %lld does not fit %lld x %lld",
                    (long long)g.kernel, (long long)g.kernel, (long long)g.rows, (long long)g.cols);
    if (status != GEOMETRY_OK)
        return fail(f, status == GEOMETRY_OVERFLOW ? STATUS_RESOURCE : STATUS_USAGE,
                    "there is no such pooling");
    l->out = (struct tensor_shape){l->in.channels, g.out_rows, g.out_cols};
    return STATUS_OK;
}

static bool maxpool_attribute(const struct layer *l, int i, struct layer_attribute *out)
{
    const struct layer_attribute all[] = {{"kernel", (double)l->kernel},
                                          {"stride", (double)l->stride},
                                          {"padding", (double)l->padding}};
    if (i >= (int)(sizeof all / sizeof *all))
        return false;
    *out = all[i];
    return true;
}

static enum status maxpool_prepare(struct step *s, const struct plan *p, struct failure *f)
{
    const struct operation op = {.geometry = geometry_of(s->layer)};
    (void)p;
    (void)f;
    step_partition_planes(s);
    s->method = "separable";
    s->scratch_bytes = maxpool_separable_scratch(&op, s->out.cols);
    return STATUS_OK;
}

static void maxpool_run(const struct step *s, const struct portion_of_step *p)
{
    static maxpool_function *const run[ISA_COUNT] = ISA_VARIANTS(maxpool_separable);
    const struct geometry g = geometry_of(s->layer);
    const int64_t elements = g.rows * g.cols, outputs = g.out_rows * g.out_cols;
    const int64_t plane = p->image * s->in.channels + p->channel;
    const struct maxpool_call call = {
        .geometry = &g,
        .image = {s->from + plane * elements, g.cols, 0, g.rows, elements},
        .map = {s->to + plane * outputs, g.out_cols, 0, outputs},
        .block = {p->channel, 0, g.out_rows, 0, g.out_cols, p->channels}};
    enum isa isa = s->isa;
    while (!run[isa])
        isa--;
    run[isa](&call, p->scratch);
}

static struct expectation maxpool_expect(const struct verified_step *j, int64_t image,
                                         int64_t channel, int64_t row, int64_t col)
{
    const struct geometry g = geometry_of(j->step->layer);
    const int64_t plane = image * g.planes + channel;
    const struct oracle_window window = {
        .geometry = &g,
        .image = {j->from + plane * g.rows * g.cols, g.cols, 0, g.rows, 0},
        .row = row,
        .col = col};
    return oracle_maximum(&window);
}

const struct layer_kind maxpool_layer = {.name = "maxpool",
                                         .role = ROLE_COMPUTE,
                                         .form = FORM_MAXPOOL,
                                         .shape = maxpool_shape,
                                         .attribute = maxpool_attribute,
                                         .prepare = maxpool_prepare,
                                         .run = maxpool_run,
                                         .expect = maxpool_expect,
                                         .backward = &maxpool_backward};

/* ---- means ------------------------------------------------------------------------------------
 */

static enum status average_shape(struct layer *l, struct failure *f)
{
    (void)f;
    l->out = (struct tensor_shape){l->in.channels, 1, 1};
    return STATUS_OK;
}

/* Eight independent sums; the remaining elements and these sums are then added in order. */
static float mean_of(const float *elements, int64_t count)
{
    float sums[8] = {0.0f}, sum = 0.0f;
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int64_t q = 0; q < 8; q++)
            sums[q] += elements[i + q];
    for (; i < count; i++)
        sum += elements[i];
    for (int64_t q = 0; q < 8; q++)
        sum += sums[q];
    return sum / (float)count;
}

static void average_run(const struct step *s, const struct portion_of_step *p)
{
    const int64_t elements = s->in.rows * s->in.cols;
    const int64_t first = p->image * s->in.channels + p->channel;
    for (int64_t plane = first; plane < first + p->channels; plane++)
        s->to[plane] = mean_of(s->from + plane * elements, elements);
}

static struct expectation average_expect(const struct verified_step *j, int64_t image,
                                         int64_t channel, int64_t row, int64_t col)
{
    const struct tensor_shape in = j->step->in;
    const int64_t elements = in.rows * in.cols;
    const float *from = j->from + (image * in.channels + channel) * elements;
    double sum = 0.0, magnitude = 0.0;
    (void)row;
    (void)col;
    for (int64_t i = 0; i < elements; i++) {
        sum += from[i];
        magnitude += fabs((double)from[i]);
    }
    const double n = (double)elements;
    return (struct expectation){sum / n, oracle_bound(elements + 1, magnitude / n)};
}

const struct layer_kind average_pool_layer = {.name = "average_pool",
                                              .role = ROLE_COMPUTE,
                                              .form = FORM_AVERAGE,
                                              .shape = average_shape,
                                              .run = average_run,
                                              .expect = average_expect};
