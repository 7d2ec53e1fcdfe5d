/* A method of ours, with the same arrays and orders as a kernel from outside. */
#include "classroom/lab/call/kinds.h"
#include "classroom/lab/worker/callable.h"
#include "harness/machine/machine.h"
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
    struct instance *instance;
    float *packed;
    double product_s; /* of the last call, if one worker computes in stages; otherwise 0 */
    const struct peer *peer;
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

static enum status settle_method(struct failure *f)
{
    struct machine machine;
    double seconds;
    struct operation *op = &own.operation;
    machine_describe(&machine);
    memcpy(op->caches.bytes, machine.cache_bytes, sizeof op->caches.bytes);
    operation_choose_isa(op, isa_best());
    const enum status status = operation_pack(op, &own.packed, &seconds, f);
    op->packed = own.packed;
    return status;
}

/* The operation in the shared arrays: the space allocates and fills none of its own. */
static enum status open_here(float *const arrays[LAB_ARRAYS], struct failure *f)
{
    const struct job job = {.operation = &own.operation,
                            .peer = own.peer,
                            .threads = own.team.workers,
                            .held = {.image = arrays[LAB_IMAGE], .map = arrays[LAB_MAP]},
                            .min_cost = SPACE_MIN_COST};
    struct resources ignored;
    return host_open(&job, own.team, &own.instance, &ignored, f);
}

static enum status settle(const struct lab_order *order, float *const arrays[LAB_ARRAYS],
                          struct failure *f)
{
    const struct foreign_sizes size = lab_size_of(own.kind, order->integers);
    struct operation *op = &own.operation;
    host_close(own.instance);
    free(own.packed);
    own.instance = NULL;
    own.packed = NULL;
    const enum status status = lab_operation(op, own.kind, &size, f);
    op->method = own.method;
    own.order = *order;
    if (status == STATUS_OK)
        bind_right(op, arrays[LAB_SECOND], f);
    if (f->status == STATUS_OK && !own.peer)
        settle_method(f);
    return f->status == STATUS_OK ? open_here(arrays, f) : f->status;
}

/* ---- computing ------------------------------------------------------------------------------- */

/* Packs the right operand in every call: a kernel from outside gets a new one with each call, so
 * whatever it prepares is in its time. (matmul's methods pack B with their workers, panel by
 * panel.) */
static void pack_again(void)
{
    if (own.packed)
        own.method->pack(&own.operation, own.packed);
}

void callable_call(const struct lab_order *order, float *const arrays[LAB_ARRAYS])
{
    struct failure f = {0};
    struct phases phases = phases_none();
    if (memcmp(order, &own.order, sizeof *order) != 0)
        settle(order, arrays, &f);
    if (f.status == STATUS_OK) {
        pack_again();
        host_execute(own.instance, &phases, &f);
    }
    if (f.status != STATUS_OK)
        stop(&f);
    own.product_s = own.team.workers == 1 && phases.product_s > 0.0 ? phases.product_s : 0.0;
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

double callable_product_s(void)
{
    return own.product_s;
}
