/* Only the product is parallel (harness/space/batches.h): the root has image and map. Batch by
 * batch it cuts the windows, sends every rank those that it multiplies, receives the products and
 * reduces them. Other ranks hold no lines. The seconds of phases are the root's, which is never
 * idle; the others report the seconds in which they multiply. */
#include "harness/base/clock.h"
#include "harness/space/shares.h"
#include "mpi/group.h"
#include "mpi/rank.h"

/* Units [first, end) of the current batch that a rank multiplies. */
struct part {
    int64_t first, end;
};

/* A batch of `count` units, beginning with unit `first` of the map. */
struct batch {
    struct instance *in;
    int64_t first, count;
    struct part mine;
};

static struct part part_of(const struct batch *b, int rank)
{
    struct part p;
    shares_part(b->count, group()->ranks, rank, &p.first, &p.end);
    p.first += b->first;
    p.end += b->first;
    return p;
}

static float *windows(const struct batch *b, int64_t unit)
{
    return batches_part(&b->in->batches, b->in->workers[0].scratch, b->first, unit);
}

static void run_stage(const struct batch *b, int64_t unit, enum stage stage)
{
    const struct instance *in = b->in;
    const struct operation *op = in->operation;
    const struct block block = batches_block(&in->batches, unit);
    const int64_t plane = op->kind->begin(op, block.plane, 0, 0).plane;
    const struct view image = lines_view(in->image, in->image_held, op->image, plane);
    const struct map_view map = lines_map_view(in->map, in->map_held, op->map, block.plane);
    const struct portion portion = portion_whole(op, &block, image, map, windows(b, unit));
    computing_stage(&in->computing, &portion, stage);
}

/* ---- the product: the team's threads share the rank's units -----------------------------------
 */

static void multiply_pieces(int64_t index, void *context)
{
    const struct batch *b = context;
    struct taker taker = {
        .shares = &b->in->shares, .worker = index, .units = b->mine.end - b->mine.first};
    while (shares_take(&taker))
        for (int64_t unit = taker.first; unit < taker.end; unit++)
            run_stage(b, b->mine.first + unit, STAGE_MULTIPLY);
}

static double multiply(struct batch *b)
{
    const double start = clock_now();
    b->mine = part_of(b, group()->rank);
    const int64_t units = b->mine.end - b->mine.first;
    if (units > 0) {
        batches_begin(&b->in->shares, units, b->in->team.workers);
        team_take(b->in->team, multiply_pieces, b);
    }
    return clock_now() - start;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

static void send_windows(struct batch *b)
{
    for (int rank = 1; rank < group()->ranks; rank++) {
        const struct part p = part_of(b, rank);
        for (int64_t unit = p.first; unit < p.end; unit++)
            messages_send(&b->in->messages, windows(b, unit), batches_floats(&b->in->batches, unit),
                          rank);
    }
    messages_wait(&b->in->messages);
}

static void receive_products(struct batch *b)
{
    for (int rank = 1; rank < group()->ranks; rank++) {
        const struct part p = part_of(b, rank);
        for (int64_t unit = p.first; unit < p.end; unit++) {
            const int64_t floats = batches_floats(&b->in->batches, unit);
            messages_receive(&b->in->messages, windows(b, unit) + floats, floats, rank);
        }
    }
    messages_wait(&b->in->messages);
}

static void receive_windows(struct batch *b)
{
    const struct part p = part_of(b, group()->rank);
    for (int64_t unit = p.first; unit < p.end; unit++)
        messages_receive(&b->in->messages, windows(b, unit), batches_floats(&b->in->batches, unit),
                         GROUP_ROOT);
    messages_wait(&b->in->messages);
}

static void send_products(struct batch *b)
{
    const struct part p = part_of(b, group()->rank);
    for (int64_t unit = p.first; unit < p.end; unit++) {
        const int64_t floats = batches_floats(&b->in->batches, unit);
        messages_send(&b->in->messages, windows(b, unit) + floats, floats, GROUP_ROOT);
    }
    messages_wait(&b->in->messages);
}

/* ---- an execution ------------------------------------------------------------------------------
 */

static void run_root(struct batch *b, struct rank_times *times)
{
    const double begin = clock_now();
    for (int64_t unit = b->first; unit < b->first + b->count; unit++)
        run_stage(b, unit, STAGE_CUT);
    const double cut = clock_now();
    send_windows(b);
    const double sent = clock_now();
    const double product_s = multiply(b);
    const double multiplied = clock_now();
    receive_products(b);
    const double received = clock_now();
    for (int64_t unit = b->first; unit < b->first + b->count; unit++)
        run_stage(b, unit, STAGE_REDUCE);
    times->distribute_s += sent - cut;
    times->compute_s += (cut - begin) + (multiplied - sent) + (clock_now() - received);
    times->collect_s += received - multiplied;
    b->in->workers[0].product_s += product_s;
}

static void run_other(struct batch *b, struct rank_times *times)
{
    receive_windows(b);
    const double product_s = multiply(b);
    send_products(b);
    times->compute_s += product_s;
    b->in->workers[0].product_s += product_s;
}

static void execute(struct instance *in, struct rank_times *times)
{
    const int64_t units = in->batches.units.units;
    struct batch b = {.in = in};
    for (; b.first < units; b.first += b.count) {
        b.count = in->batches.most < units - b.first ? in->batches.most : units - b.first;
        if (group()->rank == GROUP_ROOT)
            run_root(&b, times);
        else
            run_other(&b, times);
    }
}

/* The root's messages, one per unit at least, are the most. */
static size_t pieces(struct instance *in)
{
    return (size_t)in->batches.most * messages_pieces(batches_floats(&in->batches, 0));
}

const struct distributing distribute_product = {
    .map_at_root = true, .root_alone = true, .pieces = pieces, .execute = execute};
