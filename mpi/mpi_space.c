#include "mpi/mpi_space.h"

#include "harness/base/clock.h"
#include "harness/machine/machine.h"
#include "harness/machine/memory.h"
#include "mpi/group.h"
#include "mpi/per_rank.h"
#include "mpi/rank.h"
#include "mpi/start_skew.h"
#include "mpi/team.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The engine of this process's instances; NULL: their teams compute. */
static const struct engine *the_engine;

/* ---- memory -----------------------------------------------------------------------------------
 */

static size_t line_bytes(struct lines lines, int64_t cols)
{
    return memory_multiply((size_t)lines.count, (size_t)cols * sizeof(float));
}

/* Checks for all of the memory before any of it is touched; the ranks of one computer check their
 * sum. */
static enum status check_memory(size_t bytes, struct failure *f)
{
    return memory_check_shared(bytes, mpi_processes.sum_here(bytes), "image, map and scratch", f);
}

/* Determines the scratch that this rank's workers need together. */
static void settle_scratch(struct instance *in)
{
    if (in->engine)
        return; /* it has its own */
    if (in->batches.most > 0) {
        scratch_settle(&in->scratch, batches_scratch(&in->batches), 64, 1);
        return;
    }
    const struct partition partition =
        rank_partition(in, in->band.map.count > 0 ? in->band.map : in->bands[0].map);
    const size_t needed = operation_scratch(in->operation, partition_block_cols(&partition));
    scratch_settle(&in->scratch, needed, 64, in->team.workers);
}

/* Returns the most messages in flight at a time: of the image, the map, or what else is
 * distributed. */
static size_t pieces(struct instance *in)
{
    const struct distributing *d = in->distributing;
    const size_t scatter = in->image_at_root && !d->root_alone ? rank_scatter_pieces(in) : 0;
    const size_t own = d->pieces ? d->pieces(in) : 0, collect = rank_collect_pieces(in);
    const size_t most = own > collect ? own : collect;
    return most > scatter ? most : scatter;
}

/* Allocates what belongs to one method alone: scratch, workers and messages. */
static enum status allocate_own(struct instance *in, struct failure *f)
{
    enum status status = scratch_allocate(&in->scratch, "the scratch", f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&in->workers,
                                 (size_t)in->team.workers * sizeof *in->workers, "the workers", f);
    for (int64_t w = 0; status == STATUS_OK && w < in->team.workers; w++)
        in->workers[w] = (struct rank_worker){
            .scratch = w < in->scratch.parts ? scratch_part(&in->scratch, w) : NULL};
    if (status == STATUS_OK)
        status = shares_open(&in->shares, in->team.workers, f);
    return status == STATUS_OK ? messages_reserve(&in->messages, pieces(in), f) : status;
}

static enum status allocate(struct instance *in, struct failure *f)
{
    const struct operation *op = in->operation;
    const size_t image = line_bytes(in->image_held, op->image.cols);
    const size_t map = line_bytes(in->map_held, op->map.cols);
    settle_scratch(in);
    const size_t all = memory_add(memory_add(image, map), scratch_total(&in->scratch));
    enum status status = check_memory(all, f);
    if (status == STATUS_OK)
        status = rank_allocate(in, &in->image_block, image, "the image", f);
    if (status == STATUS_OK)
        status = rank_allocate(in, &in->map_block, map, "the map", f);
    in->image = in->image_block.block;
    in->map = in->map_block.block;
    if (status == STATUS_OK)
        status = allocate_own(in, f);
    return status == STATUS_OK && in->distributing->prepare ? in->distributing->prepare(in, f)
                                                            : status;
}

/* Reads image lines from the source. */
static enum status fill(struct instance *in, struct lines lines, struct image_facts *facts,
                        struct failure *f)
{
    const struct image_shape image = in->operation->image;
    float *next = rank_image_lines(in, lines);
    struct image_range range = {.cols = image.cols};
    enum status status = STATUS_OK;
    while (status == STATUS_OK &&
           lines_next_plane(&lines, image.rows, &range.plane, &range.row, &range.rows)) {
        status = source_read(in->source, &range, next, image.cols, facts, f);
        next += range.rows * image.cols;
    }
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static void describe_partition(const struct instance *in, struct resources *resources)
{
    resources->partition = in->batches.most > 0
                               ? in->batches.units
                               : bands_partition(in->operation, group()->ranks, in->unit_rows);
    if (in->batches.most > 0)
        resources->partition.workers = batches_workers(&in->batches, group()->ranks);
}

/* Records what differs between methods. */
static void describe_method(const struct instance *in, struct resources *resources)
{
    describe_partition(in, resources);
    if (in->engine)
        return; /* it has described itself */
    resources->isa = isa_name(in->operation->isa);
    resources->scratch_bytes = (int64_t)scratch_bytes(&in->scratch) * group()->ranks;
}

static void describe(const struct job *job, const struct instance *in, struct resources *resources)
{
    team_describe(job, in->team, resources);
    if (in->engine) {
        resources->threads = RECORD_NO_INT;
        in->engine->describe(resources);
    }
    describe_method(in, resources);
}

static const struct distributing *find_distributing(const struct job *job)
{
    if (job->parallel == PARALLEL_PRODUCT)
        return &distribute_product;
    if (!operator_takes_panels(job->operation->kind))
        return job->distribution == DISTRIBUTE_SCATTER ? &lines_scatter : &lines_generate;
    if (the_engine)
        return &distribute_whole;
    return operation_right(job->operation)->shape.planes > 1 ? &distribute_planes
                                                             : &distribute_panels;
}

/* Determines which lines each rank computes and this rank holds. */
static enum status assign(struct instance *in, struct failure *f)
{
    const struct operation *op = in->operation;
    const bool root = group()->rank == GROUP_ROOT;
    in->bands = malloc((size_t)group()->ranks * sizeof *in->bands);
    if (!in->bands)
        return fail(f, STATUS_RESOURCE, "no memory for the bands of %d ranks", group()->ranks);
    bands_make(op, group()->ranks, in->unit_rows, in->bands);
    in->band = in->bands[group()->rank];
    in->image_held = in->band.image;
    in->map_held = in->band.map;
    if (!root && in->distributing->root_alone)
        in->image_held = in->map_held = (struct lines){0, 0};
    if (root && in->image_at_root)
        in->image_held = (struct lines){0, op->image.planes * op->image.rows};
    if (root && in->distributing->map_at_root)
        in->map_held = (struct lines){0, op->map.planes * op->map.rows};
    return STATUS_OK;
}

/* Fills the lines that a rank makes or reads before any time is measured: its own; or, if the root
 * scatters the image, all lines in the root. */
static enum status fill_own(struct instance *in, struct image_facts *facts, struct failure *f)
{
    *facts = IMAGE_FACTS_NONE;
    if (!in->image_at_root)
        return fill(in, in->band.own, facts, f);
    return group()->rank == GROUP_ROOT ? fill(in, in->image_held, facts, f) : STATUS_OK;
}

/* Lets the engine open the method on this rank's lines. A rank without lines opens none. */
static enum status open_device(struct instance *in, const struct job *job,
                               struct resources *resources, struct failure *f)
{
    if (!in->engine || in->band.map.count == 0)
        return STATUS_OK;
    struct operand *right = &in->on_device.operands[job->operation->kind->right];
    struct job own = *job;
    in->on_device = *job->operation;
    if (in->panels)
        right->values = in->panels;
    own.operation = &in->on_device;
    own.held = (struct held){.image = in->image,
                             .map = in->map,
                             .image_first = in->image_held.first,
                             .image_end = lines_end(in->band.image),
                             .map_first = in->band.map.first,
                             .map_count = in->band.map.count};
    if (!in->image_at_root && !in->distributing->map_at_root) {
        own.held.interior = in->band.interior.count;
        own.held.own_end = lines_end(in->band.own);
    }
    return in->engine->open(&own, in->first ? in->first->device : NULL, &in->device, resources, f);
}

static void close_mpi(struct instance *in)
{
    if (!in)
        return;
    if (in->engine)
        in->engine->close(in->device);
    messages_release(&in->messages);
    scratch_release(&in->scratch);
    free(in->workers);
    shares_close(&in->shares);
    if (!in->first) {
        free(in->bands);
        rank_release(in, &in->panels_block);
        rank_release(in, &in->image_block);
        rank_release(in, &in->map_block);
    }
    if (!in->joined)
        per_rank_close(in->per_rank, NULL);
    free(in->gathered);
    free(in);
}

/* The parts of opening in which ranks work alone, except to check memory and status. */
static enum status set_up(struct instance *in, const struct job *job, struct resources *resources,
                          struct failure *f)
{
    enum status status = assign(in, f);
    if (status == STATUS_OK && in->engine)
        in->team = (struct team){.workers = 1, .run = team_alone};
    else if (status == STATUS_OK && !in->joined)
        status = team_open(job, &in->team, resources, f);
    status = mpi_processes.common_status(status, f);
    if (status == STATUS_OK && in->engine && !in->joined)
        status = in->engine->take(job, f);
    if (in->distributing->root_alone)
        in->batches = batches_make(in->operation, in->team.workers * group()->ranks);
    if (status == STATUS_OK)
        status = mpi_processes.common_status(allocate(in, f), f);
    if (status == STATUS_OK)
        status = mpi_processes.common_status(open_device(in, job, resources, f), f);
    if (status == STATUS_OK)
        status = mpi_processes.common_status(fill_own(in, &resources->facts, f), f);
    if (status == STATUS_OK && job->per_rank && !in->joined)
        status = per_rank_open(&in->per_rank, job->per_rank, f);
    return status;
}

static void poison_mpi(struct instance *in);

/* Plants the guards of a worker's own scratch, whose last page this worker is to touch first. The
 * last worker also plants the other guards. */
static void plant_share(int64_t index, void *context)
{
    struct instance *in = context;
    scratch_plant(&in->scratch, index);
    if (index < in->team.workers - 1)
        return;
    guarded_plant(&in->image_block);
    guarded_plant(&in->map_block);
    guarded_plant(&in->panels_block);
}

/* Copies what follows from the job; a method that joins uses the source, the team and the per-rank
 * file of the launch's first one. */
static void begin(struct instance *in, const struct instance *launch, const struct job *job)
{
    in->operation = job->operation;
    in->computing = computing_of(job);
    in->source = job->source;
    in->engine = the_engine;
    in->distributing = find_distributing(job);
    in->image_at_root = job->distribution == DISTRIBUTE_SCATTER;
    in->min_cost = job->min_cost;
    in->unit_rows = operation_unit_rows(in->operation);
    in->joined = launch != NULL;
    if (!in->joined)
        return;
    in->source = launch->source;
    in->team = launch->team;
    in->per_rank = launch->per_rank;
}

/* Opens a method on bands, image and map of its own. `launch`: what it joins, or NULL. */
static enum status open_own(const struct instance *launch, const struct job *job,
                            struct instance **out, struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    *out = NULL;
    struct instance *in = calloc(1, sizeof *in);
    enum status status = in ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for an instance");
    status = mpi_processes.common_status(status, f);
    if (status != STATUS_OK) {
        free(in);
        return status;
    }
    begin(in, launch, job);
    status = set_up(in, job, resources, f);
    if (status != STATUS_OK) {
        close_mpi(in);
        return status;
    }
    team_merge_facts(&resources->facts);
    describe(job, in, resources);
    poison_mpi(in);
    in->team.run(in->team.workers, plant_share, in);
    double mine = clock_now() - start;
    MPI_Allreduce(&mine, &resources->setup_s, 1, MPI_DOUBLE, MPI_MAX, group()->all);
    if (group()->rank == GROUP_ROOT)
        resources->pages =
            memory_pages(in->image, line_bytes(in->image_held, job->operation->image.cols));
    *out = in;
    return STATUS_OK;
}

static enum status open_mpi(const struct job *job, struct instance **out,
                            struct resources *resources, struct failure *f)
{
    return open_own(NULL, job, out, resources, f);
}

/* Opens a method on the bands, image and map of `first`; only the partition among a rank's threads
 * differs. */
static enum status open_shared(struct instance *first, const struct job *job, struct instance **out,
                               struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    struct instance *in = malloc(sizeof *in);
    *out = NULL;
    enum status status = in ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for an instance");
    if (in) {
        *in = *first;
        in->first = first;
        in->joined = true;
        in->operation = job->operation;
        in->computing = computing_of(job);
        in->image_block = in->map_block = in->panels_block = (struct guarded){0};
        if (in->distributing->root_alone)
            in->batches = batches_make(in->operation, in->team.workers * group()->ranks);
        settle_scratch(in);
        in->device = NULL;
        in->gathered = NULL;
        in->workers = NULL;
        in->shares = (struct shares){0};
        in->messages = (struct messages){0};
        status = allocate_own(in, f);
        if (status == STATUS_OK)
            status = open_device(in, job, resources, f);
    }
    status = mpi_processes.common_status(status, f);
    if (status != STATUS_OK) {
        close_mpi(in);
        return status;
    }
    in->team.run(in->team.workers, plant_share, in);
    describe_method(in, resources);
    const double mine = clock_now() - start;
    MPI_Allreduce(&mine, &resources->setup_s, 1, MPI_DOUBLE, MPI_MAX, group()->all);
    *out = in;
    return STATUS_OK;
}

/* A method shares the bands of one that computes as many rows together; without one it has its own,
 * as if it were alone. If all had the same, times would depend on which methods are in a launch. */
static enum status join_mpi(struct instance *first, const struct job *job, struct instance **out,
                            struct resources *resources, struct failure *f)
{
    const int64_t unit_rows = operation_unit_rows(job->operation);
    struct instance *owner = first;
    while (owner->unit_rows != unit_rows && owner->next)
        owner = owner->next;
    if (owner->unit_rows == unit_rows)
        return open_shared(owner, job, out, resources, f);
    const enum status status = open_own(first, job, out, resources, f);
    owner->next = *out;
    return status;
}

/* ---- executing --------------------------------------------------------------------------------
 */

/* Fills elements with a value that wins every window, so that an element that was never received
 * shows in the map. */
static void spoil(float *elements, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        elements[i] = FLT_MAX;
}

/* Poisons every line that will be computed or received: after a forgotten message, a rank must not
 * find what the last execution left. */
static void poison_mpi(struct instance *in)
{
    const int64_t cols = in->operation->image.cols;
    const bool root = group()->rank == GROUP_ROOT;
    const int64_t kept = in->image_at_root ? (root ? in->image_held.count : 0) : in->band.own.count;
    memset(in->map, 0xff, line_bytes(in->map_held, in->operation->map.cols));
    spoil(in->image + kept * cols, (in->image_held.count - kept) * cols);
    if (in->panels)
        spoil(in->panels, in->panel_floats);
    batches_poison(&in->batches, in->workers[0].scratch);
    if (in->device)
        in->engine->poison(in->device);
}

/* Means over the executions since the common start. */
static void finish_times(const struct instance *in, const struct start *start, int64_t repeats,
                         struct rank_times *times)
{
    const double n = (double)repeats;
    times->total_s = (clock_now() - start->at) / n;
    times->start_error_s = start->error_s;
    for (int64_t w = 0; w < in->team.workers; w++)
        times->product_s = fmax(times->product_s, in->workers[w].product_s / n);
    times->distribute_s /= n;
    times->compute_s /= n;
    times->collect_s /= n;
}

/* Returns what became of the engines of all ranks, and forgets it. */
static enum status engine_status(struct instance *in, struct failure *f)
{
    const struct failure mine = in->trouble;
    if (mine.status != STATUS_OK)
        *f = mine;
    in->trouble = (struct failure){0};
    return mpi_processes.common_status(mine.status, f);
}

/* Reads the devices of all ranks, after an execution. */
static enum status read_devices(const struct instance *in, struct phases *phases, struct failure *f)
{
    const enum status status = in->device ? in->engine->read(in->device, phases, f) : STATUS_OK;
    in->engine->merge_readings(phases);
    return mpi_processes.common_status(status, f);
}

/* The ranks start together once; each then begins its next execution as soon as it can. */
static enum status execute_batch_mpi(struct instance *in, int64_t repeats, struct phases *phases,
                                     struct failure *f)
{
    struct rank_times times = {.device_s = NAN};
    for (int64_t w = 0; w < in->team.workers; w++)
        in->workers[w].product_s = 0.0;
    in->begun = false;
    in->device_s = 0.0;
    const struct start start = start_together();
    for (int64_t i = 0; i < repeats; i++)
        in->distributing->execute(in, &times);
    if (in->engine)
        times.device_s = in->device_s;
    finish_times(in, &start, repeats, &times);
    times_reduce(&times, in->computing.staged, phases);
    in->times = times;
    const enum status status = in->engine ? engine_status(in, f) : STATUS_OK;
    return status == STATUS_OK && in->engine ? read_devices(in, phases, f) : status;
}

static enum status note_mpi(struct instance *in, struct failure *f)
{
    const char *method = operation_method(in->operation);
    return in->per_rank ? per_rank_append(in->per_rank, method, &in->times, f) : STATUS_OK;
}

static enum status check_guards_mpi(struct instance *in, struct failure *f)
{
    struct instance *owner = in->first ? in->first : in;
    const struct guarded_lines map = {"map", in->operation->map, in->map_held.first,
                                      in->map_held.count};
    const struct guarded_lines image = {"image", in->operation->image, in->image_held.first,
                                        in->image_held.count};
    const enum status parts[] = {guards_check_lines(&owner->map_block, &map, f),
                                 guards_check_lines(&owner->image_block, &image, f),
                                 scratch_check(&in->scratch, f),
                                 guards_check_floats(&owner->panels_block, "panels", f)};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof parts / sizeof *parts; i++)
        status = parts[i];
    return status;
}

static enum status execute_mpi(struct instance *in, struct phases *phases, struct failure *f)
{
    return execute_batch_mpi(in, 1, phases, f);
}

/* ---- the map ----------------------------------------------------------------------------------
 */

/* Returns this rank's part of the map: its band; or, if the root gathers the map, all of it in the
 * root and nothing in other ranks. */
static const float *map_mpi(const struct instance *in, int64_t *first, int64_t *count)
{
    const bool others = in->distributing->map_at_root && group()->rank != GROUP_ROOT;
    *first = in->map_held.first * in->operation->map.cols;
    *count = others ? 0 : in->map_held.count * in->operation->map.cols;
    return in->map;
}

static enum status gather_mpi(struct instance *in, const float **map, struct failure *f)
{
    const struct image_shape shape = in->operation->map;
    const struct lines all = {0, shape.planes * shape.rows};
    *map = in->map;
    if (in->distributing->map_at_root)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (group()->rank == GROUP_ROOT && !in->gathered)
        status = memory_allocate((void **)&in->gathered, line_bytes(all, shape.cols),
                                 "the whole map in rank 0", f);
    status = mpi_processes.common_status(status, f);
    if (status != STATUS_OK)
        return status;
    if (in->gathered)
        memcpy(in->gathered, in->map, line_bytes(in->map_held, shape.cols));
    rank_collect(in, in->gathered);
    *map = in->gathered;
    return STATUS_OK;
}

const struct space mpi_space = {.name = "mpi",
#ifdef MAXPOOL_HAVE_OPENMP
                                .has_threads = true,
#endif
                                .processes = &mpi_processes,
                                .open = open_mpi,
                                .join = join_mpi,
                                .poison = poison_mpi,
                                .execute = execute_mpi,
                                .execute_batch = execute_batch_mpi,
                                .check_guards = check_guards_mpi,
                                .note = note_mpi,
                                .map = map_mpi,
                                .gather = gather_mpi,
                                .close = close_mpi};

static enum status refuse_topic(struct instance *in, enum space_topic topic, FILE *out,
                                struct failure *f)
{
    (void)in;
    (void)out;
    return fail(f, STATUS_USAGE, "%s: for a program of one process, without a launcher",
                topic == SPACE_INDICES  ? "--show-indices"
                : topic == SPACE_COUNTS ? "--count, --explain"
                                        : "--kernel-facts");
}

struct space mpi_space_by(const struct engine *engine)
{
    struct space s = mpi_space;
    the_engine = engine;
    s.name = engine->space;
    s.kind = engine->kind;
    s.has_threads = false;
    s.execute_batch = NULL; /* no execution of a device is too short for the clock */
    s.describe = refuse_topic;
    return s;
}
