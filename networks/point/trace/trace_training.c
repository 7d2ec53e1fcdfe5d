#include "networks/point/trace/trace_training.h"

#include "networks/point/trace/trace_events.h"
#include "networks/training/trainer_trace.h"

#include <stdlib.h>

static const char *const kinds[TRAINER_PARTS] = {
    [PART_FORWARD] = "forward", [PART_DROP] = "drop",   [PART_LOSS] = "loss",
    [PART_GATE] = "gate",       [PART_INPUT] = "input", [PART_PARAMETERS] = "parameters",
    [PART_UPDATE] = "update"};

static void print_part(FILE *file, const struct trainer *t, const struct event *like,
                       enum trainer_part part, int step)
{
    const bool whole = part == PART_LOSS || part == PART_UPDATE;
    struct event e = *like;
    char more[64];
    e.name = whole ? kinds[part] : t->forward.plan.steps[step].layer->name;
    snprintf(more, sizeof more, ",\"cat\":\"%s\",\"args\":{\"step\":%d}", kinds[part], step);
    event_print(file, &e, more);
}

/* ---- on a GPU ----------------------------------------------------------------------------------
 */

static void print_device(FILE *file, const struct trainer *t)
{
    event_name(file, "process_name", 0, 0, "training");
    event_name(file, "thread_name", 0, 0, "GPU 0");
    for (int i = 0; i < t->where.device->mark_count; i++) {
        const struct part_mark *m = &t->where.device->marks[i];
        const struct event like = {.begin = m->begin, .end = m->end};
        if (m->part != TRAINER_PARTS)
            print_part(file, t, &like, m->part, m->step);
    }
}

/* ---- by ranks and workers ----------------------------------------------------------------------
 */

/* A rank's report of the step. */
struct rank_spans {
    double moments[TRAINER_MOMENTS];
    struct mark messages;
    struct mark marks[]; /* [step][part][worker] */
};

/* The reports of all ranks. */
struct collected {
    const struct trainer *trainer; /* this rank's; all ranks have its steps and workers */
    int64_t workers;
    char *blocks;
    size_t block_bytes;
};

static struct mark *mark_in(struct rank_spans *spans, const struct collected *t, int step, int part,
                            int64_t worker)
{
    return &spans->marks[((int64_t)step * TRAINER_PARTS + part) * t->workers + worker];
}

static void fill(void *block, const void *context)
{
    struct rank_spans *spans = block;
    const struct collected *t = context;
    const struct trainer_marks *marks = &t->trainer->clocks.marks;
    for (int i = 0; i < TRAINER_MOMENTS; i++)
        spans->moments[i] = marks->moments[i];
    spans->messages = marks->messages;
    for (int step = 0; step < t->trainer->forward.plan.count; step++)
        for (int part = 0; part < TRAINER_PARTS; part++)
            for (int64_t w = 0; w < t->workers; w++)
                *mark_in(spans, t, step, part, w) =
                    trainer_mark_of(t->trainer, (enum trainer_part)part, step, w);
}

static void print_phases(FILE *file, const struct event *like, const struct rank_spans *spans)
{
    static const char *const names[] = {"forward", "loss", "backward", "update"};
    struct event e = *like;
    e.name = "step";
    e.begin = spans->moments[MOMENT_BEGAN];
    e.end = spans->moments[MOMENT_UPDATED];
    event_print(file, &e, "");
    for (int i = 0; i < TRAINER_MOMENTS - 1; i++) {
        e.name = names[i];
        e.begin = spans->moments[i];
        e.end = spans->moments[i + 1];
        event_print(file, &e, "");
    }
}

static void print_worker(FILE *file, const struct collected *t, struct rank_spans *spans, int rank,
                         int64_t worker)
{
    struct event like = {.process = rank, .thread = worker, .start = spans->moments[MOMENT_BEGAN]};
    char name[64];
    snprintf(name, sizeof name, "worker %lld", (long long)worker);
    event_name(file, "thread_name", rank, worker, name);
    print_phases(file, &like, spans);
    for (int step = 0; step < t->trainer->forward.plan.count; step++)
        for (int part = 0; part < TRAINER_PARTS; part++) {
            const struct mark *m = mark_in(spans, t, step, part, worker);
            like.begin = m->begin;
            like.end = m->end;
            if (m->begin > 0.0)
                print_part(file, t->trainer, &like, (enum trainer_part)part, step);
        }
}

static void print_rank(FILE *file, const struct collected *t, int rank)
{
    struct rank_spans *spans = (struct rank_spans *)(t->blocks + (size_t)rank * t->block_bytes);
    const struct event messages = {.process = rank,
                                   .thread = t->workers,
                                   .name = "gradients under way",
                                   .begin = spans->messages.begin,
                                   .end = spans->messages.end,
                                   .start = spans->moments[MOMENT_BEGAN]};
    char name[64];
    snprintf(name, sizeof name, "rank %d, training", rank);
    event_name(file, "process_name", rank, 0, name);
    for (int64_t w = 0; w < t->workers; w++)
        print_worker(file, t, spans, rank, w);
    if (messages.begin > 0.0) {
        event_name(file, "thread_name", rank, t->workers, "messages");
        event_print(file, &messages, "");
    }
}

static enum status trace_ranks(FILE *file, const struct point *p, const struct trainer *trainer,
                               struct failure *f)
{
    const struct processes *processes = p->program->space->processes;
    struct collected t = {.trainer = trainer, .workers = trainer->forward.team.workers};
    int rank, ranks;
    processes_place(processes, &rank, &ranks);
    processes_broadcast(processes, &t.workers, sizeof t.workers);
    t.block_bytes = sizeof(struct rank_spans) + (size_t)trainer->forward.plan.count *
                                                    TRAINER_PARTS * (size_t)t.workers *
                                                    sizeof(struct mark);
    const enum status status = trace_gather(p, trainer->forward.team.workers == t.workers,
                                            t.block_bytes, fill, &t, &t.blocks, f);
    for (int i = 0; status == STATUS_OK && file && i < ranks; i++)
        print_rank(file, &t, i);
    free(t.blocks);
    return status;
}

enum status trace_training(FILE *file, const struct point *p, struct failure *f)
{
    const struct trainer *t = &network_run_of(p)->training->trainer;
    if (!t->where.device)
        return trace_ranks(file, p, t, f);
    if (file)
        print_device(file, t);
    return STATUS_OK;
}
