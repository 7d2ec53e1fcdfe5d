#include "networks/point/trace/trace.h"

#include "networks/point/instance.h"
#include "networks/point/layers/layer_facts.h"
#include "networks/point/layers/layer_roof.h"
#include "networks/point/trace/trace_events.h"
#include "networks/point/trace/trace_training.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rank's report of one execution: a block of the same size for all ranks. */
struct rank_spans {
    int64_t steps; /* 0: this rank had no image */
    struct moments moments;
    struct mark marks[]; /* [step][worker] */
};

/* The reports of all ranks. */
struct collected {
    const struct forward *forward; /* the root's; all ranks have its steps */
    const char *method;
    struct layer_roofs roofs;
    struct image_span images; /* of the root */
    int64_t batch;
    int ranks;
    int64_t process; /* number of the first rank's process in the trace */
    int64_t steps, workers;
    char *blocks; /* one per rank */
    size_t block_bytes;
};

static const struct rank_spans *spans_of(const struct collected *t, int rank)
{
    return (const struct rank_spans *)(t->blocks + (size_t)rank * t->block_bytes);
}

/* ---- events -----------------------------------------------------------------------------------
 */

static void print_names(FILE *out, const struct collected *t, int rank, bool messages)
{
    const int64_t process = t->process + rank;
    char name[128];
    snprintf(name, sizeof name, "rank %d, %s", rank, t->method);
    event_name(out, "process_name", process, 0, name);
    for (int64_t w = 0; w < t->workers; w++) {
        snprintf(name, sizeof name, "%s %lld", t->forward->device_step ? "GPU" : "worker",
                 (long long)w);
        event_name(out, "thread_name", process, w, name);
    }
    if (messages)
        event_name(out, "thread_name", process, t->workers, "messages");
}

/* Messages are under way while the rank is in distribute and collect. */
static void print_messages(FILE *out, const struct event *like, const struct moments *m)
{
    struct event e = *like;
    e.name = "images under way";
    e.begin = m->began;
    e.end = m->here;
    event_print(out, &e, "");
    e.name = "outputs under way";
    e.begin = m->computed;
    e.end = m->collected;
    event_print(out, &e, "");
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
            event_print(out, &e, "");
    }
}

/* The step's share of its roof, over the time from its first worker's beginning to its last one's
 * end; a worker that was late for the step has no mark. Steps and roofs are those of the root, so
 * that nothing is reported for a rank with fewer images. */
static void roof_text(char *text, size_t size, const struct collected *t, int rank,
                      const struct rank_spans *spans, int64_t step)
{
    const struct mark *marks = &spans->marks[step * t->workers];
    struct mark whole = marks[0];
    for (int64_t w = 1; w < t->workers; w++) {
        if (marks[w].begin == 0.0)
            continue;
        whole.begin = fmin(whole.begin, marks[w].begin);
        whole.end = fmax(whole.end, marks[w].end);
    }
    const double share = layer_roof_s(&t->roofs, t->forward, (int)step) / (whole.end - whole.begin);
    text[0] = '\0';
    if (isfinite(share) && network_span(t->batch, rank, t->ranks).count == t->images.count)
        snprintf(text, size, ",\"roof_share\":%.3g", share);
}

static void print_steps(FILE *out, const struct event *like, const struct collected *t, int rank)
{
    const struct rank_spans *spans = spans_of(t, rank);
    for (int64_t i = 0; i < spans->steps; i++) {
        const struct step *s = &t->forward->plan.steps[i];
        const struct mark *mark = &spans->marks[i * t->workers + like->thread];
        const struct layer_facts facts = layer_facts_of(s);
        char more[320], roof[32];
        struct event e = *like;
        e.name = s->layer->name;
        e.begin = mark->begin;
        e.end = mark->end;
        roof_text(roof, sizeof roof, t, rank, spans, i);
        snprintf(more, sizeof more,
                 ",\"cat\":\"%s\",\"args\":{\"step\":%lld,\"method\":\"%s\",\"multiply_adds\":%.0f,"
                 "\"bytes\":%.0f%s}",
                 facts.kinds, (long long)i, s->method, facts.multiply_adds, facts.bytes, roof);
        if (mark->begin > 0.0)
            event_print(out, &e, more);
    }
}

static void print_rank(FILE *out, const struct collected *t, int rank)
{
    const struct rank_spans *spans = spans_of(t, rank);
    const struct moments *m = &spans->moments;
    print_names(out, t, rank, m->messages);
    for (int64_t w = 0; w < t->workers; w++) {
        const struct event like = {.process = t->process + rank, .thread = w, .start = m->began};
        print_phases(out, &like, m);
        print_steps(out, &like, t, rank);
    }
    const struct event track = {
        .process = t->process + rank, .thread = t->workers, .start = m->began};
    if (m->messages)
        print_messages(out, &track, m);
}

/* ---- reports of the ranks ---------------------------------------------------------------------
 */

/* The context of fill(): the collection and this rank's instance. */
struct reporter {
    const struct collected *tale;
    const struct instance *instance;
};

static void fill(void *block, const void *context)
{
    struct rank_spans *spans = block;
    const struct reporter *reporter = context;
    const struct forward *w = &reporter->instance->forward;
    const struct collected *t = reporter->tale;
    const size_t marks = (size_t)(t->steps * t->workers);
    spans->moments = reporter->instance->moments;
    spans->steps = w->plan.count == t->steps ? t->steps : 0;
    if (spans->steps > 0)
        memcpy(spans->marks, w->marks, marks * sizeof *spans->marks);
}

/* Gathers every rank's block on the root; all blocks are as large as the root's. */
static enum status collect(struct collected *t, const struct point *p, const struct instance *in,
                           struct failure *f)
{
    const struct reporter reporter = {t, in};
    int64_t sizes[] = {in->forward.plan.count, in->forward.team.workers};
    processes_broadcast(p->program->space->processes, sizes, sizeof sizes);
    t->steps = sizes[0];
    t->workers = sizes[1];
    t->block_bytes =
        sizeof(struct rank_spans) + (size_t)(t->steps * t->workers) * sizeof(struct mark);
    return trace_gather(p, in->forward.team.workers == t->workers, t->block_bytes, fill, &reporter,
                        &t->blocks, f);
}

static enum status write_method(FILE *file, const struct point *p, size_t contender,
                                struct failure *f)
{
    const struct contender *c = &p->contenders[contender];
    int rank;
    struct collected t = {.forward = network_forward(c->instance),
                          .method = operation_method(&c->operation),
                          .roofs = layer_roofs_of(p, contender),
                          .images = network_run_of(p)->images.here,
                          .batch = network_run_of(p)->images.batch};
    processes_place(p->program->space->processes, &rank, &t.ranks);
    t.process = (int64_t)contender * t.ranks;
    const enum status status = collect(&t, p, c->instance, f);
    for (int i = 0; status == STATUS_OK && file && i < t.ranks; i++)
        print_rank(file, &t, i);
    free(t.blocks);
    return status;
}

/* ---- the file ----------------------------------------------------------------------------------
 */

enum status trace_write(FILE *file, const struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    bool good = true;
    if (file)
        fprintf(file,
                "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
                "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":0,\"args\":{\"labels\":\"%s\"}}",
                p->program->name);
    const bool trained = network_run_of(p)->training != NULL;
    if (trained)
        status = trace_training(file, p, f);
    for (size_t i = 0; !trained && status == STATUS_OK && i < p->contender_count; i++)
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
