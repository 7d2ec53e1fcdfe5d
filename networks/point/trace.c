#include "networks/point/trace.h"

#include "networks/point/instance.h"
#include "networks/point/layer_facts.h"
#include "networks/point/training.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a rank tells of one execution: a block of the same size in all of them. */
struct told {
    int64_t steps; /* 0: no image was here */
    struct moments moments;
    struct mark marks[]; /* of each step and worker */
};

/* What all of them tell. */
struct tale {
    const struct forward *forward; /* the root's, whose steps are those of all */
    const char *method;
    int ranks;
    int64_t process; /* number of the first rank's */
    int64_t steps, workers;
    char *blocks; /* of each rank */
    size_t block_bytes;
};

static const struct told *told_by(const struct tale *t, int rank)
{
    return (const struct told *)(t->blocks + (size_t)rank * t->block_bytes);
}

/* ---- events -----------------------------------------------------------------------------------
 */

/* One complete event; `more` is the rest of it, from its arguments on. */
struct event {
    int64_t process, thread;
    const char *name;
    double begin, end; /* seconds, by the clock of the rank */
    double start;      /* when it began, likewise */
};

static void print_event(FILE *out, const struct event *e, const char *more)
{
    fprintf(
        out,
        ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%lld,\"tid\":%lld,\"ts\":%.3f,\"dur\":%.3f%s}",
        e->name, (long long)e->process, (long long)e->thread, 1e6 * (e->begin - e->start),
        1e6 * (e->end - e->begin), more);
}

/* The name of a process, or of a thread of it. */
static void print_name(FILE *out, const char *what, int64_t process, int64_t thread,
                       const char *name)
{
    fprintf(
        out,
        ",\n{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%lld,\"tid\":%lld,\"args\":{\"name\":\"%s\"}}",
        what, (long long)process, (long long)thread, name);
}

static void print_names(FILE *out, const struct tale *t, int rank, bool messages)
{
    const int64_t process = t->process + rank;
    char name[128];
    snprintf(name, sizeof name, "rank %d, %s", rank, t->method);
    print_name(out, "process_name", process, 0, name);
    for (int64_t w = 0; w < t->workers; w++) {
        snprintf(name, sizeof name, "%s %lld", t->forward->elsewhere ? "GPU" : "worker",
                 (long long)w);
        print_name(out, "thread_name", process, w, name);
    }
    if (messages)
        print_name(out, "thread_name", process, t->workers, "messages");
}

/* Messages go while the first worker is in distribute and collect. */
static void print_messages(FILE *out, const struct event *like, const struct moments *m)
{
    struct event e = *like;
    e.name = "images under way";
    e.begin = m->began;
    e.end = m->here;
    print_event(out, &e, "");
    e.name = "outputs under way";
    e.begin = m->computed;
    e.end = m->collected;
    print_event(out, &e, "");
}

static void print_phases(FILE *out, const struct event *like, const struct moments *m)
{
    const struct {
        const char *name;
        double begin, end;
    } phases[] = {{"batch", m->began, m->collected},
                  {"distribute", m->began, m->here},
                  {"compute", m->here, m->computed},
                  {"collect", m->computed, m->collected}};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        struct event e = *like;
        e.name = phases[i].name;
        e.begin = phases[i].begin;
        e.end = phases[i].end;
        if (e.begin < e.end)
            print_event(out, &e, "");
    }
}

static void print_steps(FILE *out, const struct event *like, const struct tale *t,
                        const struct told *told)
{
    for (int64_t i = 0; i < told->steps; i++) {
        const struct step *s = &t->forward->plan.steps[i];
        const struct mark *mark = &told->marks[i * t->workers + like->thread];
        const struct layer_facts facts = layer_facts_of(s);
        char more[256];
        struct event e = *like;
        e.name = s->layer->name;
        e.begin = mark->begin;
        e.end = mark->end;
        snprintf(more, sizeof more,
                 ",\"cat\":\"%s\",\"args\":{\"step\":%lld,\"method\":\"%s\",\"multiply_adds\":%.0f,"
                 "\"bytes\":%.0f}",
                 facts.kinds, (long long)i, s->method, facts.multiply_adds, facts.bytes);
        print_event(out, &e, more);
    }
}

static void print_rank(FILE *out, const struct tale *t, int rank)
{
    const struct told *told = told_by(t, rank);
    const struct moments *m = &told->moments;
    print_names(out, t, rank, m->messages);
    for (int64_t w = 0; w < t->workers; w++) {
        const struct event like = {.process = t->process + rank, .thread = w, .start = m->began};
        print_phases(out, &like, m);
        print_steps(out, &like, t, told);
    }
    const struct event track = {
        .process = t->process + rank, .thread = t->workers, .start = m->began};
    if (m->messages)
        print_messages(out, &track, m);
}

/* ---- what the ranks tell ----------------------------------------------------------------------
 */

/* This rank's block, as large as the root's. */
static void fill(struct told *told, const struct tale *t, const struct instance *in)
{
    const struct forward *w = &in->forward;
    const size_t marks = (size_t)(t->steps * t->workers);
    told->moments = in->moments;
    told->steps = w->plan.count == t->steps ? t->steps : 0;
    if (told->steps > 0)
        memcpy(told->marks, w->marks, marks * sizeof *told->marks);
}

/* Every rank's block in the root. */
static enum status collect(struct tale *t, const struct point *p, const struct instance *in,
                           struct failure *f)
{
    const struct processes *processes = p->program->space->processes;
    int64_t sizes[] = {in->forward.plan.count, in->forward.team.workers};
    processes_share(processes, sizes, sizeof sizes);
    t->steps = sizes[0];
    t->workers = sizes[1];
    t->block_bytes = sizeof(struct told) + (size_t)(t->steps * t->workers) * sizeof(struct mark);
    struct told *mine = calloc(1, t->block_bytes);
    t->blocks = calloc(point_is_root(p) ? (size_t)t->ranks : 1, t->block_bytes);
    enum status status = mine && t->blocks && in->forward.team.workers == t->workers
                             ? STATUS_OK
                             : fail(f, STATUS_RESOURCE, "no memory for --trace");
    status = point_agree(p, status, f);
    if (status == STATUS_OK) {
        fill(mine, t, in);
        processes_gather(processes, mine, t->block_bytes, t->blocks);
    }
    free(mine);
    return status;
}

static enum status write_method(FILE *file, const struct point *p, size_t contender,
                                struct failure *f)
{
    const struct contender *c = &p->contenders[contender];
    int rank;
    struct tale t = {.forward = network_forward(c->instance),
                     .method = operation_method(&c->operation)};
    processes_place(p->program->space->processes, &rank, &t.ranks);
    t.process = (int64_t)contender * t.ranks;
    const enum status status = collect(&t, p, c->instance, f);
    for (int i = 0; status == STATUS_OK && file && i < t.ranks; i++)
        print_rank(file, &t, i);
    free(t.blocks);
    return status;
}

/* ---- a training --------------------------------------------------------------------------------
 */

static void print_part(FILE *file, const struct trainer *t, const struct part_mark *m)
{
    static const char *const kinds[TRAINER_PARTS] = {
        [PART_FORWARD] = "forward", [PART_DROP] = "drop",   [PART_LOSS] = "loss",
        [PART_GATE] = "gate",       [PART_INPUT] = "input", [PART_PARAMETERS] = "parameters",
        [PART_UPDATE] = "update"};
    const bool whole = m->part == PART_LOSS || m->part == PART_UPDATE;
    const struct event e = {.name =
                                whole ? kinds[m->part] : t->forward.plan.steps[m->step].layer->name,
                            .begin = m->begin,
                            .end = m->end};
    char more[64];
    snprintf(more, sizeof more, ",\"cat\":\"%s\",\"args\":{\"step\":%d}", kinds[m->part], m->step);
    print_event(file, &e, more);
}

static void print_parts(FILE *file, const struct trainer *t)
{
    print_name(file, "process_name", 0, 0, "training");
    print_name(file, "thread_name", 0, 0, "GPU 0");
    for (int i = 0; i < t->elsewhere->mark_count; i++)
        if (t->elsewhere->marks[i].part != TRAINER_PARTS)
            print_part(file, t, &t->elsewhere->marks[i]);
}

static const struct trainer *trained(const struct point *p)
{
    const struct training *t = network_run_of(&p->operation)->training;
    return t ? &t->trainer : NULL;
}

enum status trace_write(FILE *file, const struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    bool good = true;
    if (file)
        fprintf(file,
                "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
                "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":0,\"args\":{\"labels\":\"%s\"}}",
                p->program->name);
    if (file && trained(p))
        print_parts(file, trained(p));
    for (size_t i = 0; !trained(p) && status == STATUS_OK && i < p->contender_count; i++)
        status = write_method(file, p, i, f);
    if (file) {
        fprintf(file, "\n]}\n");
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    return status == STATUS_OK && !good ? fail(f, STATUS_OUTPUT, "%s: cannot write it: %s",
                                               p->options.trace, failure_of_write(errno))
                                        : status;
}
