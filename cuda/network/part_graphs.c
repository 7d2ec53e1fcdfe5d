#include "cuda/network/part_graphs.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one element more; returns false if there is no memory. */
static bool grow(void **array, int count, size_t bytes)
{
    void *larger = realloc(*array, ((size_t)count + 1) * bytes);
    if (larger)
        *array = larger;
    return larger != NULL;
}

enum status part_graphs_collect(struct part_graphs *g, enum trainer_part part, int step,
                                struct failure *f)
{
    if (g->part_count == g->part_most) {
        if (!grow((void **)&g->parts, g->part_most, sizeof *g->parts))
            return fail(f, STATUS_RESOURCE, "no memory for %d parts of a step", g->part_most + 1);
        g->part_most++;
    }
    g->parts[g->part_count++] = (struct collected_part){part, step};
    return STATUS_OK;
}

/* What is launched: the parts of a step or a phase. */
struct queueing {
    const struct part_graphs *graphs;
    struct trainer *trainer;
    launch_part *launch;
};

static enum status queue_parts(void *context, struct failure *f)
{
    const struct queueing *q = context;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < q->graphs->part_count; i++)
        status = q->launch(q->trainer, q->graphs->parts[i].part, q->graphs->parts[i].step, f);
    return status;
}

enum status part_graphs_flush(struct part_graphs *g, struct trainer *t, launch_part *launch,
                              struct failure *f)
{
    struct queueing q = {g, t, launch};
    const enum status status = queue_parts(&q, f);
    g->part_count = 0;
    return status;
}

static struct part_graph *find(const struct part_graphs *g, int64_t images)
{
    for (int i = 0; i < g->count; i++) {
        struct part_graph *p = &g->all[i];
        if (p->images == images && p->count == g->part_count &&
            memcmp(p->parts, g->parts, (size_t)p->count * sizeof *p->parts) == 0)
            return p;
    }
    return NULL;
}

/* Adds an empty graph of the collected parts. */
static enum status add(struct part_graphs *g, int64_t images, struct part_graph **out,
                       struct failure *f)
{
    const size_t bytes = (size_t)g->part_count * sizeof *g->parts;
    struct part_graph p = {.parts = malloc(bytes), .count = g->part_count, .images = images};
    if (!p.parts || !grow((void **)&g->all, g->count, sizeof *g->all)) {
        free(p.parts);
        return fail(f, STATUS_RESOURCE, "no memory for a graph of %d parts", g->part_count);
    }
    memcpy(p.parts, g->parts, bytes);
    *out = &g->all[g->count];
    g->all[g->count++] = p;
    return STATUS_OK;
}

/* Captures a graph of the collected parts, whose kernels have run. Launches it too, because the
 * first launch sends it to the device. */
static enum status capture(struct part_graphs *g, int64_t images, struct queueing *q,
                           cudaStream_t stream, struct failure *f)
{
    struct part_graph *p = NULL;
    enum status status = add(g, images, &p, f);
    if (status == STATUS_OK)
        status = graph_capture(&p->graph, queue_parts, q, stream, f);
    if (status != STATUS_OK)
        return status;
    g->captured++;
    g->kernels += p->graph.kernels;
    status = graph_launch(&p->graph, stream, f);
    return status == STATUS_OK && g->compares && g->captured == 1
               ? graph_compare(&p->graph, queue_parts, q, stream, &g->between_share, f)
               : status;
}

enum status part_graphs_prepare(struct part_graphs *g, struct trainer *t, int64_t images,
                                launch_part *launch, cudaStream_t stream, struct failure *f)
{
    struct queueing q = {g, t, launch};
    enum status status = queue_parts(&q, f);
    if (status == STATUS_OK && g->part_count > 0 && !find(g, images))
        status = capture(g, images, &q, stream, f);
    g->part_count = 0;
    return status;
}

enum status part_graphs_queue(struct part_graphs *g, struct trainer *t, int64_t images,
                              launch_part *launch, cudaStream_t stream, struct failure *f)
{
    const struct part_graph *p = g->part_count > 0 ? find(g, images) : NULL;
    if (!p || !p->graph.launches)
        return part_graphs_flush(g, t, launch, f);
    g->part_count = 0;
    return graph_launch(&p->graph, stream, f);
}

void part_graphs_close(struct part_graphs *g)
{
    for (int i = 0; i < g->count; i++) {
        graph_close(&g->all[i].graph);
        free(g->all[i].parts);
    }
    free(g->all);
    free(g->parts);
    *g = (struct part_graphs){0};
}
