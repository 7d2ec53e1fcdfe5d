/* A method of ours, with the same arrays and orders as a kernel from outside. */
#include "experiments/lab/call/kinds.h"
#include "experiments/lab/worker/callable.h"
#include "harness/machine/machine.h"
#include "harness/machine/memory.h"
#include "harness/space/host.h"
#include "peers/peers.h"
#ifdef MAXPOOL_HAVE_OPENMP
#include "openmp/omp.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const bool callable_is_trusted = true;

/* Everything that one shape of the operation needs; made again when an order has another shape. */
static struct {
    const struct operator_row *kind;
    const struct method *method;
    struct team team;
    struct lab_order order; /* order that this was made for; count 0: none yet */
    struct operation operation;
    const float *image;
    float *map, *packed, *workspace;
    struct partition partition;
    int64_t panels, panel, term, terms;
    char *scratch;
    size_t scratch_step;
    double product_s; /* of the last call, if one worker computes */
    const struct peer *peer;
    struct peer_state *peer_state;
} own;

static void stop(const struct failure *f)
{
    fprintf(stderr, "%s\n", f->message);
    exit(f->status);
}

/* ---- finding --------------------------------------------------------------------------------- */

static enum status find_peer(const char *name, struct failure *f)
{
    const struct peer_row *row = peers_find(&host_peers, own.kind, name);
    if (!row)
        return fail(f, STATUS_USAGE, "%s has no method %s", own.kind->name, name);
    const char *why = peer_unavailable(row);
    if (why)
        return fail(f, STATUS_UNAVAILABLE, "%s: %s", name, why);
    own.method = &row->method;
    return host_peers.load(row, &own.peer, f);
}

static enum status find_team(int64_t threads, struct failure *f)
{
#ifdef MAXPOOL_HAVE_OPENMP
    return omp_team(threads, &own.team, f);
#else
    own.team = (struct team){.workers = threads, .run = team_alone};
    return threads == 1 ? STATUS_OK
                        : fail(f, STATUS_UNAVAILABLE, "built without OpenMP: one thread only");
#endif
}

int callable_find(char **argv)
{
    struct failure f = {0};
    own.kind = lab_kind_find(argv[LAB_ARG_OPERATOR]);
    own.method = operator_method(own.kind, SPACE_HOST, argv[LAB_ARG_WHAT]);
    enum status status = own.method ? STATUS_OK : find_peer(argv[LAB_ARG_WHAT], &f);
    if (status == STATUS_OK)
        status = find_team(strtoll(argv[LAB_ARG_THREADS], NULL, 10), &f);
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", f.message);
    return status;
}

/* ---- settling on a shape --------------------------------------------------------------------- */

static void release(void)
{
    free(own.packed);
    free(own.workspace);
    free(own.scratch);
    if (own.peer_state)
        own.peer->release(own.peer_state);
    own.packed = own.workspace = NULL;
    own.scratch = NULL;
    own.peer_state = NULL;
}

/* Binds the right operand, in place in its array, and checks the conditions of the methods. */
static void bind_right(struct operation *op, const float *values, struct failure *f)
{
    struct operand *right = &op->operands[op->kind->right];
    const struct operand_row *row = operator_right(op->kind);
    const char *refusal = NULL;
    right->name = "random";
    right->shape = row->shape(op);
    *(const float **)&right->values = values;
    right->integers = true;
    right->max_abs = 9.0;
    if (op->kind->refuses)
        refusal = op->kind->refuses(op);
    if (!refusal && own.peer && own.peer->refuses)
        refusal = own.peer->refuses(op);
    if (!refusal && own.peer && own.peer->deliver)
        refusal = "it keeps images in a layout of its own, which takes no fresh ones";
    if (!refusal && !own.peer && own.method->refuses)
        refusal = own.method->refuses(op);
    if (refusal)
        fail(f, STATUS_UNAVAILABLE, "%s: %s", own.method->name, refusal);
}

static enum status allocate(struct failure *f)
{
    const struct operation *op = &own.operation;
    const struct sharing *sharing = op->method->sharing;
    const size_t needed = operation_scratch(op, partition_block_cols(&own.partition));
    const size_t page = memory_page(needed);
    own.scratch_step = (needed + page - 1) / page * page;
    own.panels = sharing ? sharing->panels(op, own.partition.workers) : 0;
    enum status status = memory_allocate(
        (void **)&own.scratch, own.scratch_step * (size_t)own.team.workers, "the scratch", f);
    if (status == STATUS_OK && own.panels > 0)
        status = memory_allocate((void **)&own.workspace, sharing->floats(op) * sizeof(float),
                                 "the panel of all workers", f);
    return status;
}

static enum status settle_method(struct failure *f)
{
    struct machine machine;
    double seconds;
    struct operation *op = &own.operation;
    machine_describe(&machine);
    memcpy(op->caches.bytes, machine.cache_bytes, sizeof op->caches.bytes);
    operation_choose_isa(op, isa_best());
    enum status status = operation_pack(op, &own.packed, &seconds, f);
    op->packed = own.packed;
    return status == STATUS_OK ? allocate(f) : status;
}

static enum status settle(const struct lab_order *order, float *const arrays[LAB_ARRAYS],
                          struct failure *f)
{
    const struct foreign_sizes size = lab_size_of(own.kind, order->integers);
    struct operation *op = &own.operation;
    release();
    enum status status = lab_operation(op, own.kind, &size, f);
    op->method = own.method;
    own.image = arrays[LAB_IMAGE];
    own.map = arrays[LAB_MAP];
    own.order = *order;
    if (status == STATUS_OK)
        bind_right(op, arrays[LAB_SECOND], f);
    if (status != STATUS_OK || f->status != STATUS_OK)
        return f->status;
    own.partition = operation_partition(op, own.team.workers, SPACE_MIN_COST);
    own.panels = 0;
    if (!own.peer)
        return settle_method(f);
    struct peer_job job = {.operation = op, .map = own.map, .threads = own.team.workers};
    const char *isa;
    *(const float **)&job.image = own.image;
    return own.peer->prepare(&job, &own.peer_state, &isa, f);
}

/* ---- computing ------------------------------------------------------------------------------- */

static void compute_block(const struct block *block, void *scratch)
{
    const struct operation *op = &own.operation;
    const struct image_shape image = op->image, map = op->map;
    const int64_t plane = op->kind->begin(op, block->plane, 0, 0).plane;
    const struct view view = {.data = own.image + plane * image.rows * image.cols,
                              .row_stride = image.cols,
                              .rows = image.rows,
                              .plane_stride = image.rows * image.cols};
    const struct map_view target = {.data = own.map + block->plane * map.rows * map.cols,
                                    .row_stride = map.cols,
                                    .plane_stride = map.rows * map.cols};
    struct portion portion = portion_whole(op, block, view, target, scratch);
    double product_s = 0.0;
    portion.shared_rows = map.rows;
    if (own.panels > 0) {
        portion.term = own.term;
        portion.terms = own.terms;
        portion.panel = own.workspace;
    }
    if (own.peer)
        own.peer->block(own.peer_state, op, &portion);
    else
        operation_run(op, &portion, &product_s);
    if (own.team.workers == 1)
        own.product_s += product_s;
}

/* Packs the right operand in every call: a kernel from outside gets a new one with each call, so
 * whatever it prepares is in its time. (matmul's methods pack B with their workers, panel by
 * panel.) */
static void pack_again(void)
{
    if (own.packed)
        own.method->pack(&own.operation, own.packed);
}

static void compute_share(int64_t worker, void *context)
{
    struct share share = partition_share(&own.partition, worker);
    struct block block;
    (void)context;
    while (partition_next(&own.partition, &share, &block))
        compute_block(&block, own.scratch + (size_t)worker * own.scratch_step);
}

static void pack_share(int64_t worker, void *context)
{
    const struct operation *op = &own.operation;
    (void)context;
    if (worker < own.partition.workers)
        op->method->sharing->pack(op, own.panel, worker, own.partition.workers, own.workspace);
}

void callable_call(const struct lab_order *order, float *const arrays[LAB_ARRAYS])
{
    struct failure f = {0};
    own.product_s = 0.0;
    if (memcmp(order, &own.order, sizeof *order) != 0)
        settle(order, arrays, &f);
    if (f.status == STATUS_OK && own.peer && own.peer->execute) {
        own.peer->execute(own.peer_state, &f);
    } else if (f.status == STATUS_OK) {
        pack_again();
        if (own.panels == 0)
            own.team.run(own.team.workers, compute_share, NULL);
        for (own.panel = 0; own.panel < own.panels; own.panel++) {
            own.operation.method->sharing->rows(&own.operation, own.panel, &own.term, &own.terms);
            own.team.run(own.team.workers, pack_share, NULL);
            own.team.run(own.team.workers, compute_share, NULL);
        }
    }
    if (f.status != STATUS_OK)
        stop(&f);
}

void callable_move(int32_t ask, void *const arrays[LAB_ARRAYS])
{
    (void)ask;
    (void)arrays;
}

int32_t callable_threads(void)
{
    return 0;
}

struct lab_code callable_code(void)
{
    return (struct lab_code){0};
}

/* With one worker only: the sum over workers that run at once is not a time. */
double callable_product_s(void)
{
    return own.team.workers == 1 ? own.product_s : 0.0;
}
