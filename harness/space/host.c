#include "harness/space/host.h"

#include "harness/base/clock.h"
#include "harness/machine/machine.h"
#include "harness/machine/memory.h"
#include "harness/records/record.h"
#include "harness/space/batches.h"
#include "harness/space/guards.h"
#include "harness/space/peer.h"
#include "harness/space/shares.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The data of one worker, in cache lines that no other worker uses. */
struct worker {
    _Alignas(64) int64_t first_element; /* it fills image elements [first_element, end_element) */
    int64_t end_element;
    void *scratch;
    double compute_s, product_s;
    struct image_facts facts;
    struct failure failure;
};

struct instance {
    const struct operation *operation;
    struct source *source;
    struct team team;
    struct partition partition;
    double min_cost;
    struct instance *first; /* owner of this image and map; NULL: this instance */
    float *image, *map;
    struct guarded image_block, map_block; /* their memory; only the owner has it */
    struct scratch scratch;
    int64_t panels;      /* that workers pack together (struct sharing); 0: each packs its own */
    int64_t panel;       /* the current panel, in `shared_panel` ... */
    int64_t term, terms; /* ... and the rows of the right operand that it holds */
    struct guarded shared_panel;
    size_t shared_panel_bytes;
    struct worker *workers;
    struct shares shares;
    int64_t pieces;         /* of each share */
    bool clocked;           /* each worker reads the clock before and after its share */
    struct batches batches; /* if only the product is parallel (batches.most > 0) ... */
    int64_t batch, batched; /* ... the first unit of the current batch, and the number of units */
    struct computing computing;
    const struct peer *peer; /* the library that computes; NULL: none */
    struct peer_state *peer_state;
};

/* ---- teams ---------------------------------------------------------------------------------- */

void team_alone(int64_t workers, team_task *task, void *context)
{
    for (int64_t worker = 0; worker < workers; worker++)
        task(worker, context);
}

void team_hold(struct team team, void (*body)(void *context), void *context)
{
    if (team.holding)
        team.holding->hold(team.workers, body, context);
    else
        body(context);
}

void team_take(struct team team, team_task *task, void *context)
{
    (team.holding ? team.holding->take : team.run)(team.workers, task, context);
}

struct team_binding {
    int64_t first;
    enum binding binding;
    pthread_mutex_t lock; /* protects the failure */
    struct failure failure;
};

static void bind_worker(int64_t worker, void *context)
{
    struct team_binding *binding = context;
    struct failure f = {0};
    if (machine_bind_thread(binding->first + worker, binding->binding, &f) == STATUS_OK)
        return;
    pthread_mutex_lock(&binding->lock);
    fail(&binding->failure, f.status, "%s", f.message);
    pthread_mutex_unlock(&binding->lock);
}

enum status team_bind(struct team team, int64_t first, enum binding asked, struct failure *f)
{
    struct team_binding binding = {
        .first = first, .binding = asked, .lock = PTHREAD_MUTEX_INITIALIZER};
    team.run(team.workers, bind_worker, &binding);
    if (binding.failure.status == STATUS_OK)
        return STATUS_OK;
    return fail(f, binding.failure.status, "%s", binding.failure.message);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static size_t shape_bytes(struct image_shape s)
{
    return (size_t)(s.planes * s.rows * s.cols) * sizeof(float);
}

/* Decides who computes which outputs: with --parallel product the first worker, but for the
 * products, has all of them. */
static void settle_partition(struct instance *in, enum parallel_part parallel)
{
    const bool alone = parallel == PARALLEL_PRODUCT;
    if (alone)
        in->batches = batches_make(in->operation, in->team.workers);
    in->partition = operation_partition(in->operation, alone ? 1 : in->team.workers, in->min_cost);
}

/* Parts are multiples of the page size, so that first touch places each worker's scratch on its own
 * NUMA node. Small parts of a large whole share a huge page with the part of the next worker, which
 * is a neighbour. */
static void settle_scratch(struct instance *in)
{
    const size_t needed =
        in->batches.most > 0
            ? batches_scratch(&in->batches)
            : operation_scratch(in->operation, partition_block_cols(&in->partition));
    scratch_settle(&in->scratch, needed, memory_page(needed), in->partition.workers);
}

/* Decides whether all workers pack panels together, and sets the bytes of one panel. */
static void settle_panels(struct instance *in)
{
    const struct operation *op = in->operation;
    const struct sharing *sharing = in->computing.by_method ? op->method->sharing : NULL;
    in->panels = sharing ? sharing->panels(op, in->partition.workers) : 0;
    in->shared_panel_bytes =
        in->panels > 0 ? memory_multiply(sharing->floats(op), sizeof(float)) : 0;
    in->pieces = operation_pieces(op, &in->partition, in->panels > 0);
}

static enum status allocate_own(struct instance *in, struct failure *f)
{
    enum status status = scratch_allocate(&in->scratch, "the scratch", f);
    if (status == STATUS_OK && in->shared_panel_bytes > 0)
        status = guarded_allocate(&in->shared_panel, in->shared_panel_bytes,
                                  "the panel of all workers", f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&in->workers,
                                 (size_t)in->team.workers * sizeof *in->workers, "the workers", f);
    if (status == STATUS_OK)
        status = shares_open(&in->shares, in->team.workers, f);
    return status;
}

/* Image and map of its own, unless the caller holds both. */
static enum status allocate(struct instance *in, const struct held *held, struct failure *f)
{
    const struct operation *op = in->operation;
    in->image = held->image;
    in->map = held->map;
    if (held->image)
        return allocate_own(in, f);
    const size_t own = memory_add(scratch_total(&in->scratch), in->shared_panel_bytes);
    const size_t both = memory_add(shape_bytes(op->image), shape_bytes(op->map));
    enum status status = memory_check(memory_add(both, own), "image, map and scratch", f);
    if (status == STATUS_OK)
        status = guarded_allocate(&in->image_block, shape_bytes(op->image), "the image", f);
    if (status == STATUS_OK)
        status = guarded_allocate(&in->map_block, shape_bytes(op->map), "the map", f);
    in->image = in->image_block.block;
    in->map = in->map_block.block;
    return status == STATUS_OK ? allocate_own(in, f) : status;
}

/* Sets the range of elements that each worker fills. Windows may begin at the same element as their
 * predecessors' or, with wide padding, before them: the running maximum keeps every element in
 * exactly one range. */
static void assign(struct instance *in)
{
    int64_t begin = 0;
    for (int64_t w = 0; w < in->team.workers; w++) {
        struct worker *worker = &in->workers[w];
        const struct share next = partition_share(&in->partition, w + 1);
        const int64_t end = operation_first_element(in->operation, &in->partition, next.first);
        *worker = (struct worker){.facts = IMAGE_FACTS_NONE, .first_element = begin};
        worker->end_element = end > begin ? end : begin;
        begin = worker->end_element;
        if (w < in->partition.workers)
            worker->scratch = scratch_part(&in->scratch, w);
    }
}

/* ---- first touch and filling ---------------------------------------------------------------- */

/* Reads image elements [first, end) in pieces that are rectangles of one plane: the rest of a row,
 * whole rows, the start of a row. */
static enum status fill_elements(struct instance *in, int64_t first, int64_t end,
                                 struct image_facts *facts, struct failure *f)
{
    const struct image_shape shape = in->operation->image;
    while (first < end) {
        const int64_t col = first % shape.cols, line = first / shape.cols;
        const int64_t row = line % shape.rows;
        const int64_t whole = (end - first) / shape.cols;
        struct image_range range = {.plane = line / shape.rows, .row = row, .rows = 1, .col = col};
        if (col == 0 && whole > 0) {
            range.rows = whole < shape.rows - row ? whole : shape.rows - row;
            range.cols = shape.cols;
        } else {
            range.cols = end - first < shape.cols - col ? end - first : shape.cols - col;
        }
        enum status status =
            source_read(in->source, &range, in->image + first, shape.cols, facts, f);
        if (status != STATUS_OK)
            return status;
        first += range.rows * range.cols;
    }
    return STATUS_OK;
}

/* First touch: the worker touches its part of scratch and image, and fills its elements if the
 * source can be read concurrently. Without a source the caller has filled the image. */
static void touch_share(int64_t index, void *context)
{
    struct instance *in = context;
    struct worker *worker = &in->workers[index];
    if (worker->scratch)
        memset(worker->scratch, 0, in->scratch.step);
    if (!in->source)
        return;
    if (source_concurrent(in->source))
        fill_elements(in, worker->first_element, worker->end_element, &worker->facts,
                      &worker->failure);
    else
        memset(in->image + worker->first_element, 0,
               (size_t)(worker->end_element - worker->first_element) * sizeof(float));
}

static enum status fill(struct instance *in, struct image_facts *facts, struct failure *f)
{
    const struct image_shape shape = in->operation->image;
    *facts = IMAGE_FACTS_NONE;
    in->team.run(in->team.workers, touch_share, in);
    if (in->source && !source_concurrent(in->source))
        return fill_elements(in, 0, shape.planes * shape.rows * shape.cols, facts, f);
    for (int64_t w = 0; w < in->team.workers; w++) {
        const struct worker *worker = &in->workers[w];
        if (worker->failure.status != STATUS_OK)
            return fail(f, worker->failure.status, "%s", worker->failure.message);
        image_facts_merge(facts, &worker->facts);
    }
    return STATUS_OK;
}

/* ---- peers ---------------------------------------------------------------------------------- */

static enum status prepare_peer(struct instance *in, const struct peer *peer,
                                struct resources *resources, struct failure *f)
{
    if (!peer)
        return STATUS_OK;
    const struct peer_job job = {.operation = in->operation,
                                 .image = in->image,
                                 .map = in->map,
                                 .threads = in->team.workers,
                                 .way = peer->way};
    in->peer = peer;
    const enum status status = peer_state_make(&in->peer_state, peer->state_bytes, f);
    in->computing.state = in->peer_state;
    return status == STATUS_OK ? peer->prepare(&job, in->peer_state, &resources->isa, f) : status;
}

/* ---- the space's functions --------------------------------------------------------------------
 */

/* Plants the guards of the worker's own scratch, whose last page this worker must touch first. The
 * last worker also plants the guards of image, map and panel, which end with its part. */
static void plant_share(int64_t index, void *context)
{
    struct instance *in = context;
    scratch_plant(&in->scratch, index);
    if (index < in->team.workers - 1)
        return;
    guarded_plant(&in->image_block);
    guarded_plant(&in->map_block);
    guarded_plant(&in->shared_panel);
}

enum status host_check_guards(struct instance *in, struct failure *f)
{
    struct instance *owner = in->first ? in->first : in;
    const struct image_shape image = in->operation->image, map = in->operation->map;
    const struct guarded_lines all[] = {{"map", map, 0, map.planes * map.rows},
                                        {"image", image, 0, image.planes * image.rows}};
    const enum status parts[] = {guards_check_lines(&owner->map_block, &all[0], f),
                                 guards_check_lines(&owner->image_block, &all[1], f),
                                 scratch_check(&in->scratch, f),
                                 guards_check_floats(&in->shared_panel, "panel of all workers", f)};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof parts / sizeof *parts; i++)
        status = parts[i];
    return status;
}

/* The steps after the allocation. */
static enum status finish_opening(struct instance *in, const struct job *job,
                                  struct resources *resources, struct failure *f)
{
    resources->isa = isa_name(in->operation->isa);
    const enum status status = prepare_peer(in, job->peer, resources, f);
    if (status != STATUS_OK)
        return status;
    host_poison(in);
    in->team.run(in->team.workers, plant_share, in);
    resources->partition = in->partition;
    if (in->batches.most > 0)
        resources->partition.workers = batches_workers(&in->batches, in->team.workers);
    resources->scratch_bytes = (int64_t)(scratch_bytes(&in->scratch) + in->shared_panel_bytes);
    return STATUS_OK;
}

/* Opens `in`, whose team, cost and owner are set, on the memory `held`. */
static enum status open_on(struct instance *in, const struct job *job, const struct held *held,
                           struct resources *resources, struct failure *f)
{
    in->operation = job->operation;
    in->computing = computing_of(job);
    settle_partition(in, job->parallel);
    settle_panels(in);
    settle_scratch(in);
    enum status status = allocate(in, held, f);
    if (status != STATUS_OK)
        return status;
    assign(in);
    if (!in->first)
        status = fill(in, &resources->facts, f);
    return status == STATUS_OK ? finish_opening(in, job, resources, f) : status;
}

/* Makes an instance like the given one, and opens it. */
static enum status make(const struct instance *like, const struct job *job, const struct held *held,
                        struct instance **out, struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    *out = NULL;
    struct instance *in = calloc(1, sizeof *in);
    if (!in)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    *in = *like;
    const enum status status = open_on(in, job, held, resources, f);
    if (status != STATUS_OK) {
        host_close(in);
        return status;
    }
    resources->setup_s = clock_now() - start;
    *out = in;
    return STATUS_OK;
}

enum status host_open(const struct job *job, struct team team, struct instance **out,
                      struct resources *resources, struct failure *f)
{
    const struct instance own = {.source = job->source, .team = team, .min_cost = job->min_cost};
    const enum status status = make(&own, job, &job->held, out, resources, f);
    if (status == STATUS_OK)
        resources->pages = memory_pages((*out)->image, shape_bytes(job->operation->image));
    return status;
}

/* The image was first touched by the first method's partition. Partitions of one map differ by a
 * row at the edges of shares. They differ in the number of workers only if each would get less than
 * min_cost: images of some ten thousand elements, which fit the caches whoever touched them. */
enum status host_join(struct instance *first, const struct job *job, struct instance **out,
                      struct resources *resources, struct failure *f)
{
    const struct instance joined = {
        .team = first->team, .min_cost = first->min_cost, .first = first};
    const struct held shared = {.image = first->image, .map = first->map};
    return make(&joined, job, &shared, out, resources, f);
}

/* Fills the share with a NaN that no computation produces: a forgotten output can neither pass nor
 * look like a number. */
static void poison_share(int64_t index, void *context)
{
    struct instance *in = context;
    const struct share share = partition_share(&in->partition, index);
    const int64_t first = partition_output(&in->partition, share.first);
    const int64_t end = partition_output(&in->partition, share.first + share.count);
    if (share.count > 0)
        memset(in->map + first, 0xff, (size_t)(end - first) * sizeof(float));
    if (index == 0)
        batches_poison(&in->batches, in->workers[0].scratch);
}

void host_poison(struct instance *in)
{
    in->team.run(in->team.workers, poison_share, in);
}

/* The portion of a block: the whole image and the whole map are in this process's memory. */
static struct portion portion_of(const struct instance *in, const struct block *block,
                                 void *scratch)
{
    const struct image_shape image = in->operation->image, map = in->operation->map;
    const int64_t plane = in->operation->kind->begin(in->operation, block->plane, 0, 0).plane;
    const struct view view = {.data = in->image + plane * image.rows * image.cols,
                              .row_stride = image.cols,
                              .first_row = 0,
                              .rows = image.rows,
                              .plane_stride = image.rows * image.cols};
    const struct map_view target = {.data = in->map + block->plane * map.rows * map.cols,
                                    .row_stride = map.cols,
                                    .first_row = 0,
                                    .plane_stride = map.rows * map.cols};
    struct portion portion = portion_whole(in->operation, block, view, target, scratch);
    portion.shared_rows = map.rows;
    return portion;
}

static void compute_block(struct instance *in, struct worker *worker, const struct block *block)
{
    struct portion portion = portion_of(in, block, worker->scratch);
    if (in->panels > 0) {
        portion.term = in->term;
        portion.terms = in->terms;
        portion.panel = in->shared_panel.block;
    }
    computing_run(&in->computing, &portion, &worker->product_s);
}

/* Computes the pieces that a worker takes: first those of its own share. */
static void compute_pieces(int64_t index, void *context)
{
    struct instance *in = context;
    struct worker *worker = &in->workers[index];
    struct taker taker = {.shares = &in->shares, .worker = index, .units = in->partition.units};
    struct block block;
    const double start = in->clocked ? clock_now() : 0.0;
    while (shares_take(&taker)) {
        struct share piece = {taker.first, taker.end - taker.first};
        while (partition_next(&in->partition, &piece, &block))
            compute_block(in, worker, &block);
    }
    if (in->clocked)
        worker->compute_s += clock_now() - start;
}

static void pack_share(int64_t index, void *context)
{
    struct instance *in = context;
    const struct operation *op = in->operation;
    struct taker taker = {.shares = &in->shares, .worker = index, .units = in->partition.workers};
    const double start = in->clocked ? clock_now() : 0.0;
    while (shares_take(&taker))
        op->method->sharing->pack(op, in->panel, taker.owner, in->partition.workers,
                                  in->shared_panel.block);
    if (in->clocked)
        in->workers[index].compute_s += clock_now() - start;
}

static void compute(struct instance *in)
{
    shares_begin(&in->shares, in->partition.workers, in->pieces);
    team_take(in->team, compute_pieces, in);
}

/* One stage of unit `unit` of the current batch. */
static void run_stage(struct instance *in, int64_t unit, enum stage stage)
{
    const struct block block = batches_block(&in->batches, unit);
    const struct portion portion =
        portion_of(in, &block, batches_part(&in->batches, in->workers[0].scratch, in->batch, unit));
    in->operation->kind->run(in->operation, &portion, stage);
}

static void multiply_pieces(int64_t index, void *context)
{
    struct instance *in = context;
    struct taker taker = {.shares = &in->shares, .worker = index, .units = in->batched};
    const double start = in->clocked ? clock_now() : 0.0;
    while (shares_take(&taker))
        for (int64_t unit = taker.first; unit < taker.end; unit++)
            run_stage(in, in->batch + unit, STAGE_MULTIPLY);
    if (in->clocked && index > 0)
        in->workers[index].compute_s += clock_now() - start;
}

/* All workers multiply the windows of the current batch. */
static void multiply_batch(struct instance *in)
{
    const double start = clock_now();
    batches_begin(&in->shares, in->batched, in->team.workers);
    team_take(in->team, multiply_pieces, in);
    in->workers[0].product_s += clock_now() - start;
}

/* Only the product is parallel: the first worker, the caller, cuts all windows of a batch before,
 * and reduces the products after it. */
static void run_batches(struct instance *in)
{
    const double start = clock_now();
    for (in->batch = 0; in->batch < in->batches.units.units; in->batch += in->batched) {
        in->batched = least(in->batches.most, in->batches.units.units - in->batch);
        for (int64_t i = 0; i < in->batched; i++)
            run_stage(in, in->batch + i, STAGE_CUT);
        multiply_batch(in);
        for (int64_t i = 0; i < in->batched; i++)
            run_stage(in, in->batch + i, STAGE_REDUCE);
    }
    if (in->clocked)
        in->workers[0].compute_s += clock_now() - start;
}

/* The workers compute all shares; if they pack panels together, once per panel. The return of a
 * team's task is the barrier that packing and computing need. */
static void run_workers(struct instance *in)
{
    if (in->panels == 0)
        compute(in);
    for (in->panel = 0; in->panel < in->panels; in->panel++) {
        in->operation->method->sharing->rows(in->operation, in->panel, &in->term, &in->terms);
        shares_begin(&in->shares, in->partition.workers, 1);
        team_take(in->team, pack_share, in);
        compute(in);
    }
}

/* The largest product seconds over the workers. */
static double product_seconds(const struct instance *in)
{
    double product = 0.0;
    for (int64_t w = 0; w < in->team.workers; w++)
        product = fmax(product, in->workers[w].product_s);
    return in->computing.staged ? product : NAN;
}

static double imbalance(const struct instance *in)
{
    double longest = 0.0, sum = 0.0;
    for (int64_t w = 0; w < in->team.workers; w++) {
        sum += in->workers[w].compute_s;
        longest = fmax(longest, in->workers[w].compute_s);
    }
    return longest - sum / (double)in->team.workers;
}

struct executions {
    struct instance *instance;
    int64_t repeats;
};

static void execute_repeats(void *context)
{
    const struct executions *e = context;
    for (int64_t i = 0; i < e->repeats; i++)
        if (e->instance->batches.most > 0)
            run_batches(e->instance);
        else
            run_workers(e->instance);
}

/* In a batch, workers do not read the clock: its cost would be a large part of so short an
 * execution. */
enum status host_execute_batch(struct instance *in, int64_t repeats, struct phases *phases,
                               struct failure *f)
{
    const bool whole = in->peer && in->peer->execute; /* with its own threads */
    enum status status = STATUS_OK;
    in->clocked = repeats == 1 && !whole;
    for (int64_t w = 0; w < in->team.workers; w++)
        in->workers[w].product_s = in->workers[w].compute_s = 0.0;
    const double start = clock_now();
    struct executions executions = {in, repeats};
    for (int64_t i = 0; whole && status == STATUS_OK && i < repeats; i++)
        status = in->peer->execute(in->peer_state, f);
    if (!whole)
        team_hold(in->team, execute_repeats, &executions);
    const double seconds = (clock_now() - start) / (double)repeats;
    *phases = phases_none();
    phases->distribute_s = phases->collect_s = 0.0;
    phases->compute_s = phases->total_s = seconds;
    phases->product_s = product_seconds(in) / (double)repeats;
    if (in->clocked)
        phases->imbalance_s = imbalance(in);
    if (status == STATUS_OK && in->peer && in->peer->deliver)
        status = in->peer->deliver(in->peer_state, f);
    return status;
}

enum status host_execute(struct instance *in, struct phases *phases, struct failure *f)
{
    return host_execute_batch(in, 1, phases, f);
}

void host_hold(struct instance *in, void (*body)(void *context), void *context)
{
    team_hold(in->team, body, context);
}

const float *host_map(const struct instance *in, int64_t *first, int64_t *count)
{
    const struct image_shape map = in->operation->map;
    *first = 0;
    *count = map.planes * map.rows * map.cols;
    return in->map;
}

void host_close(struct instance *in)
{
    if (!in)
        return;
    if (in->peer)
        peer_state_end(in->peer_state, in->peer->release);
    guarded_release(&in->image_block);
    guarded_release(&in->map_block);
    scratch_release(&in->scratch);
    guarded_release(&in->shared_panel);
    shares_close(&in->shares);
    free(in->workers);
    free(in);
}
