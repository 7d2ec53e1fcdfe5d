#include "networks/point/layers/layer_facts.h"

#include "networks/bands.h"
#include "networks/operator_rows.h"

#include <stdio.h>

/* The kinds of the step's layers, joined by "+". */
static void kinds_text(const struct step *s, char *text, size_t size)
{
    const struct layer *const layers[] = {s->norm, s->add == s->layer ? NULL : s->add,
                                          s->clamp == s->layer ? NULL : s->clamp};
    size_t used = (size_t)snprintf(text, size, "%s", s->layer->kind->name);
    for (size_t i = 0; i < sizeof layers / sizeof *layers && used < size; i++)
        if (layers[i])
            used += (size_t)snprintf(text + used, size - used, "+%s", layers[i]->kind->name);
}

/* Floats of a layer's trained tensors; 0 without a layer. */
static int64_t floats_of(const struct layer *l)
{
    int64_t sum = 0;
    for (int i = 0; l && i < layer_parameter_count(l); i++) {
        const struct parameter_tensor t = layer_parameter(l, i);
        sum += t.trained ? parameter_floats(&t) : 0;
    }
    return sum;
}

/* Elements of all images that the step reads from memory: bands count as 0, since their rows stay
 * in the caches. The next function counts those that it writes. */
static int64_t elements_read(const struct step *s)
{
    return bands_read(s) ? 0 : s->images * tensor_elements(s->in);
}

static int64_t elements_written(const struct step *s)
{
    return bands_written(s) ? 0 : s->images * tensor_elements(s->out);
}

/* A folded batch norm leaves one bias per channel. */
static double bytes_of(const struct step *s)
{
    const int64_t added = s->add ? s->images * tensor_elements(s->out) : 0;
    const int64_t elements = elements_read(s) + elements_written(s) + added;
    const int64_t weights = floats_of(s->layer) + (s->norm ? s->out.channels : 0);
    return (double)(elements + weights) * sizeof(float);
}

struct layer_facts layer_facts_of(const struct step *s)
{
    const struct layer *l = s->layer;
    struct layer_facts facts = {.parameters = floats_of(l) + floats_of(s->norm),
                                .multiply_adds = l->kind->multiply_adds
                                                     ? l->kind->multiply_adds(l) * (double)s->images
                                                     : 0.0,
                                .least_multiply_adds = rows_least_of_layer(l) * (double)s->images,
                                .bytes = bytes_of(s),
                                .bytes_written = (double)elements_written(s) * sizeof(float)};
    kinds_text(s, facts.kinds, sizeof facts.kinds);
    return facts;
}
