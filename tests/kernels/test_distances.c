/* Tests every method of distances, in every instruction set that runs here, whole and in blocks,
 * against differences in double precision. Fences are after and before the points, guards surround
 * map and scratch, and the map is poisoned. Points are near each other and far from the origin.
 * Also exact zeros and symmetry, and seeded faults. */
#include "tests/support/cases.h"

#include "kernels/distances/distances.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the cases ------------------------------------------------------------------------------- */

enum kind { UNIFORM, FAR, CLUSTERS };

struct distances_case {
    const char *name;
    int64_t n, m, dimensions; /* m = 0: X with itself */
    enum kind kind;
};

static const struct distances_case cases[] = {
    {"one_pair", 1, 1, 1, UNIFORM},           {"one_point", 1, 0, 3, UNIFORM},
    {"one_dimension", 37, 0, 1, UNIFORM},     {"odd", 41, 67, 13, UNIFORM},
    {"itself", 83, 0, 29, UNIFORM},           {"several_blocks", 251, 0, 5, UNIFORM},
    {"odd_halves", 190, 0, 6, UNIFORM},       {"many_dimensions", 19, 0, 700, UNIFORM},
    {"far_from_the_origin", 45, 0, 128, FAR}, {"far_against_others", 45, 33, 128, FAR},
    {"clusters", 70, 0, 64, CLUSTERS},        {"clusters_in_pieces", 230, 0, 3, CLUSTERS},
};

enum { CASES = sizeof cases / sizeof *cases };

struct problem {
    const struct distances_case *c;
    int64_t n, m;
    float *x, *y; /* y is x if X is compared with itself */
    float *centre;
};

static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

/* Coordinates of far points are 1e4 plus or minus 1e-2; clusters are a hundred apart and 1e-3
 * wide. */
static float *points(const struct distances_case *c, int64_t count, unsigned seed)
{
    float *v = malloc((size_t)(count * c->dimensions) * sizeof *v);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < c->dimensions; k++) {
            const double at = draw(&seed);
            v[i * c->dimensions + k] =
                (float)(c->kind == UNIFORM ? at
                        : c->kind == FAR   ? 1e4 + 2e-2 * (at - 0.5)
                                           : 100.0 * (double)(i % 3) + 1e-3 * at);
        }
    return v;
}

static struct problem make_problem(const struct distances_case *c)
{
    struct problem p = {c, c->n, c->m ? c->m : c->n, points(c, c->n, 1), NULL, NULL};
    p.y = c->m ? points(c, c->m, 2) : p.x;
    p.centre = malloc((size_t)c->dimensions * sizeof *p.centre);
    memcpy(p.centre, p.x, (size_t)c->dimensions * sizeof *p.centre);
    return p;
}

static void free_problem(struct problem *p)
{
    if (p->y != p->x)
        free(p->y);
    free(p->x);
    free(p->centre);
}

/* ---- running and verifying ------------------------------------------------------------------- */

struct variant {
    const char *name;
    distances_function *run[ISA_COUNT];
    size_t (*scratch)(int64_t dimensions);
};

static const struct variant variants[] = {
    {"literal", {distances_literal}, NULL},
    {"symmetric", {distances_symmetric}, NULL},
    {"blocked", ISA_VARIANTS(distances_blocked), distances_blocked_scratch},
    {"gram", ISA_VARIANTS(distances_gram), distances_gram_scratch},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static double truth(const struct problem *p, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t k = 0; k < p->c->dimensions; k++) {
        const double d =
            (double)p->x[i * p->c->dimensions + k] - (double)p->y[j * p->c->dimensions + k];
        sum += d * d;
    }
    return sqrt(sum);
}

/* Distances must be right to 1e-5 of their value, whatever the dimensions here: `gram` gets no
 * wider bound. */
static int64_t count_wrong(const struct problem *p, const float *map)
{
    const double bound = 1e-5;
    int64_t wrong = 0;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->m; j++) {
            const double right = truth(p, i, j), found = map[i * p->m + j];
            bool good = isfinite(found) && fabs(found - right) <= bound * right + 1e-30;
            if (p->x == p->y)
                good = good && map[i * p->m + j] == map[j * p->m + i] &&
                       (i != j || map[i * p->m + j] == 0.0f);
            wrong += !good;
        }
    return wrong;
}

/* The rows of the map that calls share: none; all, as threads do; or those of one call, as ranks
 * do. */
enum shared_by { NO_ROWS, ALL_ROWS, OWN_ROWS };

/* Computes all rows in blocks of `rows`, with the block's rows of X, or all of Y, in the fenced
 * buffer. Returns how many distances are wrong, or 1 if a guard was touched. */
static int64_t failures(const struct problem *p, const struct variant *m, distances_function *run,
                        int64_t rows, bool fence_y, enum shared_by sharing)
{
    const int64_t d = p->c->dimensions;
    const size_t outputs = (size_t)(p->n * p->m), all = (size_t)(p->m * d);
    const size_t count = m->scratch ? m->scratch(d) / sizeof(float) : 0;
    float *map = guarded_new(outputs), *scratch = guarded_new(count);
    int64_t repaired = 0;
    for (int64_t row = 0; row < p->n; row += rows) {
        const int64_t held = row + rows < p->n ? rows : p->n - row;
        const size_t floats = fence_y ? all : (size_t)(held * d);
        float *room = fenced_room(floats);
        memcpy(room, fence_y ? p->y : p->x + row * d, floats * sizeof *room);
        const struct distances_call call = {.dimensions = d,
                                            .x = {fence_y ? p->x + row * d : room, d, row, held, 0},
                                            .y = {fence_y ? room : p->y, d, 0, p->m, 0},
                                            .same = p->x == p->y,
                                            .map = {map, p->m, 0, 0},
                                            .block = {0, row, held, 0, p->m, 1},
                                            .shared_first = sharing == OWN_ROWS ? row : 0,
                                            .shared_rows = sharing == ALL_ROWS   ? p->n
                                                           : sharing == OWN_ROWS ? held
                                                                                 : 0,
                                            .centre = p->centre,
                                            .repaired = &repaired};
        run(&call, scratch);
    }
    const bool intact = guarded_intact(map, outputs) && guarded_intact(scratch, count);
    const int64_t wrong = intact ? count_wrong(p, map) : 1;
    guarded_free(map);
    guarded_free(scratch);
    return wrong;
}

static int64_t failures_of_method(const struct variant *m, enum isa isa, bool show)
{
    static const int64_t blocks[] = {INT64_C(1) << 40, 1, 7, 135};
    int64_t wrong = 0;
    for (size_t i = 0; i < CASES; i++) {
        struct problem p = make_problem(&cases[i]);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (int way = 0; way < 6; way++) {
                const int64_t rows = blocks[b] < p.n ? blocks[b] : p.n;
                const int64_t here =
                    failures(&p, m, m->run[isa], rows, way % 2 != 0, (enum shared_by)(way / 2));
                if (here && show)
                    print_error("%s: %s in blocks of %d: %d wrong\n", m->name, cases[i].name,
                                (int)rows, (int)here);
                wrong += here;
            }
        free_problem(&p);
    }
    return wrong;
}

/* More points than one panel holds: compared with themselves, and with a few others. */
TEST(panels_meet)
{
    static const struct distances_case high[] = {{"two_panels", 1000, 0, 2, UNIFORM},
                                                 {"two_panels_of_few", 1000, 3, 2, UNIFORM}};
    for (size_t c = 0; c < sizeof high / sizeof *high; c++) {
        struct problem p = make_problem(&high[c]);
        assert_true(distances_blocked_scratch(2) < (size_t)(p.n * 2) * sizeof(float));
        for (size_t i = 0; i < VARIANTS; i++)
            for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
                if (!isa_missing(isa) && variants[i].run[isa] &&
                    failures(&p, &variants[i], variants[i].run[isa], p.n, true, ALL_ROWS) != 0)
                    fail_msg("%s: %s in %s", high[c].name, variants[i].name, isa_name(isa));
        free_problem(&p);
    }
}

TEST(every_method_is_right)
{
    for (size_t i = 0; i < VARIANTS; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            if (!isa_missing(isa) && variants[i].run[isa] &&
                failures_of_method(&variants[i], isa, true) != 0)
                fail_msg("%s in %s", variants[i].name, isa_name(isa));
}

/* Few distances are repaired if nothing cancels, however far the points are from the origin, and
 * never a point's distance to itself. Many are repaired if clusters are far apart. */
TEST(what_gram_repairs_is_reported)
{
    for (size_t i = 0; i < CASES; i++) {
        if (strcmp(cases[i].name, "clusters") != 0 && strcmp(cases[i].name, "itself") != 0 &&
            strcmp(cases[i].name, "far_from_the_origin") != 0)
            continue;
        struct problem p = make_problem(&cases[i]);
        const int64_t d = p.c->dimensions;
        float *map = guarded_new((size_t)(p.n * p.m));
        float *scratch = guarded_new(distances_gram_scratch(d) / sizeof(float));
        int64_t repaired = 0;
        const struct distances_call call = {.dimensions = d,
                                            .x = {p.x, d, 0, p.n, 0},
                                            .y = {p.y, d, 0, p.m, 0},
                                            .same = true,
                                            .map = {map, p.m, 0, 0},
                                            .block = {0, 0, p.n, 0, p.m, 1},
                                            .centre = p.centre,
                                            .repaired = &repaired};
        distances_gram_baseline(&call, scratch);
        if (cases[i].kind == CLUSTERS)
            assert_true(repaired > 0 && repaired < p.n * p.m);
        else
            assert_true(repaired < p.n);
        guarded_free(map);
        guarded_free(scratch);
        free_problem(&p);
    }
}

/* ---- seeded faults --------------------------------------------------------------------------- */

/* Repairs no pair: the textbook's formula in float32, from the origin. */
static void without_repair(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    (void)scratch;
    for (int64_t i = o->row; i < o->row + o->rows; i++)
        for (int64_t j = o->col; j < o->col + o->cols; j++) {
            const float *x = view_row(&call->x, i), *y = view_row(&call->y, j);
            float xx = 0.0f, yy = 0.0f, xy = 0.0f;
            for (int64_t k = 0; k < call->dimensions; k++) {
                xx += x[k] * x[k];
                yy += y[k] * y[k];
                xy += x[k] * y[k];
            }
            map_row(&call->map, i)[j] = sqrtf(fmaxf(0.0f, xx + yy - 2.0f * xy));
        }
}

static void lose_the_last_dimension(const struct distances_call *call, void *scratch)
{
    struct distances_call cut = *call;
    cut.dimensions -= call->dimensions > 1;
    distances_literal(&cut, scratch);
}

static void upper_half_alone(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    distances_literal(call, scratch);
    for (int64_t i = o->row; i < o->row + o->rows; i++)
        for (int64_t j = o->col; j < i && j < o->col + o->cols; j++)
            map_row(&call->map, i)[j] = 0.0f;
}

TEST(seeded_faults_are_caught)
{
    distances_function *const faults[] = {without_repair, lose_the_last_dimension,
                                          upper_half_alone};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct variant m = {"fault", {faults[i]}, NULL};
        if (failures_of_method(&m, ISA_BASELINE, false) == 0)
            fail_msg("fault %zu was not caught", i);
    }
}

/* Faults in every method and case: the call is changed, or distances at an edge of what the method
 * stored are changed. */
static distances_function *victim;

static void last_row_lost(const struct distances_call *call, void *scratch)
{
    struct distances_call cut = *call;
    cut.block.rows--;
    victim(&cut, scratch);
}

static void last_column_lost(const struct distances_call *call, void *scratch)
{
    struct distances_call cut = *call;
    cut.block.cols--;
    victim(&cut, scratch);
}

static void last_dimension_doubled(const struct distances_call *call, void *scratch)
{
    const int64_t d = call->dimensions;
    float *x = malloc((size_t)(call->x.rows * d) * sizeof *x);
    struct distances_call other = *call;
    memcpy(x, call->x.data, (size_t)(call->x.rows * d) * sizeof *x);
    for (int64_t i = 0; i < call->x.rows; i++)
        x[i * d + d - 1] += 1.0f + x[i * d + d - 1];
    other.x.data = x;
    victim(&other, scratch);
    free(x);
}

/* Returns the distance of the call's first or last pair. */
static float *pair_of(const struct distances_call *call, bool last)
{
    const struct block *o = &call->block;
    return last ? map_row(&call->map, o->row + o->rows - 1) + o->col + o->cols - 1
                : map_row(&call->map, o->row) + o->col;
}

static void first_pair_off(const struct distances_call *call, void *scratch)
{
    victim(call, scratch);
    *pair_of(call, false) += 1.0f;
}

static void last_pair_off(const struct distances_call *call, void *scratch)
{
    victim(call, scratch);
    *pair_of(call, true) += 1.0f;
}

/* Off by one unit in the last place: within the bound, but not symmetric. */
static void one_side_off(const struct distances_call *call, void *scratch)
{
    const struct block *o = &call->block;
    victim(call, scratch);
    if (call->same && o->row == 0 && o->cols > 1)
        map_row(&call->map, 0)[1] = nextafterf(map_row(&call->map, 0)[1], INFINITY);
}

/* Returns whether a fault can show. The distance of a single point to itself is 0 whatever its
 * coordinates, and only a symmetric map has two sides. */
static bool shows(distances_function *fault, const struct problem *p)
{
    const bool itself = p->x == p->y;
    if (fault == last_dimension_doubled)
        return !itself || p->n > 1;
    return fault != one_side_off || (itself && p->n > 1);
}

TEST(faults_in_every_method_and_case_are_caught)
{
    distances_function *const faults[] = {last_row_lost,  last_column_lost, last_dimension_doubled,
                                          first_pair_off, last_pair_off,    one_side_off};
    for (size_t m = 0; m < VARIANTS; m++)
        for (size_t i = 0; i < CASES; i++) {
            enum isa isa = isa_best();
            while (!variants[m].run[isa])
                isa--;
            victim = variants[m].run[isa];
            struct problem p = make_problem(&cases[i]);
            assert_int_equal(failures(&p, &variants[m], victim, p.n, false, ALL_ROWS), 0);
            for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
                if (shows(faults[f], &p) &&
                    failures(&p, &variants[m], faults[f], p.n, false, ALL_ROWS) == 0)
                    fail_msg("fault %zu of %s in %s was not caught", f, variants[m].name,
                             cases[i].name);
            }
            free_problem(&p);
        }
}
