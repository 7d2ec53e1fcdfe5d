#include "networks/training/trainer_trace.h"

#include "harness/base/clock.h"

#include <stdlib.h>
#include <string.h>

static size_t marks_in(const struct trainer *t)
{
    return (size_t)t->forward.plan.count * TRAINER_PARTS * (size_t)t->forward.team.workers;
}

/* One mark per worker. */
static struct mark *marks_of(const struct trainer *t, enum trainer_part part, int step)
{
    return t->clocks.marks.parts +
           ((int64_t)step * TRAINER_PARTS + (int64_t)part) * t->forward.team.workers;
}

enum status trainer_marks_open(struct trainer *t, struct failure *f)
{
    if (!t->forward.traced)
        return STATUS_OK;
    t->clocks.marks.parts = calloc(marks_in(t), sizeof *t->clocks.marks.parts);
    return t->clocks.marks.parts ? STATUS_OK
                                 : fail(f, STATUS_RESOURCE, "no memory for the trace of %d steps",
                                        t->forward.plan.count);
}

void trainer_marks_begin(struct trainer *t)
{
    if (!t->clocks.marks.parts)
        return;
    memset(t->clocks.marks.parts, 0, marks_in(t) * sizeof *t->clocks.marks.parts);
    t->clocks.marks.messages = (struct mark){0};
    trainer_mark_moment(&t->clocks.marks, MOMENT_BEGAN);
}

void trainer_mark_moment(struct trainer_marks *m, enum trainer_moment moment)
{
    if (m->parts)
        m->moments[moment] = clock_now();
}

static void stretch(struct mark *mark, double begin, double end)
{
    if (mark->begin == 0.0)
        mark->begin = begin;
    mark->end = end;
}

void trainer_mark_messages(struct trainer_marks *m)
{
    const double now = m->parts ? clock_now() : 0.0;
    if (m->parts)
        stretch(&m->messages, now, now);
}

struct marked {
    team_task *task;
    void *context;
    struct mark *marks;
};

static void run_marked(int64_t worker, void *context)
{
    const struct marked *m = context;
    const double begin = clock_now();
    m->task(worker, m->context);
    stretch(&m->marks[worker], begin, clock_now());
}

void trainer_run_part(struct trainer *t, enum trainer_part part, int step, int64_t pieces,
                      team_task *task, void *context)
{
    const struct team *team = &t->forward.team;
    shares_begin(&t->forward.shares, team->workers, pieces);
    if (!t->clocks.marks.parts) {
        team_take(*team, task, context);
        return;
    }
    struct marked m = {task, context, marks_of(t, part, step)};
    team_take(*team, run_marked, &m);
}

struct mark trainer_mark_of(const struct trainer *t, enum trainer_part part, int step,
                            int64_t worker)
{
    return part == PART_FORWARD ? t->forward.marks[step * t->forward.team.workers + worker]
                                : marks_of(t, part, step)[worker];
}
