#include "tests/mpi/same_bits.h"

#include "kernels/min_max.h"
#include "serial/serial.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Convolutions have the most ways to share work. */
enum { DRAWS = 8, CONV_DRAWS = 24, LONG_FACTOR = 50, MOST_METHODS = 32 };

/* ---- drawing ---------------------------------------------------------------------------------
 */

/* Uniform in [least, most]. */
static int64_t draw(uint64_t *state, int64_t least, int64_t most)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return least + (int64_t)((*state >> 33) % (uint64_t)(most - least + 1));
}

struct problem {
    struct operation op;
    struct image_shape planes; /* of the image, channel by channel */
    int64_t channels;          /* whose rows are interleaved; 1: none */
    float *image;              /* plane by plane */
};

/* Parameters of a convolution or of one of its gradients. Half of the windows are those that tiles
 * of outputs compute: 3 x 3 at stride 1. Groups are one, two, or a channel each. */
static void draw_convolution(uint64_t *state, struct problem *p)
{
    struct parameters *q = &p->op.parameters;
    const bool tiles = draw(state, 0, 1);
    q->kernel = tiles ? 3 : draw(state, 1, 5);
    q->stride = tiles ? 1 : draw(state, 1, 3);
    q->padding = draw(state, 0, q->kernel / 2 + 1);
    q->batch = draw(state, 1, 3);
    const int64_t depth = draw(state, 1, 24), filters = draw(state, 1, 40);
    const int64_t form = draw(state, 0, 3);
    q->groups = form == 3 ? depth : form == 2 ? 2 : 1;
    q->channels = form == 3 ? depth : q->groups * depth;
    q->filters = form == 3 ? depth : q->groups * filters;
    q->epilogue = draw(state, 0, 1) && p->op.kind == &conv_operator ? CONV_PASS : CONV_STORE;
    p->channels = q->channels;
    p->planes = (struct image_shape){q->batch * q->channels, draw(state, q->kernel, 30),
                                     draw(state, q->kernel, 30)};
}

static void draw_pooling(uint64_t *state, struct problem *p)
{
    struct parameters *q = &p->op.parameters;
    q->kernel = draw(state, 1, 7);
    q->stride = draw(state, 1, 4);
    q->padding = draw(state, 0, q->kernel / 2);
    q->pad_mode = draw(state, 0, 1) ? PAD_IGNORE : PAD_ZERO;
    p->planes = (struct image_shape){draw(state, 1, 3), draw(state, q->kernel, 40),
                                     draw(state, q->kernel, 60)};
}

static void draw_sizes(uint64_t *state, struct problem *p)
{
    p->channels = 1;
    if (p->op.kind->image_channels)
        draw_convolution(state, p);
    else if (p->op.kind == &maxpool_operator)
        draw_pooling(state, p);
    else
        p->planes = (struct image_shape){p->op.kind == &distances_operator ? 1 : draw(state, 1, 3),
                                         draw(state, 1, 70), draw(state, 1, 70)};
    if (p->op.kind == &matmul_operator)
        p->op.parameters.filter_cols = draw(state, 1, 90);
    p->op.image = shape_of_lines(p->planes, p->channels);
}

static struct operand draw_operand(uint64_t *state, const struct operand_row *row,
                                   const struct problem *p)
{
    const bool identity = row->role == OPERAND_FILTER && p->op.kind == &maxpool_operator &&
                          (p->op.parameters.pad_mode == PAD_IGNORE || draw(state, 0, 1));
    const bool itself = row->role == OPERAND_AGAINST && draw(state, 0, 1);
    struct operand o = {.identity = identity, .itself = itself, .name = "random"};
    o.shape = row->shape(&p->op);
    const int64_t count = shape_elements(o.shape);
    o.values = identity ? case_filter(o.shape.rows, true, 0)
                        : case_thirds(count, (unsigned)draw(state, 0, 1 << 30), false);
    if (itself)
        memcpy(o.values, p->image, (size_t)count * sizeof *o.values);
    return o;
}

/* Operands that are none unless they are given are given in half of the cases. */
static void draw_operands(uint64_t *state, struct problem *p)
{
    for (const struct operand_row *const *row = p->op.kind->operands; *row; row++)
        if (strcmp((*row)->fallback, "none") != 0 || draw(state, 0, 1))
            p->op.operands[(*row)->role] = draw_operand(state, *row, p);
}

static void draw_problem(uint64_t seed, const struct operator_row *kind, struct problem *p)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15U + 1;
    *p = (struct problem){.op = {.kind = kind}};
    draw_sizes(&state, p);
    p->op.operands[OPERAND_AGAINST].shape.rows = draw(&state, 1, 90); /* points of Y */
    p->op.operands[OPERAND_FILTER].name = "random";                   /* a B for each plane */
    assert_int_equal(kind->shape(&p->op).kind, REFUSAL_NONE);
    p->image = case_thirds(shape_elements(p->planes), (unsigned)draw(&state, 0, 1 << 30), false);
    draw_operands(&state, p);
}

static void release(struct problem *p)
{
    free(p->image);
    for (int role = 0; role < OPERAND_COUNT; role++)
        free(p->op.operands[role].values);
}

/* ---- computing ------------------------------------------------------------------------------- */

static struct source *source_of(const struct problem *p)
{
    struct source *source = case_source(p->planes, p->image);
    if (p->channels > 1)
        assert_int_equal(source_interleave(&source, p->channels, NULL), STATUS_OK);
    return source;
}

/* One method of a problem. */
struct contender {
    struct operation op;
    float *packed;
    struct instance *instance;
};

struct contenders {
    struct contender all[MOST_METHODS];
    size_t count;
};

/* Whether the method can compute the problem, as the job wants its work to be shared. */
static bool takes(const struct problem *p, const struct job *job, const struct operation *op)
{
    const struct method *m = op->method;
    return m->kind == SPACE_HOST && !m->unavailable && !method_refuses(m, op) &&
           (m->staged || job->parallel != PARALLEL_PRODUCT) &&
           (p->op.kind != &maxpool_operator || m->product ||
            p->op.operands[OPERAND_FILTER].identity);
}

/* The methods that take part, each built for a set, in an order that the seed decides: the first
 * one opens the image, and all share its bands. */
static void find_contenders(const struct problem *p, const struct job *job, uint64_t seed,
                            struct contenders *c)
{
    const size_t methods = operator_method_count(p->op.kind);
    c->count = 0;
    for (size_t i = 0; i < methods; i++) {
        struct contender *next = &c->all[c->count];
        double seconds;
        *next = (struct contender){.op = p->op};
        next->op.method = p->op.kind->method((i + seed) % methods);
        operation_choose_isa(&next->op, (enum isa)((i + seed) % ((uint64_t)isa_best() + 1)));
        if (!takes(p, job, &next->op))
            continue;
        assert_int_equal(operation_pack(&next->op, &next->packed, &seconds, NULL), STATUS_OK);
        next->op.packed = next->packed;
        c->count++;
    }
}

static void open_together(const struct space *space, struct job job, struct contenders *c)
{
    struct resources resources = {0};
    struct failure f = {0};
    for (size_t i = 0; i < c->count; i++) {
        struct contender *now = &c->all[i];
        job.operation = &now->op;
        const enum status status =
            i == 0 ? space->open(&job, &now->instance, &resources, &f)
                   : space->join(c->all[0].instance, &job, &now->instance, &resources, &f);
        assert_int_equal(status, STATUS_OK);
    }
}

static void close_together(const struct space *space, struct contenders *c)
{
    for (size_t i = c->count; i-- > 0;) {
        space->close(c->all[i].instance);
        free(c->all[i].packed);
    }
}

struct execution {
    const struct space *space;
    struct instance *instance;
};

static void execute(void *context)
{
    const struct execution *e = context;
    struct phases phases;
    struct failure f = {0};
    assert_int_equal(e->space->execute(e->instance, &phases, &f), STATUS_OK);
}

/* Executes once; if `held`, by workers that wait for the call. Returns the map, which stays valid
 * until another instance executes; NULL in ranks without it. */
static const float *executed(const struct space *space, struct instance *instance, bool held)
{
    struct execution e = {space, instance};
    struct failure f = {0};
    int64_t first, count;
    const float *map;
    space->poison(instance);
    if (held && space->hold)
        space->hold(instance, execute, &e);
    else
        execute(&e);
    if (!space->gather)
        return space->map(instance, &first, &count);
    assert_int_equal(space->gather(instance, &map, &f), STATUS_OK);
    return processes_are_root(space->processes) ? map : NULL;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void print_difference(const struct problem *p, const struct job *job,
                             const struct operation *op, int64_t at)
{
    const struct parameters *q = &op->parameters;
    const struct image_shape m = op->map;
    fprintf(
        stderr,
        "%s %s, isa %s, with %lld threads, distribution %d, parallel %d: differs at row %lld of "
        "%lld, column %lld of %lld, plane %lld of %lld (k %lld s %lld p %lld, %lld channels, "
        "%lld filters, %lld groups, image %lld x %lld)\n",
        op->kind->name, op->method->name, isa_option(op->isa), (long long)job->threads,
        (int)job->distribution, (int)job->parallel, (long long)(at / m.cols % m.rows),
        (long long)m.rows, (long long)(at % m.cols), (long long)m.cols,
        (long long)(at / m.cols / m.rows), (long long)m.planes, (long long)q->kernel,
        (long long)q->stride, (long long)q->padding, (long long)q->channels, (long long)q->filters,
        (long long)q->groups, (long long)p->planes.rows, (long long)p->planes.cols);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Returns 1, and prints where, if `map` differs from the one that a worker computes alone. */
static int differs(const struct problem *p, const struct job *job, const struct operation *op,
                   const float *map)
{
    const struct job alone_job = {
        .operation = op, .source = source_of(p), .min_cost = job->min_cost};
    const int64_t count = shape_elements(op->map);
    struct resources resources = {0};
    struct instance *instance;
    int64_t at = 0;
    assert_int_equal(serial_space.open(&alone_job, &instance, &resources, NULL), STATUS_OK);
    const float *alone = executed(&serial_space, instance, false);
    while (at < count && !isnan(alone[at]) && bits_of(map[at]) == bits_of(alone[at]))
        at++;
    serial_space.close(instance);
    source_close(alone_job.source);
    if (at < count)
        print_difference(p, job, op, at);
    return at < count;
}

/* Computes the problem of a seed by all methods, on every worker however small the work, and
 * returns how many maps differ. */
static int count_differences(const struct space *space, const struct operator_row *kind,
                             uint64_t seed, struct job job, opened_check *check)
{
    struct problem p;
    struct contenders c;
    int differences = 0;
    draw_problem(seed, kind, &p);
    job.min_cost = 1.0;
    job.source = source_of(&p);
    find_contenders(&p, &job, seed, &c);
    open_together(space, job, &c);
    for (size_t i = 0; check && i < c.count; i++)
        check(&c.all[i].op, c.all[i].instance);
    for (size_t i = 0; i < c.count; i++) {
        const float *map = executed(space, c.all[i].instance, i % 2);
        differences += map && differs(&p, &job, &c.all[i].op, map);
    }
    close_together(space, &c);
    source_close(job.source);
    release(&p);
    return differences;
}

void check_same_bits(const struct space *space, sharing_of_seed *sharing, opened_check *check)
{
    const uint64_t factor = getenv("MAXPOOL_LONG") ? LONG_FACTOR : 1;
    int differences = 0;
    for (size_t i = 0; i < operator_count; i++) {
        const uint64_t draws = factor * (operators[i]->image_channels ? CONV_DRAWS : DRAWS);
        for (uint64_t seed = 0; seed < draws; seed++)
            differences +=
                count_differences(space, operators[i], seed, sharing(operators[i], seed), check);
    }
    assert_int_equal(differences, 0);
}
