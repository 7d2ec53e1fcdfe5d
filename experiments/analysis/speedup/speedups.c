#include "experiments/analysis/analysis.h"

#include "experiments/analysis/best/with_best.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "kernels/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool analysis_same_parameters(const struct point *p, const struct point *q)
{
    const struct record *a = &p->samples->identity, *b = &q->samples->identity;
    return point_same(a, b, COLUMN_VALUES) && point_same(a, b, COLUMN_PARAMETER);
}

bool analysis_same_problem(const struct point *p, const struct point *q)
{
    const struct record *a = &p->samples->identity, *b = &q->samples->identity;
    /* Sizes first: they differ most often and are cheap to compare. */
    return is_simulated(a) == is_simulated(b) && point_same(a, b, COLUMN_SIZE) &&
           analysis_same_parameters(p, q) && strcmp(a->platform, b->platform) == 0;
}

bool analysis_same_but_math(const struct point *p, const struct point *q)
{
    const struct record *a = &p->samples->identity, *b = &q->samples->identity;
    return point_same(a, b, COLUMN_SIZE) && point_same(a, b, COLUMN_VALUES) &&
           point_same_but(a, b, COLUMN_PARAMETER, offsetof(struct record, math));
}

bool point_errors_similar(const struct point *p, const struct point *q)
{
    static const double factor = 4.0;
    if (isnan(p->error_ulps) || isnan(q->error_ulps))
        return true;
    const double one = fmax(p->error_ulps, 1.0), other = fmax(q->error_ulps, 1.0);
    return one <= factor * other && other <= factor * one;
}

/* True for the same program with the same method, on any workers. */
static bool same_way(const struct record *a, const struct record *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->space, b->space) == 0 &&
           strcmp(a->method, b->method) == 0 && strcmp(a->distribution, b->distribution) == 0 &&
           strcmp(a->parallel, b->parallel) == 0 && strcmp(a->isa, b->isa) == 0 &&
           strcmp(a->pages_asked, b->pages_asked) == 0;
}

static bool can_be_baseline(const struct point *p)
{
    return p->trust != TRUST_INVALID && p->seconds[METRIC_TOTAL].value > 0.0;
}

static bool is_serial(const struct point *p)
{
    return point_is_alone(&p->samples->identity);
}

/* True for the same workers with the same distribution, binding and requested pages. */
static bool same_workers(const struct record *a, const struct record *b)
{
    return a->ranks == b->ranks && a->threads == b->threads && a->nodes == b->nodes &&
           strcmp(a->program, b->program) == 0 && strcmp(a->distribution, b->distribution) == 0 &&
           strcmp(a->parallel, b->parallel) == 0 && strcmp(a->bind, b->bind) == 0 &&
           strcmp(a->pages_asked, b->pages_asked) == 0;
}

/* True for the same method and workers in the narrowest instruction set. */
static bool is_narrow(const struct record *a, const struct record *mine)
{
    return strcmp(a->isa_limit, isa_option(ISA_BASELINE)) == 0 &&
           strcmp(a->method, mine->method) == 0 && same_workers(a, mine);
}

/* Index of the method in its table; -1 if no table has it. */
static ptrdiff_t rung_of(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    const struct space_facts *space = point_record_kind(r).space;
    return p->kind ? operator_rung(p->kind, space ? space->kind : SPACE_HOST, r->method) : -1;
}

/* Of the methods that do the same kind of work with the same workers, returns the nearest one
 * before this in the table: the idea that it builds on. */
static ptrdiff_t find_rung_before(const struct analysis *a, const struct point *p)
{
    const struct record *mine = &p->samples->identity;
    ptrdiff_t best = -1, highest = -1;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *q = &a->points[i];
        const struct record *other = &q->samples->identity;
        if (can_be_baseline(q) && q->product == p->product && q->rung < p->rung &&
            q->rung > highest && analysis_same_problem(p, q) && same_workers(mine, other) &&
            strcmp(mine->isa_limit, other->isa_limit) == 0) {
            best = (ptrdiff_t)i;
            highest = q->rung;
        }
    }
    return best;
}

/* Returns the method that the definition names, or the first of the operator's table if it has none
 * of that name: matmul has no literal. */
static const char *named_method(const struct operator_row *o, const char *named)
{
    return o && *named && !operator_method(o, SPACE_HOST, named) ? o->method(0)->name : named;
}

static bool may_be(const struct point *q, enum baseline baseline, const struct point *p,
                   const char *named)
{
    const struct record *mine = &p->samples->identity, *other = &q->samples->identity;
    if (!can_be_baseline(q) || !analysis_same_problem(p, q))
        return false;
    switch (baseline) {
    case BASELINE_NAMED:
        return is_serial(q) && strcmp(other->method, named_method(p->kind, named)) == 0;
    case BASELINE_BEST:
        return is_serial(q) && !q->peer && q->product == p->product;
    case BASELINE_ONE:
        return q->workers == 1.0 && same_way(mine, other);
    default:
        return baseline == BASELINE_ISA && is_narrow(other, mine);
    }
}

/* Returns the baseline of a point; if there are several candidates, gathered in `candidates`, the
 * fastest is chosen. */
static struct choice find_baseline(const struct analysis *a, const struct point *p,
                                   enum baseline baseline, const char *named,
                                   const struct point **candidates)
{
    size_t count = 0;
    if (baseline == BASELINE_RUNG) {
        const ptrdiff_t rung = find_rung_before(a, p);
        return choice_given(rung < 0 ? NULL : &a->points[rung]);
    }
    for (size_t i = 0; i < a->point_count; i++)
        if (may_be(&a->points[i], baseline, p, named))
            candidates[count++] = &a->points[i];
    return choice_of(&a->samples, candidates, count);
}

/* Compares a point with its baseline. If workers share cores, their compute time omits waiting: no
 * ratio of it. */
static void compare_with_baseline(struct speedup *s, const struct choice *base,
                                  const struct analysis *a, const struct point *p)
{
    const struct choice mine = choice_given(p), *over = base->point == p ? &mine : base;
    s->point = base->point - a->points;
    s->p_value = choices_p_value(&a->samples, over, &mine, METRIC_TOTAL);
    for (enum metric m = 0; m < METRICS; m++) {
        s->seconds[m] = choice_seconds(&a->samples, over, m).value;
        if (m == METRIC_COMPUTE && p->shares_cores)
            continue;
        const struct comparison_of_points c = compare_choices(&a->samples, over, &mine, m);
        s->value[m] = c.value;
        s->interval[m] = c.interval;
        s->pairs = c.pairs;
    }
}

/* Compares a point with the same program on the base of the figure. */
static void compare_with_base(const struct analysis *a, struct point *p,
                              const struct point **candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *q = &a->points[i];
        if (q->workers == a->base && can_be_baseline(q) && analysis_same_problem(p, q) &&
            same_way(&p->samples->identity, &q->samples->identity))
            candidates[count++] = q;
    }
    const struct choice base = choice_of(&a->samples, candidates, count);
    if (base.point)
        compare_with_baseline(&p->over_base, &base, a, p);
}

static void derive_from_one_worker(struct point *p)
{
    const struct speedup *s = &p->speedup[BASELINE_ONE];
    const double value = s->value[METRIC_TOTAL];
    const struct interval i = s->interval[METRIC_TOTAL];
    p->efficiency = value / p->workers;
    p->efficiency_interval = (struct interval){i.lower / p->workers, i.upper / p->workers};
    if (p->workers > 1.0) {
        /* Karp-Flatt falls as the speedup grows, so the ends of the interval swap. */
        p->karp_flatt = karp_flatt(value, p->workers);
        p->karp_flatt_interval =
            (struct interval){karp_flatt(i.upper, p->workers), karp_flatt(i.lower, p->workers)};
    }
}

/* T(1) / T(p) along a curve whose work grows with the workers. */
static void derive_weak(struct analysis *a, const struct curve *c)
{
    const struct point *one = &a->points[c->points[0]];
    if (one->workers != 1.0 || !can_be_baseline(one))
        return;
    for (size_t i = 0; i < c->count; i++) {
        struct point *p = &a->points[c->points[i]];
        const struct comparison_of_points over = compare_points(&a->samples, one, p, METRIC_TOTAL);
        p->weak_efficiency = over.value;
        p->weak_interval = over.interval;
    }
}

enum status analysis_speedups(struct analysis *a, const struct analysis_request *request,
                              struct failure *f)
{
    const struct point **candidates = calloc(a->point_count + 1, sizeof *candidates);
    if (!candidates)
        return fail(f, STATUS_RESOURCE, "not enough memory for the speedups of %s", a->name);
    for (size_t i = 0; i < a->point_count; i++)
        a->points[i].rung = rung_of(&a->points[i]);
    for (size_t i = 0; i < a->point_count; i++) {
        struct point *p = &a->points[i];
        for (enum baseline b = 0; b < BASELINES; b++) {
            const struct choice base = find_baseline(a, p, b, request->baseline_method, candidates);
            if (base.point)
                compare_with_baseline(&p->speedup[b], &base, a, p);
        }
        if (a->base > 1.0)
            compare_with_base(a, p, candidates);
        if (p->speedup[BASELINE_ONE].point >= 0)
            derive_from_one_worker(p);
    }
    for (size_t i = 0; i < a->curve_count; i++)
        if (a->curves[i].kind == CURVE_WEAK)
            derive_weak(a, &a->curves[i]);
    free(candidates);
    return STATUS_OK;
}
