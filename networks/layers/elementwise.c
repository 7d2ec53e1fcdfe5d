/* The kinds without products: add, clamps, dropout and flatten. If an add or a clamp must be a step
 * of its own, the step copies its input, and the epilogue does the rest. */
#include "kernels/isa.h"
#include "kernels/oracle.h"
#include "networks/layers/epilogue.h"
#include "networks/layers/kinds.h"
#include "networks/step.h"
#include "networks/verify.h"

#include <math.h>
#include <string.h>

void epilogue_run(const struct epilogue *e, enum isa isa)
{
    static epilogue_function *const run[ISA_COUNT] = ISA_VARIANTS(layer_epilogue);
    while (!run[isa])
        isa--;
    run[isa](e);
}

static enum status same_shape(struct layer *l, struct failure *f)
{
    (void)f;
    l->out = l->in;
    return STATUS_OK;
}

static void copy(const struct step *s, const struct portion_of_step *p)
{
    const int64_t plane = s->out.rows * s->out.cols;
    const int64_t at = (p->image * s->out.channels + p->channel) * plane;
    memcpy(s->to + at, s->from + at, (size_t)(p->channels * plane) * sizeof(float));
}

static struct expectation expect_copy(const struct verified_step *j, int64_t image, int64_t channel,
                                      int64_t row, int64_t col)
{
    const struct tensor_shape s = j->step->out;
    const int64_t at = ((image * s.channels + channel) * s.rows + row) * s.cols + col;
    return (struct expectation){j->from[at], 0.0};
}

const struct layer_kind add_layer = {.name = "add",
                                     .role = ROLE_ADD,
                                     .form = FORM_COPY,
                                     .two = true,
                                     .shape = same_shape,
                                     .run = copy,
                                     .expect = expect_copy};

/* The bounds; a `most` of infinity is left out. */
static bool limit(const struct layer *l, int i, struct layer_attribute *out)
{
    *out = i == 0 ? (struct layer_attribute){"least", l->kind->least}
                  : (struct layer_attribute){"most", l->kind->most};
    return i == 0 || (i == 1 && isfinite(l->kind->most));
}

const struct layer_kind relu_layer = {.name = "relu",
                                      .role = ROLE_CLAMP,
                                      .form = FORM_COPY,
                                      .shape = same_shape,
                                      .attribute = limit,
                                      .most = INFINITY,
                                      .run = copy,
                                      .expect = expect_copy};

const struct layer_kind relu6_layer = {.name = "relu6",
                                       .role = ROLE_CLAMP,
                                       .form = FORM_COPY,
                                       .shape = same_shape,
                                       .attribute = limit,
                                       .most = 6.0f,
                                       .run = copy,
                                       .expect = expect_copy};

static bool rate(const struct layer *l, int i, struct layer_attribute *out)
{
    *out = (struct layer_attribute){"rate", l->rate};
    return i == 0;
}

/* Dropout does nothing outside of training. */
const struct layer_kind dropout_layer = {
    .name = "dropout", .role = ROLE_NOTHING, .drops = true, .shape = same_shape, .attribute = rate};

/* Channels, rows and columns become one vector, in memory order. */
static enum status flat_shape(struct layer *l, struct failure *f)
{
    (void)f;
    l->out = (struct tensor_shape){tensor_elements(l->in), 1, 1};
    return STATUS_OK;
}

const struct layer_kind flatten_layer = {
    .name = "flatten", .role = ROLE_NOTHING, .shape = flat_shape};
