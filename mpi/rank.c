#include "mpi/rank.h"

#include "harness/base/clock.h"
#include "mpi/group.h"

float *rank_image_lines(const struct instance *in, struct lines lines)
{
    return in->image + (lines.first - in->image_held.first) * in->operation->image.cols;
}

static float *rank_map_lines(const struct instance *in, struct lines lines)
{
    return in->map + (lines.first - in->map_held.first) * in->operation->map.cols;
}

enum status rank_allocate(const struct instance *in, struct guarded *block, size_t bytes,
                          const char *what, struct failure *f)
{
    return in->engine ? in->engine->allocate(block, bytes, what, f)
                      : guarded_allocate(block, bytes, what, f);
}

void rank_release(const struct instance *in, struct guarded *block)
{
    if (in->engine)
        in->engine->release(block);
    else
        guarded_release(block);
}

/* ---- computing --------------------------------------------------------------------------------
 */

/* Map lines that the team computes together: units of the method's rows. The partition treats them
 * as one plane whose units are all whole, although the last of each plane may have fewer rows. */
struct task {
    struct instance *in;
    struct lines lines;
    struct partition map; /* in the method's units */
    struct partition partition;
    const struct rank_panel *panel; /* NULL: the whole computation at once */
};

/* Limits a portion to the part that a panel contributes. */
static void narrow(struct portion *portion, const struct rank_panel *panel)
{
    portion->right = panel->rows;
    portion->term = panel->term;
    portion->terms = panel->terms;
    portion->right_plane = panel->plane;
}

/* Records which rows of the portion's plane the team computes together. */
static void share_rows(struct portion *portion, struct lines lines, int64_t rows_per_plane)
{
    const int64_t begin = portion->block.plane * rows_per_plane;
    const struct lines here = lines_common(lines, (struct lines){begin, rows_per_plane});
    portion->shared_first = here.first - begin;
    portion->shared_rows = here.count;
}

/* The lines of a block of the partition. */
static struct lines lines_of_block(const struct task *task, const struct block *b)
{
    const int64_t unit = task->map.unit_rows;
    const int64_t first = units_of_lines(&task->map, task->lines).first;
    return lines_of_units(&task->map, (struct share){first + b->row / unit, b->rows / unit});
}

/* Computes one block of the partition, as blocks of planes. */
static void compute_block(const struct task *task, struct rank_worker *worker,
                          const struct block *assigned)
{
    const struct instance *in = task->in;
    const struct operation *op = in->operation;
    struct lines rest = lines_of_block(task, assigned);
    struct block block = *assigned;
    while (lines_next_block(&rest, op->map.rows, op->method->whole_planes, &block)) {
        const int64_t plane = op->kind->begin(op, block.plane, 0, 0).plane;
        const struct view image = lines_view(in->image, in->image_held, op->image, plane);
        const struct map_view map = lines_map_view(in->map, in->map_held, op->map, block.plane);
        struct portion portion = portion_whole(op, &block, image, map, worker->scratch);
        share_rows(&portion, task->lines, op->map.rows);
        if (task->panel)
            narrow(&portion, task->panel);
        computing_run(&in->computing, &portion, &worker->product_s);
    }
}

/* Computes the pieces that a worker takes: first those of its own share. */
static void compute_pieces(int64_t index, void *context)
{
    const struct task *task = context;
    struct rank_worker *worker = &task->in->workers[index];
    struct taker taker = {
        .shares = &task->in->shares, .worker = index, .units = task->partition.units};
    struct block block;
    while (shares_take(&taker)) {
        struct share piece = {taker.first, taker.end - taker.first};
        while (partition_next(&task->partition, &piece, &block))
            compute_block(task, worker, &block);
    }
}

/* The map in the method's units. */
static struct partition map_units(const struct operation *op)
{
    return bands_partition(op, 1, operation_unit_rows(op));
}

/* The operation on some map lines alone, as one plane of whole units. */
static struct operation of_lines(const struct operation *op, struct lines lines)
{
    const struct partition map = map_units(op);
    struct operation part = *op;
    part.map.planes = 1;
    part.map.rows = units_of_lines(&map, lines).count * map.unit_rows;
    return part;
}

static struct partition divide(const struct instance *in, const struct operation *part)
{
    return operation_partition(part, in->team.workers, in->min_cost);
}

struct partition rank_partition(const struct instance *in, struct lines lines)
{
    const struct operation part = of_lines(in->operation, lines);
    return divide(in, &part);
}

/* The engine computes whole lines. After a failure it computes nothing more. */
static void compute_by_engine(struct instance *in, struct lines lines)
{
    struct failure *f = &in->trouble;
    if (!in->begun && f->status == STATUS_OK)
        in->engine->begin(in->device, f);
    in->begun = true;
    if (f->status == STATUS_OK)
        in->engine->compute(in->device, lines.first, lines.count, &in->device_s, f);
}

static void compute(struct instance *in, struct lines lines, const struct rank_panel *panel)
{
    if (lines.count == 0)
        return;
    if (in->engine) {
        compute_by_engine(in, lines);
        return;
    }
    const struct operation part = of_lines(in->operation, lines);
    struct task task = {in, lines, map_units(in->operation), divide(in, &part), panel};
    shares_begin(&in->shares, task.partition.workers,
                 operation_pieces(&part, &task.partition, false));
    team_take(in->team, compute_pieces, &task);
}

void rank_compute(struct instance *in, struct lines lines)
{
    compute(in, lines, NULL);
}

void rank_multiply(struct instance *in, const struct rank_panel *panel)
{
    compute(in, in->band.map, panel);
}

/* ---- image from the root, map to the root -----------------------------------------------------
 */

static int64_t image_floats(const struct instance *in, int rank)
{
    return in->bands[rank].image.count * in->operation->image.cols;
}

static int64_t map_floats(const struct instance *in, int rank)
{
    return in->bands[rank].map.count * in->operation->map.cols;
}

/* Counts the messages between the root and the other ranks. */
size_t rank_pieces(const struct instance *in, rank_floats *floats)
{
    const struct rank_group *g = group();
    size_t pieces = 0;
    if (g->rank != GROUP_ROOT)
        return messages_pieces(floats(in, g->rank));
    for (int rank = 1; rank < g->ranks; rank++)
        pieces += messages_pieces(floats(in, rank));
    return pieces;
}

size_t rank_scatter_pieces(struct instance *in)
{
    return rank_pieces(in, image_floats);
}

size_t rank_collect_pieces(struct instance *in)
{
    return rank_pieces(in, map_floats);
}

void rank_send_parts(struct instance *in, rank_floats *floats, rank_part *part)
{
    const struct rank_group *g = group();
    if (g->rank != GROUP_ROOT)
        messages_receive(&in->messages, part(in, g->rank), floats(in, g->rank), GROUP_ROOT);
    for (int rank = 1; g->rank == GROUP_ROOT && rank < g->ranks; rank++)
        messages_send(&in->messages, part(in, rank), floats(in, rank), rank);
    messages_wait(&in->messages);
}

static float *image_part(const struct instance *in, int rank)
{
    return rank_image_lines(in, in->bands[rank].image);
}

void rank_scatter(struct instance *in)
{
    rank_send_parts(in, image_floats, image_part);
}

void rank_collect(struct instance *in, float *whole)
{
    const struct rank_group *g = group();
    if (g->rank != GROUP_ROOT)
        messages_send(&in->messages, rank_map_lines(in, in->band.map), map_floats(in, g->rank),
                      GROUP_ROOT);
    for (int rank = 1; g->rank == GROUP_ROOT && rank < g->ranks; rank++)
        messages_receive(&in->messages, whole + in->bands[rank].map.first * in->operation->map.cols,
                         map_floats(in, rank), rank);
    messages_wait(&in->messages);
}

void rank_end(struct instance *in, struct rank_times *times, double begin, double arrived,
              double waited)
{
    const double computed = clock_now();
    rank_collect(in, in->map);
    const double end = clock_now();
    times->distribute_s += arrived - begin + waited;
    times->compute_s += computed - arrived - waited;
    times->collect_s += end - computed;
}
