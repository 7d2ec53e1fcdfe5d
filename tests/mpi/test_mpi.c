/* The MPI space over the grid, run by mpirun with each number of ranks. Every rank walks the same
 * cases; the root holds the gathered maps against the oracle, which never reads a band. Then the
 * faults that the verdict exists for are put in by hand, and must be seen. */
#include "harness/base/clock.h"
#include "harness/point/verify/verify.h"
#include "mpi/group.h"
#include "mpi/mpi_space.h"
#include "mpi/rank.h"
#include "mpi/start_skew.h"
#include "tests/support/cases.h"
#include "tests/support/space_check.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static void mpi_passes_the_grid(void **state)
{
    (void)state;
    assert_int_equal(check_space(&mpi_space, 1), 0);
}

/* Two threads in each of one or two ranks: the hybrid way. */
static void hybrid_passes_the_grid(void **state)
{
    (void)state;
    if (!mpi_space.has_threads || group()->ranks > 2)
        skip();
    assert_int_equal(check_space(&mpi_space, 2), 0);
}

/* Rank r's clock is 1000 r seconds ahead. */
static double skewed_clock(void)
{
    return clock_now() + 1000.0 * group()->rank;
}

static void clocks_are_compared(void **state)
{
    (void)state;
    double uncertain;
    const double offset = start_offset(MPI_COMM_WORLD, skewed_clock, &uncertain);
    assert_true(uncertain >= 0.0 && uncertain < 100.0);
    assert_true(fabs(offset - 1000.0 * group()->rank) <= uncertain);
}

/* Nobody begins before the moment named, and the moment is one for all. */
static void ranks_start_together(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const struct start start = start_together();
        double first, last;
        MPI_Allreduce(&start.at, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&start.at, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        assert_true(start.error_s >= 0.0);
        assert_true(first == last); /* one computer, one clock */
    }
}

/* Messages cut into pieces of 5 floats: what happens beyond 2^30, made small. */
static void long_messages_are_cut(void **state)
{
    (void)state;
    const int64_t longest = messages_longest;
    messages_longest = 29; /* of 5 floats there are so many that 16 ranks take minutes */
    assert_int_equal(messages_pieces(0), 0);
    assert_int_equal(messages_pieces(58), 2);
    assert_int_equal(messages_pieces(59), 3);
    assert_int_equal(messages_pieces(INT64_C(1) << 40), ((INT64_C(1) << 40) + 28) / 29);
    assert_int_equal(check_verdicts(&mpi_space, 1), 0);
    messages_longest = longest;
}

/* A pooling with a halo wherever there are two ranks, opened. */
struct opened {
    struct operation op;
    float *cells;
    struct source *source;
    struct resources resources;
    struct instance *instance;
};

static void open_halo(struct opened *o, enum distribution distribution)
{
    static const struct pool_case c = {"halo", 1, 80, 64, 5, 1, 2, PAD_ZERO, false};
    struct failure f = {0};
    o->cells = case_image(&c, 5);
    o->op = (struct operation){.kind = &maxpool_operator,
                               .geometry = case_geometry(&c),
                               .image = {1, 80, 64},
                               .map = {1, 80, 64},
                               .method = operator_method(&maxpool_operator, SPACE_HOST, "direct"),
                               .second = {.identity = true, .integers = true, .max_abs = 1.0}};
    o->source = case_source(o->op.image, o->cells);
    const struct job job = {
        .operation = &o->op, .source = o->source, .distribution = distribution, .min_cost = 1.0};
    o->resources = (struct resources){0};
    assert_int_equal(mpi_space.open(&job, &o->instance, &o->resources, &f), STATUS_OK);
}

static void close_halo(struct opened *o)
{
    mpi_space.close(o->instance);
    source_close(o->source);
    free(o->cells);
}

/* Executes, and returns the verdict all ranks agree on. */
static enum status verdict(struct opened *o, struct failure *f)
{
    struct verifier *v;
    struct phases phases;
    struct verify_scope scope = {.deals = &o->resources.deal, .deal_count = 1};
    const float *map = mpi_space.map(o->instance, &scope.first, &scope.count);
    assert_int_equal(
        verifier_make(&v, &o->op, o->source, &o->resources.facts, &scope, VERIFY_FULL, 1, f),
        STATUS_OK);
    mpi_space.poison(o->instance);
    assert_int_equal(mpi_space.execute(o->instance, &phases, f), STATUS_OK);
    const enum status status = mpi_processes.agree(verifier_judge(v, map, f), f);
    verifier_free(v);
    return status;
}

/* Every message, and so every halo, one line short. */
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
    open_halo(&o, distribution);
    assert_int_equal(verdict(&o, &f), STATUS_OK);
    fault(o.instance);
    assert_int_equal(verdict(&o, &f), expected);
    assert_int_equal(f.status, expected); /* every rank has the message */
    close_halo(&o);
}

static void seeded_faults_are_caught(void **state)
{
    (void)state;
    const enum status several = group()->ranks > 1 ? STATUS_WRONG : STATUS_OK;
    check_fault(DISTRIBUTE_GENERATE, shorten_halos, several);
    check_fault(DISTRIBUTE_GENERATE, shift_boundary, STATUS_WRONG);
    check_fault(DISTRIBUTE_SCATTER, shift_boundary, STATUS_WRONG);
    check_fault(DISTRIBUTE_SCATTER, shorten_scattered, several);
}

/* No rank but the root of a scattered image holds more than its band and its part of the map. */
static void ranks_hold_their_bands_alone(void **state)
{
    (void)state;
    struct opened o;
    const bool root = group()->rank == GROUP_ROOT;
    for (int d = 0; d < 2; d++) {
        open_halo(&o, (enum distribution)d);
        const struct instance *in = o.instance;
        const bool whole = root && d == DISTRIBUTE_SCATTER;
        assert_int_equal(in->image_held.count, whole ? 80 : in->band.image.count);
        assert_int_equal(in->map_held.count, whole ? 80 : in->band.map.count);
        close_halo(&o);
    }
}

/* One failing rank makes all fail, with the message of the lowest. */
static void statuses_are_agreed(void **state)
{
    (void)state;
    const struct group *g = group();
    struct failure f = {0};
    assert_int_equal(mpi_processes.agree(STATUS_OK, &f), STATUS_OK);
    enum status mine = STATUS_OK;
    if (g->rank == g->ranks - 1)
        mine = (fail)(&f, STATUS_RESOURCE, "the last rank");
    assert_int_equal(mpi_processes.agree(mine, &f), STATUS_RESOURCE);
    assert_string_equal(f.message, "the last rank");
    f = (struct failure){0};
    mine = (fail)(&f, g->rank == 0 ? STATUS_USAGE : STATUS_OUTPUT, "rank %d", g->rank);
    assert_int_equal(mpi_processes.agree(mine, &f), STATUS_USAGE);
    assert_string_equal(f.message, "rank 0");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hybrid_passes_the_grid),   cmocka_unit_test(clocks_are_compared),
        cmocka_unit_test(ranks_start_together),     cmocka_unit_test(statuses_are_agreed),
        cmocka_unit_test(mpi_passes_the_grid),      cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(seeded_faults_are_caught), cmocka_unit_test(ranks_hold_their_bands_alone),
    };
    struct failure f = {0};
    if (mpi_processes.begin(&argc, &argv, &f) != STATUS_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpi_processes.end();
    return failed;
}
