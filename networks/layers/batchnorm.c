/* Batch normalization with running statistics: value times scale plus shift, per channel. The
 * convolution before it folds scale and shift into its weights and bias. */
#include "networks/layers/batchnorm.h"

#include <math.h>

static const double epsilon = 1e-5; /* PyTorch's default */

enum { WEIGHT, BIAS, MEAN, VARIANCE };

static enum status shape(struct layer *l, struct failure *f)
{
    (void)f;
    l->out = l->in;
    return STATUS_OK;
}

static bool parameter(const struct layer *l, int i, struct parameter_tensor *out)
{
    static const char *const suffixes[] = {"weight", "bias", "running_mean", "running_var"};
    static const enum seeded seeded[] = {SEEDED_ONE, SEEDED_ZERO, SEEDED_ZERO, SEEDED_ONE};
    if (i >= (int)(sizeof suffixes / sizeof *suffixes))
        return false;
    *out = (struct parameter_tensor){.suffix = suffixes[i],
                                     .dimensions = 1,
                                     .lengths = {l->in.channels},
                                     .seeded = seeded[i],
                                     .trained = i <= BIAS};
    return true;
}

static bool attribute(const struct layer *l, int i, struct layer_attribute *out)
{
    (void)l;
    *out = (struct layer_attribute){"epsilon", epsilon};
    return i == 0;
}

struct norm norm_of(const struct layer *l, const float *parameters, int64_t channel)
{
    const double weight = parameters[l->offset[WEIGHT] + channel];
    const double bias = parameters[l->offset[BIAS] + channel];
    const double mean = parameters[l->offset[MEAN] + channel];
    const double variance = parameters[l->offset[VARIANCE] + channel];
    const double scale = weight / sqrt(variance + epsilon);
    return (struct norm){scale, bias - mean * scale};
}

const struct layer_kind batchnorm_layer = {.name = "batchnorm",
                                           .role = ROLE_NORM,
                                           .shape = shape,
                                           .parameter = parameter,
                                           .attribute = attribute};
