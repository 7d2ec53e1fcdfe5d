/* Every rank generates its own lines. The lines beyond them that its last windows read come from
 * the ranks after it; outputs that do not need these lines are computed while the messages are in
 * transit. */
#include "harness/base/clock.h"
#include "mpi/group.h"
#include "mpi/rank.h"

/* Called for each message of this rank's exchange. */
typedef void exchange_visitor(struct instance *in, int rank, struct lines lines, bool send,
                              void *context);

/* Lines ascend with the rank. A rank receives from the ranks after it until its halo ends, and
 * sends to the ranks before it as long as their halos reach its lines. */
static void visit_exchange(struct instance *in, exchange_visitor *visit, void *context)
{
    const struct rank_group *g = group();
    const struct band *bands = in->bands, *mine = &bands[g->rank];
    for (int other = g->rank + 1;
         other < g->ranks && bands[other].own.first < lines_end(mine->halo); other++) {
        const struct lines lines = bands_halo_from(bands, other, g->rank);
        if (lines.count > 0)
            visit(in, other, lines, false, context);
    }
    for (int other = g->rank - 1; other >= 0 && lines_end(bands[other].halo) > mine->own.first;
         other--) {
        const struct lines lines = bands_halo_from(bands, g->rank, other);
        if (lines.count > 0)
            visit(in, other, lines, true, context);
    }
}

static void count_message(struct instance *in, int rank, struct lines lines, bool send,
                          void *context)
{
    size_t *pieces = context;
    (void)rank;
    (void)send;
    *pieces += messages_pieces(lines.count * in->operation->image.cols);
}

static void start_message(struct instance *in, int rank, struct lines lines, bool send,
                          void *context)
{
    const int64_t floats = lines.count * in->operation->image.cols;
    (void)context;
    if (send)
        messages_send(&in->messages, rank_image_lines(in, lines), floats, rank);
    else
        messages_receive(&in->messages, rank_image_lines(in, lines), floats, rank);
}

static size_t pieces(struct instance *in)
{
    size_t count = 0;
    visit_exchange(in, count_message, &count);
    return count;
}

static void execute(struct instance *in, struct rank_times *times)
{
    const struct lines interior = in->band.interior, map = in->band.map;
    const struct lines edge = {map.first + interior.count, map.count - interior.count};
    const double begin = clock_now();
    visit_exchange(in, start_message, NULL);
    const double started = clock_now();
    rank_compute(in, interior);
    const double waiting = clock_now();
    messages_wait(&in->messages);
    const double arrived = clock_now();
    rank_compute(in, edge);
    const double end = clock_now();
    times->distribute_s += (started - begin) + (arrived - waiting);
    times->compute_s += (waiting - started) + (end - arrived);
}

const struct distributing lines_generate = {.pieces = pieces, .execute = execute};
