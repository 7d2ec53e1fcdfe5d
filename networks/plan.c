#include "networks/plan.h"

#include "harness/machine/memory.h"
#include "harness/machine/memory_pool.h"
#include "kernels/geometry.h"
#include "networks/bands.h"

#include <stdlib.h>
#include <string.h>

/* ---- steps ------------------------------------------------------------------------------------
 */

int plan_step_of(const struct plan *p, int layer)
{
    const int source = network_source(p->network, layer);
    for (int i = p->count - 1; i >= 0; i--)
        if (p->steps[i].output == source)
            return i;
    return -1;
}

/* The step into which this layer can be fused: it computes the layer's input, and no other layer
 * reads that. NULL if there is none. */
static struct step *step_before(const struct plan *p, const struct layer *l)
{
    const int source = network_source(p->network, l->input);
    const int step = source == NETWORK_INPUT ? -1 : plan_step_of(p, source);
    return step >= 0 && network_readers(p->network, source) == 1 ? &p->steps[step] : NULL;
}

static void begin_step(struct plan *p, int layer)
{
    const struct layer *l = &p->network->layers[layer];
    p->steps[p->count++] = (struct step){.layer = l,
                                         .input = network_source(p->network, l->input),
                                         .other = NETWORK_INPUT,
                                         .output = layer,
                                         .in = l->in,
                                         .out = l->out,
                                         .images = p->batch,
                                         .workers = p->workers,
                                         .method = "",
                                         .isa = p->isa};
}

static enum status fold_norm(struct plan *p, int layer, struct failure *f)
{
    const struct layer *l = &p->network->layers[layer];
    struct step *s = step_before(p, l);
    if (!s || !s->layer->kind->folds_norm || s->norm || s->add || s->clamp)
        return fail(f, STATUS_USAGE, "network %s: %s follows no layer that can take it in",
                    p->network->name, l->name);
    s->norm = l;
    s->output = layer;
    return STATUS_OK;
}

/* Fuses the add into the step before, if that runs after the step that computes the other input;
 * otherwise begins a step. */
static void absorb_add(struct plan *p, int layer)
{
    const struct layer *l = &p->network->layers[layer];
    struct step *s = step_before(p, l);
    const int other = network_source(p->network, l->other);
    const bool late = s && &p->steps[plan_step_of(p, other) + 1] <= s;
    if (!s || !late || s->add || s->clamp) {
        begin_step(p, layer);
        s = &p->steps[p->count - 1];
    }
    s->add = l;
    s->other = other;
    s->output = layer;
}

static void absorb_clamp(struct plan *p, int layer)
{
    const struct layer *l = &p->network->layers[layer];
    struct step *s = step_before(p, l);
    if (!s || s->clamp) {
        begin_step(p, layer);
        s = &p->steps[p->count - 1];
    }
    s->clamp = l;
    s->output = layer;
}

/* Fuses the dropout into the step before, if elements are dropped at all. */
static enum status absorb_drop(struct plan *p, int layer, struct failure *f)
{
    const struct layer *l = &p->network->layers[layer];
    struct step *s = step_before(p, l);
    if (!l->kind->drops || !p->training || !p->draws)
        return STATUS_OK;
    if (!s || s->drop)
        return fail(f, STATUS_USAGE,
                    "network %s: %s follows no layer that can drop elements for it",
                    p->network->name, l->name);
    s->drop = l;
    s->draws = p->draws;
    return STATUS_OK;
}

static enum status find_steps(struct plan *p, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < p->network->count; i++)
        switch (p->network->layers[i].kind->role) {
        case ROLE_COMPUTE:
            begin_step(p, i);
            break;
        case ROLE_NORM:
            status = fold_norm(p, i, f);
            break;
        case ROLE_ADD:
            absorb_add(p, i);
            break;
        case ROLE_CLAMP:
            absorb_clamp(p, i);
            break;
        case ROLE_NOTHING:
            status = absorb_drop(p, i, f);
            break;
        }
    if (status != STATUS_OK)
        return status;
    const int last = network_source(p->network, p->network->count - 1);
    if (p->count == 0 || p->steps[p->count - 1].output != last)
        return fail(f, STATUS_USAGE, "network %s: its last layer computes nothing",
                    p->network->name);
    return STATUS_OK;
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* Floats of a step's output, all images, rounded up so that the next one begins on a cache line; -1
 * if they cannot be counted. */
static int64_t output_floats(const struct plan *p, int step)
{
    enum { LINE = 16 };
    const int64_t elements = geometry_elements(p->batch, tensor_elements(p->steps[step].out), 1);
    return elements < 0 || elements > INT64_MAX / 8 ? -1 : (elements + LINE - 1) / LINE * LINE;
}

/* The last step that reads the output of `step`. Bands read their input until their last step
 * ends. */
static int last_reader(const struct plan *p, int step)
{
    int last = step;
    for (int i = step + 1; i < p->count; i++) {
        const struct step *s = &p->steps[i];
        if (plan_step_of(p, s->input) == step || (s->add && plan_step_of(p, s->other) == step))
            last = bands_last(p, i);
    }
    return last;
}

/* True if [at, at + floats) overlaps no output that is still to be read when `step` runs; otherwise
 * sets *next to the end of one that it overlaps. */
static bool is_free(const struct plan *p, int step, int64_t at, int64_t floats, int64_t *next)
{
    for (int i = 0; i < step; i++) {
        const int64_t end = p->place[i] + output_floats(p, i);
        if (p->place[i] < 0 || last_reader(p, i) < step || end <= at || p->place[i] >= at + floats)
            continue;
        *next = end;
        return false;
    }
    return true;
}

static enum status find_places(struct plan *p, struct failure *f)
{
    for (int i = 0; i < p->count; i++) {
        const int64_t floats = output_floats(p, i);
        int64_t at = 0;
        if (floats < 0)
            return fail(f, STATUS_RESOURCE,
                        "network %s: the outputs of %lld images cannot be counted in bytes",
                        p->network->name, (long long)p->batch);
        p->place[i] = -1;
        if (i == p->count - 1)
            return STATUS_OK;
        at = p->training ? (int64_t)p->apart_floats : 0;
        while (!p->training && !is_free(p, i, at, floats, &at))
            ;
        p->place[i] = at;
        p->apart_floats += (size_t)floats;
        if ((size_t)(at + floats) > p->arena_floats)
            p->arena_floats = (size_t)(at + floats);
    }
    return STATUS_OK;
}

/* ---- plans ------------------------------------------------------------------------------------
 */

/* Bytes of all packed weights, roughly: some methods transform weights into more of them. */
static size_t packed_estimate(const struct network *n)
{
    return memory_multiply((size_t)n->floats, 2 * sizeof(float));
}

enum status plan_make(struct plan *p, struct failure *f)
{
    const size_t layers = (size_t)p->network->count;
    p->count = 0;
    p->arena_floats = p->apart_floats = p->scratch_bytes = 0;
    p->steps = calloc(layers, sizeof *p->steps);
    p->packed = calloc(1, sizeof *p->packed);
    p->place = calloc(layers, sizeof *p->place);
    if (!p->steps || !p->place || !p->packed)
        return fail(f, STATUS_RESOURCE, "no memory for %zu steps", layers);
    p->packed->chunk = packed_estimate(p->network);
    const enum status status = find_steps(p, f);
    if (status == STATUS_OK)
        bands_find(p);
    return status == STATUS_OK ? find_places(p, f) : status;
}

/* True if the step reads its weights directly from the network's parameters. */
static bool reads_raw(const struct step *s)
{
    for (int i = 0; i < s->part_count; i++)
        if (s->parts[i].channels > 0 && !s->parts[i].weights)
            return true;
    return s->part_count == 0;
}

/* Gives back the memory of weights that have been packed. A layer's weights are its first tensor;
 * the others are small. */
static void drop_weights(const struct plan *p, const struct step *s)
{
    if (!p->droppable || reads_raw(s) || layer_parameter_count(s->layer) == 0)
        return;
    const struct parameter_tensor weights = layer_parameter(s->layer, 0);
    memory_drop(p->droppable + s->layer->offset[0],
                (size_t)parameter_floats(&weights) * sizeof(float));
}

size_t plan_weights_bytes(const struct plan *p)
{
    size_t bytes = 0;
    for (int i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];
        bytes += s->packed_bytes;
        if (!reads_raw(s) || layer_parameter_count(s->layer) == 0)
            continue;
        const struct parameter_tensor weights = layer_parameter(s->layer, 0);
        bytes += (size_t)parameter_floats(&weights) * sizeof(float);
    }
    return bytes;
}

enum status plan_prepare(struct plan *p, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < p->count && !p->external; i++) {
        struct step *s = &p->steps[i];
        if (s->layer->kind->prepare)
            status = s->layer->kind->prepare(s, p, f);
        else
            step_partition_planes(s);
        if (status == STATUS_OK)
            drop_weights(p, s);
        if (status == STATUS_OK && bands_last(p, i) == i && s->bands < 0)
            s = bands_prepare(s);
        if (s->scratch_bytes > p->scratch_bytes)
            p->scratch_bytes = s->scratch_bytes;
    }
    return status;
}

void plan_refresh(const struct plan *p, int64_t worker)
{
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].layer->kind->refresh)
            p->steps[i].layer->kind->refresh(&p->steps[i], p, worker);
}

void plan_release(struct plan *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].layer->kind->release)
            p->steps[i].layer->kind->release(&p->steps[i]);
    if (p->packed)
        memory_pool_release(p->packed);
    free(p->packed);
    free(p->steps);
    free(p->place);
    p->packed = NULL;
    p->steps = NULL;
    p->place = NULL;
    p->count = 0;
}
