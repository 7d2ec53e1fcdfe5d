/* The parts of a simulated rank's step: each takes its seconds, and computes nothing. */
#include "networks/training/simulated_time.h"
#include "networks/training/trainer_parts.h"

static void spend(const struct trainer *t, const struct layer *l)
{
    pace_product(t->where.pace, t->forward.plan.network, l, trainer_images(t));
}

static enum status forward(struct trainer *t, const struct judgement *how, struct failure *f)
{
    (void)how;
    (void)f;
    for (int i = 0; i < t->forward.plan.count; i++)
        spend(t, t->forward.plan.steps[i].layer);
    return STATUS_OK;
}

static enum status loss(struct trainer *t, const struct judgement *how, double *collect_s,
                        struct failure *f)
{
    (void)t;
    (void)how;
    (void)collect_s;
    (void)f;
    return STATUS_OK;
}

static enum status run(struct trainer *t, enum trainer_part part, int step,
                       const struct judgement *how, struct failure *f)
{
    const struct layer *l = t->work.reverses[step].step->layer;
    (void)how;
    (void)f;
    if (part == PART_PARAMETERS || part == PART_INPUT)
        spend(t, l);
    if (part == PART_PARAMETERS && t->where.exchange)
        trainer_begin_exchange(t, l);
    if (part == PART_UPDATE && t->where.exchange)
        trainer_end_exchange(t);
    else if (part == PART_UPDATE)
        pace_update(t->where.pace);
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

const struct trainer_side trainer_paced = {.open = trainer_nothing,
                                           .send = trainer_nothing,
                                           .forward = forward,
                                           .loss = loss,
                                           .run = run,
                                           .end = end,
                                           .look = trainer_nothing,
                                           .bring = trainer_nothing,
                                           .refresh = refresh};
