/* The parts of a step of a dry run: each reports its work, and computes nothing. */
#include "harness/machine/memory.h"
#include "networks/training/trainer_parts.h"

/* Reports one of a layer's products, as a fraction of the step's: forward, for the gradients of the
 * parameters, or for that of the input, which the first product does not compute. Layers without a
 * product have no work. */
static void report_product(const struct trainer *t, const struct layer *l)
{
    const struct dry_run *d = t->where.dry_run;
    if (l->kind->multiply_adds)
        d->products(d, (double)trainer_images(t) * l->kind->multiply_adds(l) /
                           network_training_multiply_adds(t->forward.plan.network));
}

static enum status forward(struct trainer *t, const struct verify_extent *how, struct failure *f)
{
    (void)how;
    (void)f;
    for (int i = 0; i < t->forward.plan.count; i++)
        report_product(t, t->forward.plan.steps[i].layer);
    return STATUS_OK;
}

static enum status loss(struct trainer *t, const struct verify_extent *how, double *collect_s,
                        struct failure *f)
{
    (void)t;
    (void)how;
    (void)collect_s;
    (void)f;
    return STATUS_OK;
}

static void update(struct trainer *t)
{
    t->where.dry_run->update(t->where.dry_run);
}

static enum status run(struct trainer *t, enum trainer_part part, int step,
                       const struct verify_extent *how, struct failure *f)
{
    const struct layer *l = t->work.reverses[step].step->layer;
    (void)how;
    (void)f;
    if (part == PART_PARAMETERS || part == PART_INPUT)
        report_product(t, l);
    if (part == PART_PARAMETERS && t->where.exchange)
        trainer_begin_exchange(t, l);
    if (part == PART_UPDATE && t->where.exchange)
        trainer_end_exchange(t);
    else if (part == PART_UPDATE)
        update(t);
    else if (t->where.exchange)
        t->where.exchange->progress(t->where.exchange);
    return STATUS_OK;
}

static enum status end(struct trainer *t, enum trainer_phase phase, struct failure *f)
{
    (void)t;
    (void)phase;
    (void)f;
    return STATUS_OK;
}

static void refresh(struct trainer *t)
{
    (void)t;
}

static void sum(struct trainer *t, const struct shard_sum *s)
{
    const struct dry_run *d = t->where.dry_run;
    d->sums(d, (double)t->settings.shards * (double)s->count /
                   (double)t->forward.plan.network->floats);
}

const struct trainer_side trainer_dry = {.external = true,
                                         .open = trainer_nothing,
                                         .send = trainer_nothing,
                                         .forward = forward,
                                         .loss = loss,
                                         .run = run,
                                         .end = end,
                                         .fetch_all = trainer_nothing,
                                         .fetch_state = trainer_nothing,
                                         .refresh = refresh,
                                         .sum = sum,
                                         .update = update};

/* ---- messages ---------------------------------------------------------------------------------
 */

static int64_t layers_with_parameters(const struct network *n)
{
    int64_t count = 0;
    for (int i = 0; i < n->count; i++)
        count += layer_parameter_count(&n->layers[i]) > 0;
    return count;
}

/* With mirrored gradients, every rank receives its part of every shard of the others, and sends
 * them its sum; with central gradients, only the first rank receives. */
enum status trainer_check_messages(const struct trainer *t, int64_t ranks, bool mirrored,
                                   struct failure *f)
{
    const size_t others = (size_t)ranks - 1, receivers = mirrored ? others : 1;
    const size_t of_layer = memory_add(memory_multiply((size_t)t->settings.shards, receivers),
                                       memory_multiply((size_t)ranks, receivers));
    const size_t layers = (size_t)layers_with_parameters(t->forward.plan.network);
    const struct dry_messages messages = {
        .ranks = ranks, .shards = t->settings.shards, .count = memory_multiply(of_layer, layers)};
    return t->where.dry_run ? t->where.dry_run->check(t->where.dry_run, &messages, f) : STATUS_OK;
}
