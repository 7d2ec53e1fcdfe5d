/* Direct exchange of parts. As soon as the gradients of a layer are computed, every rank sends the
 * other ranks their parts of each of its shards, and receives its own part of theirs. When these
 * have arrived, it sums its part in shard order, so that the sum is that of a single process, bit
 * for bit, and sends it to all. This happens while the remaining layers are computed; what is left
 * is done after all layers. */
#include "networks/ranks/gradients.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "mpi/group.h"
#include "mpi/messages.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Shards are sent and received layer by layer, in their order, which MPI keeps between two ranks.
 * Sums are sent in the order in which shards arrive, so each layer's sum has its own tag. MPI
 * guarantees tags up to 32,767 only. */
enum { TAG_SHARDS = 1, TAG_SUMS = 2 };

/* This rank's part of one layer's parameters, and where other ranks' shards of it are received. */
struct segment {
    int64_t first, count; /* of the layer's parameters in the network's */
    int64_t own_first, own_count;
    int64_t at;           /* of each shard's part, in `received` */
    int receives;         /* number of requests that receive those shards */
    MPI_Request *pending; /* the first of them */
    bool summed;
};

struct rank_gradients {
    struct gradient_exchange exchange;
    enum strategy strategy;
    struct trainer *trainer; /* of the current step */
    int64_t shards;
    float *received; /* shards x this rank's parts of all layers */
    int64_t own_floats, filled;
    int64_t received_step, here_step; /* floats from shard to shard, received and here; 0: nothing
                                         is computed, and shards overlap */
    struct segment *segments;
    int segment_count;
    MPI_Request *requests;
    int request_count;
};

static struct rank_gradients *of(const struct gradient_exchange *e)
{
    return e->context;
}

/* The part of `count` values that a rank sums. */
static void part_of(const struct rank_gradients *g, int64_t count, int64_t rank, int64_t *first,
                    int64_t *part)
{
    int64_t end;
    if (g->strategy == STRATEGY_CENTRAL) {
        *first = 0;
        *part = rank == GROUP_ROOT ? count : 0;
        return;
    }
    shares_part(count, g->exchange.ranks, rank, first, &end);
    *part = end - *first;
}

/* The shards [*first, *end) of a rank. */
static void shards_of(const struct rank_gradients *g, int64_t rank, int64_t *first, int64_t *end)
{
    shares_part(g->shards, g->exchange.ranks, rank, first, end);
}

static int sum_tag(const struct rank_gradients *g, const struct segment *s)
{
    return TAG_SUMS + (int)(s - g->segments);
}

static void start_send(struct rank_gradients *g, const float *data, int64_t floats, int64_t rank,
                       int tag)
{
    g->request_count +=
        messages_start_send(data, floats, (int)rank, tag, &g->requests[g->request_count]);
}

static int start_receive(struct rank_gradients *g, float *data, int64_t floats, int64_t rank,
                         int tag)
{
    const int pieces =
        messages_start_receive(data, floats, (int)rank, tag, &g->requests[g->request_count]);
    g->request_count += pieces;
    return pieces;
}

/* Starts to receive this rank's part of the other ranks' shards. */
static void receive_shards(struct rank_gradients *g, struct segment *s)
{
    s->pending = &g->requests[g->request_count];
    for (int64_t rank = 0; s->own_count > 0 && rank < g->exchange.ranks; rank++) {
        int64_t shard, end;
        shards_of(g, rank, &shard, &end);
        for (; rank != g->exchange.rank && shard < end; shard++)
            s->receives += start_receive(g, g->received + shard * g->received_step + s->at,
                                         s->own_count, rank, TAG_SHARDS);
    }
}

/* Starts to send `rank` its part of this rank's shards, and to receive the sum of that part, in
 * place. */
static void trade_part(struct rank_gradients *g, const struct segment *s, int64_t rank)
{
    const struct trainer *t = g->trainer;
    int64_t part, floats;
    part_of(g, s->count, rank, &part, &floats);
    for (int64_t i = 0; floats > 0 && i < t->share.own.count; i++)
        start_send(g, t->work.shard_gradients + i * g->here_step + s->first + part, floats, rank,
                   TAG_SHARDS);
    if (floats > 0 && g->strategy == STRATEGY_MIRRORED)
        start_receive(g, t->work.gradients + s->first + part, floats, rank, sum_tag(g, s));
}

static void begin(const struct gradient_exchange *e, struct trainer *t, int64_t first,
                  int64_t count)
{
    struct rank_gradients *g = of(e);
    struct segment *s = &g->segments[g->segment_count++];
    g->trainer = t;
    *s = (struct segment){.first = first, .count = count, .at = g->filled};
    part_of(g, count, e->rank, &s->own_first, &s->own_count);
    g->filled += s->own_count;
    receive_shards(g, s);
    for (int64_t rank = 0; rank < e->ranks; rank++)
        if (rank != e->rank)
            trade_part(g, s, rank);
}

/* A layer's part of the shards, those of this process or received ones. */
struct part_place {
    const struct rank_gradients *g;
    const struct segment *s;
};

static const float *shard_part(const void *context, int64_t shard)
{
    const struct part_place *p = context;
    const struct rank_gradients *g = p->g;
    const struct trainer *t = g->trainer;
    const int64_t own = shard - t->share.first_shard;
    if (own < 0 || own >= t->share.own.count)
        return g->received + shard * g->received_step + p->s->at;
    return t->work.shard_gradients + own * g->here_step + p->s->first + p->s->own_first;
}

/* Sums this rank's part of a layer's gradients over all shards, in their order. */
static void sum_segment(const struct rank_gradients *g, const struct segment *s)
{
    const struct part_place place = {g, s};
    const struct shard_sum sum = {.to = g->trainer->work.gradients + s->first + s->own_first,
                                  .count = s->own_count,
                                  .part = shard_part,
                                  .context = &place};
    trainer_sum_shards(g->trainer, &sum);
}

/* Starts to send this rank's part of the layer's gradients to all ranks. */
static void share_segment(struct rank_gradients *g, const struct segment *s)
{
    for (int64_t rank = 0; s->own_count > 0 && rank < g->exchange.ranks; rank++)
        if (rank != g->exchange.rank)
            start_send(g, g->trainer->work.gradients + s->first + s->own_first, s->own_count, rank,
                       sum_tag(g, s));
}

/* Sums a layer's part once its shards have arrived, and shares it unless the strategy is
 * central. */
static void settle(struct rank_gradients *g, struct segment *s)
{
    int arrived;
    if (s->summed)
        return;
    MPI_Testall(s->receives, s->pending, &arrived, MPI_STATUSES_IGNORE);
    if (!arrived)
        return;
    sum_segment(g, s);
    s->summed = true;
    if (g->strategy == STRATEGY_MIRRORED)
        share_segment(g, s);
}

static void progress(const struct gradient_exchange *e)
{
    struct rank_gradients *g = of(e);
    int done;
    MPI_Testall(g->request_count, g->requests, &done, MPI_STATUSES_IGNORE);
    for (int i = 0; i < g->segment_count; i++)
        settle(g, &g->segments[i]);
}

/* Completes what was left when the layers were done. */
static void end_exchange(struct rank_gradients *g)
{
    for (int i = 0; i < g->segment_count; i++) {
        struct segment *s = &g->segments[i];
        if (!s->summed)
            MPI_Waitall(s->receives, s->pending, MPI_STATUSES_IGNORE);
        settle(g, s);
    }
    MPI_Waitall(g->request_count, g->requests, MPI_STATUSES_IGNORE);
}

/* Nothing is under way, and the next step has not begun. */
static void begin_again(struct rank_gradients *g)
{
    g->request_count = g->segment_count = 0;
    g->filled = 0;
}

static void finish(const struct gradient_exchange *e, struct trainer *t, double *exchange_s)
{
    struct rank_gradients *g = of(e);
    double start = clock_now();
    end_exchange(g);
    *exchange_s = clock_now() - start;
    if (e->updates)
        trainer_update_local(t);
    start = clock_now();
    for (int i = 0; g->strategy == STRATEGY_CENTRAL && i < g->segment_count; i++)
        messages_broadcast(t->state.parameters + g->segments[i].first, g->segments[i].count,
                           GROUP_ROOT);
    *exchange_s += clock_now() - start;
    begin_again(g);
}

static void abandon(const struct gradient_exchange *e)
{
    struct rank_gradients *g = of(e);
    end_exchange(g);
    begin_again(g);
}

static void gather(const struct gradient_exchange *e, double *values, int64_t first, int64_t count)
{
    const struct rank_gradients *g = of(e);
    for (int64_t i = 0; i < g->shards; i++)
        if (i < first || i >= first + count)
            values[i] = 0.0;
    MPI_Allreduce(MPI_IN_PLACE, values, (int)g->shards, MPI_DOUBLE, MPI_SUM, group()->all);
}

static int64_t sum(const struct gradient_exchange *e, int64_t value)
{
    (void)e;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, group()->all);
    return value;
}

static void largest(const struct gradient_exchange *e, double *values, int count)
{
    (void)e;
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, group()->all);
}

/* The floats that this rank sums, over all layers. */
static int64_t count_own(const struct rank_gradients *g, const struct network *n)
{
    int64_t all = 0;
    for (int i = 0; i < n->count; i++) {
        int64_t floats = 0, first, part;
        for (int k = 0; k < layer_parameter_count(&n->layers[i]); k++) {
            const struct parameter_tensor tensor = layer_parameter(&n->layers[i], k);
            floats += parameter_floats(&tensor);
        }
        part_of(g, floats, g->exchange.rank, &first, &part);
        all += part;
    }
    return all;
}

/* The most requests of one layer: other ranks' shards are received; each rank is sent the shards of
 * this rank and the sum; a sum is received from each. Each message counts with as many pieces as
 * the longest. */
static int64_t most_requests(const struct rank_gradients *g, const struct network *n)
{
    int64_t first, end;
    shards_of(g, g->exchange.rank, &first, &end);
    return (g->shards + g->exchange.ranks * (end - first + 2)) *
           (int64_t)messages_pieces(n->floats);
}

enum status rank_gradients_open(struct rank_gradients **out, struct trainer *t,
                                enum strategy strategy, struct failure *f)
{
    const struct network *n = t->forward.plan.network;
    const int64_t ranks = group()->ranks, shards = t->settings.shards;
    struct rank_gradients *g = *out = calloc(1, sizeof *g);
    if (!g)
        return fail(f, STATUS_RESOURCE, "no memory for an exchange");
    g->exchange =
        (struct gradient_exchange){group()->rank,
                                   ranks,
                                   strategy == STRATEGY_MIRRORED || group()->rank == GROUP_ROOT,
                                   strategy == STRATEGY_CENTRAL && group()->rank == GROUP_ROOT,
                                   g,
                                   begin,
                                   progress,
                                   finish,
                                   abandon,
                                   gather,
                                   sum,
                                   largest,
                                   mpi_processes.common_status};
    g->strategy = strategy;
    g->shards = shards;
    g->own_floats = count_own(g, n);
    g->received_step = trainer_shard_step(t, g->own_floats);
    g->here_step = trainer_shard_step(t, n->floats);
    g->segments = calloc((size_t)n->count, sizeof *g->segments);
    const int64_t requests = n->count * most_requests(g, n);
    g->requests = requests <= INT_MAX ? calloc((size_t)requests, sizeof(MPI_Request)) : NULL;
    if (!g->segments || !g->requests)
        return fail(f, STATUS_RESOURCE, "no memory for the messages of a step");
    t->where.exchange = &g->exchange;
    const enum status status = trainer_check_messages(t, ranks, strategy == STRATEGY_MIRRORED, f);
    if (status != STATUS_OK)
        return status;
    const int64_t floats = (shards - 1) * g->received_step + g->own_floats;
    return memory_allocate((void **)&g->received, memory_multiply((size_t)floats, sizeof(float)),
                           "the gradients of other ranks", f);
}

void rank_gradients_close(struct rank_gradients *g)
{
    if (!g)
        return;
    free(g->received);
    free(g->segments);
    free(g->requests);
    free(g);
}
