/* The OpenMP space over the grid with 1, 2, 3 and 7 threads, its verdicts, impossible teams, teams
 * that are held, and the processors of their threads. */
#include "harness/space/shares.h"
#include "openmp/omp.h"
#include "openmp/place.h"
#include "tests/support/cases.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

TEST(omp_passes_the_grid)
{
    static const int64_t threads[] = {1, 2, 3, 7};
    for (int i = 0; i < 4; i++)
        assert_int_equal(check_space(&omp_space, threads[i], GRID_EVERY_METHOD), 0);
}

TEST(verdicts_are_right)
{
    assert_int_equal(check_verdicts(&omp_space, 3, GRID_BRIEF), 0);
}

/* Inside an active parallel region a team of two becomes one thread. That is an error, not a map
 * with half its rows. */
TEST(nested_teams_are_reported)
{
    const struct pool_case c = {"", 1, 8, 8, 2, 2, 0, PAD_ZERO, false};
    float *image = case_image(&c, 1);
    struct operation op = {.kind = &maxpool_operator,
                           .geometry = case_geometry(&c),
                           .image = {1, 8, 8},
                           .map = {1, 4, 4},
                           .method = operator_method(&maxpool_operator, SPACE_HOST, "direct")};
    struct source *source = case_source(op.image, image);
    const struct job job = {.operation = &op, .source = source, .threads = 2, .min_cost = 1.0};
    struct resources resources = {0};
    struct instance *instance = NULL;
    struct failure f = {0};
    enum status status = STATUS_OK;
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
#pragma omp single
    status = omp_space.open(&job, &instance, &resources, &f);
    assert_int_equal(status, STATUS_RESOURCE);
    assert_null(instance);
    assert_non_null(strstr(f.message, "team of 1 threads where 2"));
    source_close(source);
    free(image);
}

/* Returns the product by `threads` threads, computed twice; the caller frees it. */
static float *product_by(const struct operation *op, const float *image, int64_t threads)
{
    struct source *source = case_source(op->image, image);
    const struct job job = {.operation = op, .source = source, .threads = threads, .min_cost = 1.0};
    struct resources resources = {0};
    struct instance *instance = NULL;
    struct phases phases;
    struct failure f = {0};
    int64_t first, count;
    assert_int_equal(omp_space.open(&job, &instance, &resources, &f), STATUS_OK);
    assert_int_equal(omp_space.execute(instance, &phases, &f), STATUS_OK);
    omp_space.poison(instance);
    assert_int_equal(omp_space.execute(instance, &phases, &f), STATUS_OK);
    const float *map = omp_space.map(instance, &first, &count);
    float *copy = malloc((size_t)count * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, map, (size_t)count * sizeof *copy);
    omp_space.close(instance);
    source_close(source);
    return copy;
}

/* Many workers pack each panel of B together; few workers pack panels for themselves. The last
 * columns do not fill a micro-panel, and nine workers have unequal shares of rows and
 * micro-panels. */
TEST(panels_of_all_workers_leave_the_same_bits)
{
    enum { ROWS = 130, COLS = 500, PANELS = 2 };
    static const int64_t threads[] = {4, 7, 9};
    float *a = case_thirds(ROWS * COLS, 1, false), *b = case_thirds(COLS * COLS, 2, false);
    struct operation op = {.kind = &matmul_operator,
                           .image = {1, ROWS, COLS},
                           .map = {1, ROWS, COLS},
                           .operands[OPERAND_FILTER] = {.values = b, .shape = {1, COLS, COLS}},
                           .caches = {{0, 8 << 10, 128 << 10, 1 << 20}},
                           .method = operator_method(&matmul_operator, SPACE_HOST, "packed")};
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
        if (isa_missing(isa) || !matmul_operator.is_built(op.method, isa))
            continue;
        op.isa = isa;
        float *alone = product_by(&op, a, 1);
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            assert_int_equal(op.method->sharing->panels(&op, threads[i]), PANELS);
            float *together = product_by(&op, a, threads[i]);
            assert_memory_equal(together, alone, ROWS * COLS * sizeof *alone);
            free(together);
        }
        free(alone);
    }
    free(a);
    free(b);
}

/* ---- teams that are held --------------------------------------------------------------------- */

enum { TEAM = 5, TASKS = 300, UNITS = 400 };

struct held_team {
    struct team team;
    struct shares shares;
    int runs[TEAM];   /* of tasks that every worker runs */
    int taken[UNITS]; /* pieces of units: each written by the worker that takes it */
    bool stalls;      /* worker 1 ends its first piece after all others are taken */
    atomic_int left;  /* units that nobody has taken */
    int calls;        /* tasks that worker 1 ran */
};

static void run_once(int64_t worker, void *context)
{
    ((struct held_team *)context)->runs[worker]++;
}

static void take_units(int64_t worker, void *context)
{
    struct held_team *t = context;
    struct taker taker = {.shares = &t->shares, .worker = worker, .units = UNITS};
    if (worker == 1)
        t->calls++;
    while (shares_take(&taker)) {
        for (int64_t i = taker.first; i < taker.end; i++)
            t->taken[i]++;
        atomic_fetch_sub(&t->left, (int)(taker.end - taker.first));
        while (worker == 1 && t->stalls && atomic_load(&t->left) > 0)
            sched_yield();
    }
}

static void run_tasks(void *context)
{
    struct held_team *t = context;
    for (int i = 0; i < TASKS; i++) {
        t->team.run(TEAM, run_once, t);
        atomic_store(&t->left, UNITS);
        shares_begin(&t->shares, TEAM, 1 + i % 8);
        team_take(t->team, take_units, t);
        for (int k = 0; k < UNITS; k++)
            assert_int_equal(t->taken[k], i + 1);
    }
}

static void nest(void *context)
{
    struct held_team *t = context;
    team_hold(t->team, run_tasks, t);
}

/* While a team is held, every worker runs the tasks of run(), and each unit is taken once: also if
 * a worker stalls within a piece, and if the team is held twice. */
TEST(held_teams_do_all_tasks)
{
    for (int stalls = 0; stalls < 2; stalls++) {
        struct held_team t = {.stalls = stalls};
        struct failure f = {0};
        assert_int_equal(omp_team(TEAM, &t.team, &f), STATUS_OK);
        assert_int_equal(shares_open(&t.shares, TEAM, &f), STATUS_OK);
        team_hold(t.team, stalls ? nest : run_tasks, &t);
        for (int w = 0; w < TEAM; w++)
            assert_int_equal(t.runs[w], TASKS);
        assert_true(t.calls <= TASKS);
        t.team.run(TEAM, run_once, &t); /* no longer held */
        for (int w = 0; w < TEAM; w++)
            assert_int_equal(t.runs[w], TASKS + 1);
        shares_close(&t.shares);
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

static int cores_of(cpu_set_t *allowed, int *cores)
{
    int count = 0;
    assert_int_equal(sched_getaffinity(0, sizeof *allowed, allowed), 0);
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET((size_t)c, allowed))
            cores[count++] = c;
    return count;
}

/* A thread that is moved runs where it was sent, and may still run wherever it might before. */
TEST(places_are_moved_and_restored)
{
    cpu_set_t before, after;
    int cores[CPU_SETSIZE], count = cores_of(&before, cores);
    struct place p;
    place_introduce(&p);
    assert_int_equal(place_move(&p, -1), false);
    assert_int_equal(place_move(&p, CPU_SETSIZE), false);
    for (int i = 0; i < count; i++) {
        assert_int_equal(place_move(&p, cores[i]), count > 1);
        assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
        assert_true(CPU_EQUAL(&before, &after));
    }
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (!CPU_ISSET((size_t)c, &before))
            assert_false(place_move(&p, c));
    const double seconds = place_seconds(&p);
    while (place_seconds(&p) == seconds)
        ;
}

/* The first processor of the thread's own that no place uses, wherever the places lie. */
TEST(unused_processors_are_found)
{
    struct {
        struct place place;
        char more[40];
    } all[CPU_SETSIZE];
    cpu_set_t allowed;
    int cores[CPU_SETSIZE];
    const int count = cores_of(&allowed, cores);
    if (count < 2)
        skip();
    for (int i = 0; i < count; i++) {
        place_introduce(&all[i].place);
        atomic_store(&all[i].place.processor, cores[i]);
    }
    assert_int_equal(place_unused(&all[0].place, &all[0].place, count, sizeof *all), -1);
    for (int free_one = count - 1; free_one >= 0; free_one--) {
        atomic_store(&all[free_one].place.processor, -1); /* unknown: uses none */
        assert_int_equal(place_unused(&all[0].place, &all[0].place, count, sizeof *all),
                         cores[free_one]);
    }
}
