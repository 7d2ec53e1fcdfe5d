/* What each rank holds, receives and poisons, run by mpirun with several numbers of ranks. Also,
 * the verifier detects faults of ranks, planted by hand. */
#include "harness/point/verify/verify.h"
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#include "mpi/rank.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Poolings with a halo between any two ranks, and of many more image elements than outputs. */
static const struct pool_case with_halo = {"halo", 1, 80, 64, 5, 1, 2, PAD_ZERO, false};
static const struct pool_case few_outputs = {"few_outputs", 1, 80, 64, 5, 4, 2, PAD_ZERO, false};

/* An opened pooling. */
struct opened {
    struct operation op;
    float *elements;
    struct source *source;
    struct resources resources;
    struct instance *instance;
};

static void open_pooling(struct opened *o, const struct pool_case *c,
                         enum distribution distribution)
{
    struct failure f = {0};
    const struct geometry g = case_geometry(c);
    o->elements = case_image(c, 5);
    o->op = (struct operation){
        .kind = &maxpool_operator,
        .geometry = g,
        .image = {c->planes, c->rows, c->cols},
        .map = {c->planes, g.out_rows, g.out_cols},
        .method = operator_method(&maxpool_operator, SPACE_HOST, "direct"),
        .operands[OPERAND_FILTER] = {.identity = true, .integers = true, .max_abs = 1.0}};
    o->source = case_source(o->op.image, o->elements);
    const struct job job = {
        .operation = &o->op, .source = o->source, .distribution = distribution, .min_cost = 1.0};
    o->resources = (struct resources){0};
    assert_int_equal(mpi_space.open(&job, &o->instance, &o->resources, &f), STATUS_OK);
}

static void close_pooling(struct opened *o)
{
    mpi_space.close(o->instance);
    source_close(o->source);
    free(o->elements);
}

/* Executes, and returns the common verdict of all ranks. */
static enum status verdict(struct opened *o, struct failure *f)
{
    struct verifier *v;
    struct phases phases;
    struct verify_scope scope = {.partitions = &o->resources.partition, .partition_count = 1};
    const float *map = mpi_space.map(o->instance, &scope.first, &scope.count);
    assert_int_equal(
        verifier_make(&v, &o->op, o->source, &o->resources.facts, &scope, VERIFY_FULL, 1, f),
        STATUS_OK);
    mpi_space.poison(o->instance);
    assert_int_equal(mpi_space.execute(o->instance, &phases, f), STATUS_OK);
    const enum status status = mpi_processes.common_status(verifier_check(v, map, f), f);
    verifier_free(v);
    return status;
}

/* Shortens every halo, and so every message, by one line. */
static void shorten_halos(struct instance *in)
{
    for (int r = 0; r < group()->ranks; r++)
        if (in->bands[r].halo.count > 0)
            in->bands[r].halo.count--;
}

/* The last rank begins one line late: between it and its neighbour a line has no owner. */
static void shift_boundary(struct instance *in)
{
    struct lines *last = &in->bands[group()->ranks - 1].map;
    last->first++;
    last->count--;
    in->band.map = in->bands[group()->rank].map;
    in->band.interior = lines_common(in->band.interior, in->band.map);
}

/* The root sends the second rank one line less than its windows read. */
static void shorten_scattered(struct instance *in)
{
    if (group()->ranks > 1)
        in->bands[1].image.count--;
}

static void check_fault(enum distribution distribution, void (*fault)(struct instance *in),
                        enum status expected)
{
    struct opened o;
    struct failure f = {0};
    open_pooling(&o, &with_halo, distribution);
    assert_int_equal(verdict(&o, &f), STATUS_OK);
    fault(o.instance);
    assert_int_equal(verdict(&o, &f), expected);
    assert_int_equal(f.status, expected); /* every rank has the message */
    close_pooling(&o);
}

TEST(seeded_faults_are_caught)
{
    const enum status several = group()->ranks > 1 ? STATUS_WRONG : STATUS_OK;
    check_fault(DISTRIBUTE_GENERATE, shorten_halos, several);
    check_fault(DISTRIBUTE_GENERATE, shift_boundary, STATUS_WRONG);
    check_fault(DISTRIBUTE_SCATTER, shift_boundary, STATUS_WRONG);
    check_fault(DISTRIBUTE_SCATTER, shorten_scattered, several);
}

/* Only the root of a scattered image holds more than its band and its part of the map. */
TEST(ranks_hold_their_bands_alone)
{
    struct opened o;
    const bool root = group()->rank == GROUP_ROOT;
    for (int d = 0; d < 2; d++) {
        open_pooling(&o, &with_halo, (enum distribution)d);
        const struct instance *in = o.instance;
        const bool whole = root && d == DISTRIBUTE_SCATTER;
        assert_int_equal(in->image_held.count, whole ? 80 : in->band.image.count);
        assert_int_equal(in->map_held.count, whole ? 80 : in->band.map.count);
        close_pooling(&o);
    }
}

/* ---- poison ---------------------------------------------------------------------------------- */

static int64_t count_others(const float *values, int64_t count, float expected)
{
    int64_t others = 0;
    for (int64_t i = 0; i < count; i++)
        others += !(values[i] == expected);
    return others;
}

/* Counts values that are not the poison: all bits set, which no computation produces. */
static int64_t count_unpoisoned(const float *values, int64_t count)
{
    int64_t sound = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sound += bits != UINT32_MAX;
    }
    return sound;
}

static void set_all(float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = 1.0f;
}

/* Returns the sum over all ranks, so that all fail together. */
static int64_t of_all_ranks(int64_t mine)
{
    int64_t sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, group()->all);
    return sum;
}

/* Returns the elements of the image that a rank makes itself, the first that it holds. */
static int64_t own_elements(const struct instance *in)
{
    const int64_t cols = in->operation->image.cols;
    if (!in->image_at_root)
        return in->band.own.count * cols;
    return group()->rank == GROUP_ROOT ? in->image_held.count * cols : 0;
}

/* Whatever the last execution left: after poisoning, the map is poison, what a rank receives is so
 * large that it shows in every window, and what the rank makes itself is unchanged. */
static void check_poison(struct instance *in)
{
    const int64_t all = in->image_held.count * in->operation->image.cols, own = own_elements(in);
    const int64_t outputs = in->map_held.count * in->operation->map.cols;
    const int64_t panels = in->panels ? in->panel_floats : 0;
    set_all(in->image, all);
    set_all(in->map, outputs);
    set_all(in->panels, panels);
    mpi_space.poison(in);
    assert_int_equal(of_all_ranks(count_unpoisoned(in->map, outputs)), 0);
    assert_int_equal(of_all_ranks(count_others(in->image, own, 1.0f)), 0);
    assert_int_equal(of_all_ranks(count_others(in->image + own, all - own, FLT_MAX)), 0);
    assert_int_equal(of_all_ranks(count_others(in->panels, panels, FLT_MAX)), 0);
}

TEST(all_that_is_made_or_received_is_poisoned)
{
    for (int d = 0; d < 2; d++) {
        struct opened o;
        open_pooling(&o, &with_halo, (enum distribution)d);
        const struct instance *in = o.instance; /* halos follow what a rank makes itself */
        const bool halo = in->image_held.count > in->band.own.count;
        if (d == DISTRIBUTE_GENERATE)
            assert_int_equal(of_all_ranks(halo), group()->ranks - 1);
        check_poison(o.instance);
        close_pooling(&o);
    }
}

/* A matrix product, whose second operand every rank but the root receives in panels. */
TEST(panels_are_poisoned)
{
    enum { SIDE = 64 };
    const struct pool_case shape = {"matrix", 1, SIDE, SIDE, 1, 1, 0, PAD_ZERO, false};
    struct failure f = {0};
    struct instance *in;
    struct resources resources = {0};
    float *elements = case_image(&shape, 5);
    struct operation op = {
        .kind = &matmul_operator,
        .image = {1, SIDE, SIDE},
        .map = {1, SIDE, SIDE},
        .method = operator_method(&matmul_operator, SPACE_HOST, "naive"),
        .operands[OPERAND_FILTER] = {.values = elements, .shape = {1, SIDE, SIDE}, .max_abs = 9.0}};
    struct source *source = case_source(op.image, elements);
    const struct job job = {
        .operation = &op, .source = source, .distribution = DISTRIBUTE_SCATTER, .min_cost = 1.0};
    assert_non_null(op.method);
    assert_int_equal(mpi_space.open(&job, &in, &resources, &f), STATUS_OK);
    assert_int_equal(of_all_ranks(in->panels != NULL), group()->ranks - 1);
    check_poison(in);
    mpi_space.close(in);
    source_close(source);
    free(elements);
}

/* ---- messages -------------------------------------------------------------------------------- */

enum { SPARE = 64, UNTOUCHED = 0xa5 };

/* Moves the requests to an array with some more, which no message may use, and returns these. */
static const unsigned char *add_spare_requests(struct messages *m)
{
    const size_t bytes = m->capacity * sizeof *m->requests;
    MPI_Request *requests = malloc(bytes + SPARE * sizeof *requests);
    assert_non_null(requests);
    memcpy(requests, m->requests, bytes);
    memset(requests + m->capacity, UNTOUCHED, SPARE * sizeof *requests);
    free(m->requests);
    m->requests = requests;
    return (const unsigned char *)(requests + m->capacity);
}

static void check_requests(enum distribution distribution)
{
    struct opened o;
    struct phases phases;
    struct failure f = {0};
    int64_t used = 0;
    open_pooling(&o, &few_outputs, distribution);
    const unsigned char *spare = add_spare_requests(&o.instance->messages);
    assert_int_equal(mpi_space.execute(o.instance, &phases, &f), STATUS_OK);
    for (size_t i = 0; i < SPARE * sizeof(MPI_Request); i++)
        used += spare[i] != UNTOUCHED;
    assert_int_equal(of_all_ranks(used), 0);
    close_pooling(&o);
}

/* An execution has at most as many messages in flight as it has requests; the image's have the most
 * pieces. */
TEST(messages_have_their_requests)
{
    const int64_t longest = messages_longest;
    messages_longest = 101;
    check_requests(DISTRIBUTE_GENERATE);
    check_requests(DISTRIBUTE_SCATTER);
    messages_longest = longest;
}
