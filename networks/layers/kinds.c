#include "networks/layers/kinds.h"

#include <stdio.h>

const struct layer_kind *const layer_kinds[] = {
#define KIND(name) &name##_layer,
#include "networks/layers/kinds.inc"
};
const int layer_kind_count = sizeof layer_kinds / sizeof *layer_kinds;

static struct layer named(const struct layer_kind *kind, const char *name, int input)
{
    struct layer l = {.kind = kind, .input = input, .other = NETWORK_INPUT};
    snprintf(l.name, sizeof l.name, "%s", name);
    return l;
}

int add_conv(struct network *n, const char *name, int input, int64_t filters, struct window window,
             int64_t groups, bool bias)
{
    struct layer l = named(&conv_layer, name, input);
    l.filters = filters;
    l.kernel = window.kernel;
    l.stride = window.stride;
    l.padding = window.padding;
    l.groups = groups;
    l.bias = bias;
    return network_add(n, &l);
}

int add_linear(struct network *n, const char *name, int input, int64_t outputs)
{
    struct layer l = named(&linear_layer, name, input);
    l.filters = outputs;
    l.bias = true;
    return network_add(n, &l);
}

int add_maxpool(struct network *n, const char *name, int input, struct window window)
{
    struct layer l = named(&maxpool_layer, name, input);
    l.kernel = window.kernel;
    l.stride = window.stride;
    l.padding = window.padding;
    return network_add(n, &l);
}

int add_dropout(struct network *n, const char *name, int input, double rate)
{
    struct layer l = named(&dropout_layer, name, input);
    l.rate = rate;
    return network_add(n, &l);
}

int add_sum(struct network *n, const char *name, int input, int other)
{
    struct layer l = named(&add_layer, name, input);
    l.other = other;
    return network_add(n, &l);
}

int add_plain(struct network *n, const struct layer_kind *kind, const char *name, int input)
{
    const struct layer l = named(kind, name, input);
    return network_add(n, &l);
}
