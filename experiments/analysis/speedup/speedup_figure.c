#include "experiments/analysis/speedup/speedup_figure.h"

#include "experiments/analysis/fits/round_fits.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/limits/limit_interval.h"
#include "experiments/plan/simulated.h"
#include "experiments/samples/point.h"
#include "theses/published/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const speedup_sources[SPEEDUP_SOURCES] = {"measured", "simulated", "predicted"};
const char *const worker_kinds[] = {"threads", "ranks", "ranks_threads"};
const char *const speedup_law_names[SPEEDUP_LAWS] = {"ideal", "product", "fitted", "tesina",
                                                     "given"};

static const double least_reach = 4.0;
enum { METHODS_ALL = 4, METHODS_MOST = 64 }; /* up to METHODS_ALL methods are all drawn */

/* The state while a figure is made. */
struct making {
    struct speedup_figure *out;
    const struct analysis *analysis;
    const struct forecasts *forecasts;
    const struct point *anchor;        /* a point of the problem that is shown */
    const char *methods[METHODS_MOST]; /* that are shown */
    size_t method_count;
};

double tesina_fraction(void)
{
    return published_number("amdahl.fraction");
}

enum worker_kind worker_kind_of(const struct record *r)
{
    if (!point_has_ranks(r))
        return WORKERS_THREADS;
    if (r->threads > 1)
        return r->ranks > 1 ? WORKERS_BOTH : WORKERS_THREADS;
    return WORKERS_RANKS;
}

double speedup_by_law(const struct speedup_figure *figure, double share, double workers)
{
    return figure->weak ? gustafson_speedup(1.0 - share, workers)
                        : figure->base * amdahl_speedup(share, workers / figure->base);
}

struct bounded speedup_karp_flatt(const struct speedup_mark *mark)
{
    const double base = mark->base, workers = mark->workers / base;
    return (struct bounded){karp_flatt(mark->speedup / base, workers),
                            karp_flatt(mark->interval.upper / base, workers),
                            karp_flatt(mark->interval.lower / base, workers)};
}

bool speedup_mark_counts(const struct speedup_mark *mark)
{
    return mark->source == SPEEDUP_MEASURED && !mark->beyond &&
           mark->point->trust != TRUST_INVALID && isfinite(mark->speedup);
}

/* ---- which points ---------------------------------------------------------------------------- */

/* True for points of several workers that were measured on processors or simulated, and not by
 * another library. The serial program has only one worker. */
static bool is_candidate(const struct point *p)
{
    const struct record *r = &p->samples->identity;
    return !point_is_alone(r) && !p->peer && isfinite(p->workers) &&
           p->seconds[METRIC_TOTAL].value > 0.0;
}

/* Speedup over one worker of the same program; NaN if that was not measured. */
static double speedup_of(const struct speedup_figure *figure, const struct point *p,
                         struct interval *interval)
{
    *interval = no_interval;
    if (figure->weak) {
        *interval = (struct interval){p->workers * p->weak_interval.lower,
                                      p->workers * p->weak_interval.upper};
        return p->workers * p->weak_efficiency;
    }
    const struct speedup *s = figure->base > 1.0 ? &p->over_base : &p->speedup[BASELINE_ONE];
    if (s->point < 0)
        return NAN;
    *interval = (struct interval){figure->base * s->interval[METRIC_TOTAL].lower,
                                  figure->base * s->interval[METRIC_TOTAL].upper};
    return figure->base * s->value[METRIC_TOTAL];
}

static bool has_speedup(const struct speedup_figure *figure, const struct point *p)
{
    struct interval unused;
    return is_candidate(p) && isfinite(speedup_of(figure, p, &unused));
}

/* True for the same work on any machine: simulated computers run this machine's problem. For weak
 * scaling, the work per worker must be equal. */
static bool same_work(const struct speedup_figure *figure, const struct point *p,
                      const struct point *q)
{
    const struct record *a = &p->samples->identity, *b = &q->samples->identity;
    if (!analysis_same_parameters(p, q))
        return false;
    if (!figure->weak)
        return point_same(a, b, COLUMN_SIZE);
    const double share = p->elements / p->workers, other = q->elements / q->workers;
    return fabs(share - other) <= 0.05 * share;
}

enum { COUNTS_MOST = 64 };

/* Adds a number to the list unless it is there. */
static void add_count(double counts[COUNTS_MOST], size_t *count, double workers)
{
    for (size_t i = 0; i < *count; i++)
        if (counts[i] == workers)
            return;
    if (*count < COUNTS_MOST)
        counts[(*count)++] = workers;
}

/* Number of worker counts measured for the work of a point. */
static size_t count_workers(const struct making *m, const struct point *p)
{
    double counts[COUNTS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < m->analysis->point_count; i++) {
        const struct point *q = &m->analysis->points[i];
        if (has_speedup(m->out, q) && same_work(m->out, p, q))
            add_count(counts, &count, q->workers);
    }
    return count;
}

/* Chooses the work that is shown. It must be measured; preferred is work whose product was clocked
 * in serial, then with the most worker counts, then the largest. */
static const struct point *find_anchor(const struct making *m)
{
    const struct analysis *a = m->analysis;
    const struct point *product = a->fraction >= 0 ? &a->points[a->fraction] : NULL, *best = NULL;
    size_t best_count = 0;
    bool best_clocked = false;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct point *p = &a->points[i];
        if (!has_speedup(m->out, p) || is_simulated(&p->samples->identity) ||
            (best && same_work(m->out, best, p)))
            continue;
        const size_t count = count_workers(m, p);
        const bool clocked = product && same_work(m->out, product, p);
        const bool better = clocked != best_clocked ? clocked
                            : count != best_count   ? count > best_count
                                                    : !best || p->elements > best->elements;
        if (!best || better) {
            best = p;
            best_count = count;
            best_clocked = clocked;
        }
    }
    return best;
}

static bool is_shown_work(const struct making *m, const struct point *p)
{
    return has_speedup(m->out, p) && same_work(m->out, m->anchor, p);
}

/* ---- which methods --------------------------------------------------------------------------- */

static bool shows(const struct making *m, const char *method)
{
    for (size_t i = 0; i < m->method_count; i++)
        if (strcmp(m->methods[i], method) == 0)
            return true;
    return false;
}

static void show(struct making *m, const char *method)
{
    if (method && !shows(m, method) && m->method_count < METHODS_MOST)
        m->methods[m->method_count++] = method;
}

/* The fastest method in total time for the shown work, on at most as many workers as cores. */
static const char *fastest_method(const struct making *m)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < m->analysis->point_count; i++) {
        const struct point *p = &m->analysis->points[i];
        if (is_shown_work(m, p) && p->trust != TRUST_INVALID && !p->shares_cores &&
            !is_simulated(&p->samples->identity) &&
            (!best || p->seconds[METRIC_TOTAL].value < best->seconds[METRIC_TOTAL].value))
            best = p;
    }
    return best ? best->samples->identity.method : NULL;
}

/* Shows all methods if they are few; otherwise the one that clocks its product, the first of the
 * table, and the fastest. What the methods of a program of another are, nobody knows: the first
 * ones are shown. */
static void choose_methods(struct making *m)
{
    const struct analysis *a = m->analysis;
    for (size_t i = 0; i < a->point_count; i++)
        if (is_shown_work(m, &a->points[i]))
            show(m, a->points[i].samples->identity.method);
    if (m->method_count <= METHODS_ALL)
        return;
    if (point_is_own_program(&m->anchor->samples->identity)) {
        if (m->method_count > SPEEDUP_OWN_CURVES)
            m->method_count = SPEEDUP_OWN_CURVES;
        return;
    }
    m->method_count = 0;
    if (m->out->product)
        show(m, m->out->product->samples->identity.method);
    if (m->anchor->kind)
        show(m, m->anchor->kind->method(0)->name);
    show(m, fastest_method(m));
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void add_point(struct making *m, const struct point *p)
{
    struct speedup_figure *out = m->out;
    const struct record *r = &p->samples->identity;
    struct speedup_mark *mark = &out->marks[out->count++];
    *mark = (struct speedup_mark){.source = is_simulated(r) ? SPEEDUP_SIMULATED : SPEEDUP_MEASURED,
                                  .record = r,
                                  .point = p,
                                  .workers = p->workers,
                                  .seconds = p->seconds[METRIC_TOTAL].value,
                                  .beyond = p->shares_cores,
                                  .base = out->base};
    mark->speedup = speedup_of(out, p, &mark->interval);
    if (p->workers == out->base) {
        mark->speedup = out->base;
        mark->interval = no_interval;
    }
}

/* The prediction for one worker on the line of a forecast; NULL without one. */
static const struct prediction *predicted_one(const struct forecasts *c, const struct forecast *row)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].source == FORECAST_PREDICTED && c->rows[i].problem == row->problem &&
            c->rows[i].ranks == 1)
            return &c->rows[i].predicted;
    return NULL;
}

/* Interval of the quotient of two predicted times. It is not too narrow: one model made both, and
 * its errors in both cancel. */
static struct interval predicted_interval(const struct prediction *one, const struct prediction *p)
{
    const struct bounded q =
        bounded_quotient((struct bounded){one->total_s, one->total.lower, one->total.upper},
                         (struct bounded){p->total_s, p->total.lower, p->total.upper});
    return (struct interval){q.lower, q.upper};
}

/* The point whose identity is this record. */
static const struct point *point_of(const struct analysis *a, const struct record *r)
{
    for (size_t i = 0; i < a->point_count; i++)
        if (&a->points[i].samples->identity == r)
            return &a->points[i];
    return NULL;
}

static void add_predicted(struct making *m, const struct forecast *row)
{
    const struct point *like = point_of(m->analysis, row->problem);
    const struct prediction *one = predicted_one(m->forecasts, row), *p = &row->predicted;
    if (row->source != FORECAST_PREDICTED || !one || !like || !is_shown_work(m, like) ||
        !shows(m, row->problem->method) || !isfinite(one->total_s / p->total_s))
        return;
    m->out->marks[m->out->count++] = (struct speedup_mark){
        .source = SPEEDUP_PREDICTED,
        .record = row->problem,
        .workers = (double)row->ranks,
        .seconds = p->total_s,
        .base = m->out->base,
        .speedup = one->total_s / p->total_s,
        .interval = row->ranks == 1 ? no_interval : predicted_interval(one, p)};
}

static int in_order(const void *a, const void *b)
{
    const struct speedup_mark *p = a, *q = b;
    const int source = (p->source > q->source) - (p->source < q->source);
    /* by the numbers in it: n = 512 before n = 1024 */
    const int method = strverscmp(p->record->method, q->record->method);
    const int space = -strcmp(p->record->space, q->record->space);
    const int distribution = strcmp(p->record->distribution, q->record->distribution);
    /* The model of Amdahl's law first: the product alone is parallel. */
    const int parallel = point_shares_product(q->record) - point_shares_product(p->record);
    const int workers = (p->workers > q->workers) - (p->workers < q->workers);
    return source         ? source
           : parallel     ? parallel
           : method       ? method
           : space        ? space
           : distribution ? distribution
                          : workers;
}

static enum status make_marks(struct making *m, struct failure *f)
{
    const struct analysis *a = m->analysis;
    const size_t forecasts = m->forecasts && !m->out->weak ? m->forecasts->count : 0;
    m->out->marks = calloc(a->point_count + forecasts + 1, sizeof *m->out->marks);
    if (!m->out->marks)
        return fail(f, STATUS_RESOURCE, "not enough memory for the speedups of %s", a->name);
    for (size_t i = 0; i < a->point_count; i++)
        if (is_shown_work(m, &a->points[i]) && shows(m, a->points[i].samples->identity.method))
            add_point(m, &a->points[i]);
    for (size_t i = 0; i < forecasts; i++)
        add_predicted(m, &m->forecasts->rows[i]);
    qsort(m->out->marks, m->out->count, sizeof *m->out->marks, in_order);
    return STATUS_OK;
}

bool speedup_same_series(const struct record *a, const struct record *b)
{
    return strcmp(a->method, b->method) == 0 && strcmp(a->space, b->space) == 0 &&
           strcmp(a->distribution, b->distribution) == 0 && strcmp(a->parallel, b->parallel) == 0;
}

/* The most worker counts of one method that count as speedups. */
static size_t most_counts(const struct speedup_figure *figure)
{
    size_t most = 0;
    for (size_t i = 0; i < figure->count; i++) {
        double counts[COUNTS_MOST];
        size_t count = 0;
        for (size_t j = 0; j < figure->count; j++)
            if (speedup_mark_counts(&figure->marks[j]) &&
                speedup_same_series(figure->marks[i].record, figure->marks[j].record))
                add_count(counts, &count, figure->marks[j].workers);
        most = count > most ? count : most;
    }
    return most;
}

/* ---- laws ------------------------------------------------------------------------------------ */

static double bound_of(double share)
{
    return share < 1.0 ? amdahl_bound(share) : INFINITY;
}

static struct law_line line_of(const struct speedup_figure *figure, double share,
                               struct interval interval)
{
    /* that of a fit may be wider than what a share can be */
    if (isfinite(interval.lower) && isfinite(interval.upper))
        interval = (struct interval){fmin(fmax(0.0, interval.lower), share),
                                     fmax(fmin(1.0, interval.upper), share)};
    struct law_line line = {true, share, interval, NAN, {NAN, NAN}};
    if (!figure->weak) {
        line.bound = figure->base * bound_of(share);
        if (isfinite(interval.lower) && isfinite(interval.upper))
            line.bound_interval = (struct interval){figure->base * bound_of(interval.lower),
                                                    figure->base * bound_of(interval.upper)};
    }
    return line;
}

/* The fit of the law to a curve; NULL if there is none. */
static const struct fit *fit_of(const struct curve *c, bool weak)
{
    if (c->kind != (weak ? CURVE_WEAK : CURVE_WORKERS) || c->fit_count == 0)
        return NULL;
    const struct fit *fit = &c->fits[METRIC_TOTAL][0];
    return fit->reason[0] == '\0' && isfinite(fit->value[1]) ? fit : NULL;
}

/* True if a speedup that is shown is on the curve: any, or of the series of a record. */
static bool is_shown_curve(const struct speedup_figure *figure, const struct analysis *a,
                           const struct curve *c, const struct record *of)
{
    for (size_t i = 0; i < figure->count; i++)
        for (size_t j = 0; j < c->count; j++)
            if (speedup_mark_counts(&figure->marks[i]) &&
                figure->marks[i].point == &a->points[c->points[j]] &&
                (!of || speedup_same_series(figure->marks[i].record, of)))
                return true;
    return false;
}

static const char *method_of(const struct analysis *a, const struct curve *c)
{
    return a->points[c->points[0]].samples->identity.method;
}

/* Of curves that fit equally, the first in the figure's order is the fitted one. */
static bool comes_first(const struct curve *c, const struct curve *than, bool weak,
                        const struct analysis *a)
{
    const size_t mine = fit_of(c, weak)->distinct, other = fit_of(than, weak)->distinct;
    return mine > other || (mine == other && strverscmp(method_of(a, c), method_of(a, than)) < 0);
}

/* Chooses the fitted curve: that of the method whose product was clocked, then the one with the
 * most worker counts. */
static const struct curve *choose_fit(const struct speedup_figure *figure, const struct analysis *a)
{
    const struct curve *best = NULL;
    bool best_staged = false;
    for (size_t i = 0; i < a->curve_count; i++) {
        const struct curve *c = &a->curves[i];
        const struct fit *fit = fit_of(c, figure->weak);
        if (!fit || !is_shown_curve(figure, a, c, NULL))
            continue;
        const bool staged = figure->product &&
                            strcmp(method_of(a, c), figure->product->samples->identity.method) == 0;
        if (!best || (staged && !best_staged) ||
            (staged == best_staged && comes_first(c, best, figure->weak, a))) {
            best = c;
            best_staged = staged;
        }
    }
    return best;
}

/* The parallel share of the time with the base, from that of the time with one worker. */
static double share_of_base(const struct speedup_figure *figure, double share)
{
    const double parallel = share / figure->base;
    return parallel / (1.0 - share + parallel);
}

/* Fits the law to a curve round by round if rounds are enough; otherwise takes the fit to the
 * medians. */
static enum status fit_law(struct law_line *line, const struct speedup_figure *figure,
                           const struct analysis *a, const struct curve *c, struct failure *f)
{
    struct round_fit rounds;
    const struct fit *fit = fit_of(c, figure->weak);
    const struct interval i = fit->interval[1];
    const enum status status = round_fit_curve(&rounds, a, c, f);
    rounds = round_fit_widened(rounds, figure->weak, fit);
    if (figure->base > 1.0)
        *line = line_of(
            figure, share_of_base(figure, fit->value[1]),
            (struct interval){share_of_base(figure, i.lower), share_of_base(figure, i.upper)});
    else if (isfinite(rounds.interval.lower))
        *line = line_of(figure, rounds.share, rounds.interval);
    else
        *line = figure->weak ? line_of(figure, 1.0 - fit->value[1],
                                       (struct interval){1.0 - i.upper, 1.0 - i.lower})
                             : line_of(figure, fit->value[1], i);
    return status;
}

static enum status make_laws(struct speedup_figure *figure, const struct analysis *a,
                             struct failure *f)
{
    figure->laws[LAW_IDEAL] = line_of(figure, 1.0, no_interval);
    if (figure->product && figure->base == 1.0)
        figure->laws[LAW_PRODUCT] =
            line_of(figure, figure->product->share.value, figure->product->share.interval);
    const bool own = figure->count && point_is_own_program(figure->marks[0].record);
    if (!figure->weak && !own && !isnan(tesina_fraction()))
        figure->laws[LAW_TESINA] = line_of(figure, tesina_fraction(), no_interval);
    if (!figure->weak && own && a->given > 0.0)
        figure->laws[LAW_GIVEN] = line_of(figure, a->given, no_interval);
    figure->fitted = choose_fit(figure, a);
    return figure->fitted ? fit_law(&figure->laws[LAW_FITTED], figure, a, figure->fitted, f)
                          : STATUS_OK;
}

static bool is_of_product(const struct speedup_figure *figure, const struct speedup_mark *mark)
{
    return figure->product &&
           strcmp(mark->record->method, figure->product->samples->identity.method) == 0;
}

/* The fitted curve through speedups of the mark's series; NULL: none. */
static const struct curve *curve_of(const struct speedup_figure *figure, const struct analysis *a,
                                    const struct speedup_mark *mark)
{
    for (size_t i = 0; i < a->curve_count; i++)
        if (fit_of(&a->curves[i], figure->weak) &&
            is_shown_curve(figure, a, &a->curves[i], mark->record))
            return &a->curves[i];
    return NULL;
}

/* The product's share with one worker of the mark's series; NULL: it was not clocked. */
static const struct estimate *share_of_series(const struct speedup_figure *figure,
                                              const struct speedup_mark *mark)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct speedup_mark *other = &figure->marks[i];
        if (other->source == mark->source && other->workers == 1.0 && other->point &&
            isfinite(other->point->share.value) && speedup_same_series(other->record, mark->record))
            return &other->point->share;
    }
    return NULL;
}

/* Sets the law of a mark's series, and of all later marks of the series. */
static enum status set_own_law(struct speedup_figure *figure, size_t at, const struct analysis *a,
                               struct failure *f)
{
    const struct speedup_mark *mark = &figure->marks[at];
    const bool product = figure->laws[LAW_PRODUCT].drawn && is_of_product(figure, mark);
    const struct estimate *alone =
        product && point_shares_product(mark->record) ? share_of_series(figure, mark) : NULL;
    const struct curve *c =
        product || mark->source != SPEEDUP_MEASURED ? NULL : curve_of(figure, a, mark);
    struct law_line line = {.drawn = false};
    enum status status = STATUS_OK;
    if (alone)
        line = line_of(figure, alone->value, alone->interval);
    else if (product)
        line = figure->laws[LAW_PRODUCT];
    else if (figure->laws[LAW_GIVEN].drawn)
        line = figure->laws[LAW_GIVEN];
    else if (c)
        status = fit_law(&line, figure, a, c, f);
    for (size_t i = at; i < figure->count; i++)
        if (figure->marks[i].source == mark->source &&
            speedup_same_series(figure->marks[i].record, mark->record))
            figure->marks[i].law = line;
    return status;
}

enum status speedup_figure_own_laws(struct speedup_figure *figure, const struct analysis *a,
                                    struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < figure->count && status == STATUS_OK; i++) {
        const struct speedup_mark *mark = &figure->marks[i],
                                  *before = i > 0 ? &figure->marks[i - 1] : NULL;
        if (!before || before->source != mark->source ||
            !speedup_same_series(before->record, mark->record))
            status = set_own_law(figure, i, a, f);
    }
    return status;
}

double speedup_at_step(const struct speedup_figure *figure, enum speedup_law law, size_t step,
                       double *workers, struct interval *ends)
{
    const struct law_line *line = &figure->laws[law];
    /* noise can fit a share above 1; it is drawn as 1 */
    const double share = fmin(1.0, line->share), low = fmin(1.0, line->interval.lower),
                 high = fmin(1.0, line->interval.upper),
                 x = figure->base * pow(figure->reach / figure->base, (double)step / SPEEDUP_STEPS);
    const bool band = isfinite(line->interval.lower) && isfinite(line->interval.upper);
    *workers = x;
    *ends = (struct interval){band ? speedup_by_law(figure, low, x) : (double)NAN,
                              band ? speedup_by_law(figure, high, x) : (double)NAN};
    return speedup_by_law(figure, share, x);
}

/* ---- the figure ------------------------------------------------------------------------------ */

/* Twice the cores, or as far as ranks were simulated or predicted; measured marks beyond that share
 * cores, and are no speedups. Laws go further only on request. */
static double find_reach(const struct speedup_figure *figure, double laws)
{
    double most = figure->cores > 0.0 ? 2.0 * figure->cores : 1.0;
    for (size_t i = 0; i < figure->count; i++)
        if (figure->marks[i].source != SPEEDUP_MEASURED || !figure->marks[i].beyond)
            most = fmax(most, figure->marks[i].workers);
    return fmax(least_reach, exp2(ceil(log2(fmax(most, laws)))));
}

static double cores_of(const struct machine_facts *m)
{
    const double most = machine_most_workers(m);
    return isfinite(most) ? fmax(1.0, floor(most)) : (double)NAN;
}

enum status speedup_figure_make(struct speedup_figure *out, const struct analysis *a,
                                const struct forecasts *forecasts, const struct machine_facts *m,
                                bool weak, struct failure *f)
{
    struct making making = {.out = out, .analysis = a, .forecasts = forecasts};
    *out =
        (struct speedup_figure){.weak = weak, .base = weak ? 1.0 : a->base, .cores = cores_of(m)};
    making.anchor = find_anchor(&making);
    if (!making.anchor)
        return STATUS_OK;
    if (a->fraction >= 0 && analysis_same_parameters(&a->points[a->fraction], making.anchor))
        out->product = &a->points[a->fraction];
    choose_methods(&making);
    if (make_marks(&making, f) != STATUS_OK)
        return f->status;
    out->counts = most_counts(out);
    out->reach = find_reach(out, a->laws);
    return make_laws(out, a, f);
}

void speedup_figure_release(struct speedup_figure *figure)
{
    free(figure->marks);
    *figure = (struct speedup_figure){0};
}

/* ---- subjects of sentences ------------------------------------------------------------------- */

/* Among the marks whose workers share the product alone, or among the others. */
static const struct speedup_mark *find_leading(const struct speedup_figure *figure, bool alone)
{
    const struct speedup_mark *best = NULL;
    for (size_t i = 0; i < figure->count; i++) {
        const struct speedup_mark *mark = &figure->marks[i];
        if (!speedup_mark_counts(mark) || !(mark->workers > mark->base) ||
            point_shares_product(mark->record) != alone)
            continue;
        const bool staged = is_of_product(figure, mark),
                   other = best && is_of_product(figure, best);
        if (!best ||
            (staged != other ? staged
                             : mark->workers > best->workers ||
                                   (mark->workers == best->workers &&
                                    worker_kind_of(mark->record) < worker_kind_of(best->record))))
            best = mark;
    }
    return best;
}

const struct speedup_mark *speedup_figure_leading(const struct speedup_figure *figure)
{
    const struct speedup_mark *whole = find_leading(figure, false);
    return whole ? whole : find_leading(figure, true); /* has a sentence of its own */
}

bool speedup_exceeds_product(const struct speedup_figure *figure, const struct speedup_mark *mark)
{
    const struct law_line *line = &figure->laws[LAW_PRODUCT];
    return line->drawn && mark->interval.lower > speedup_by_law(figure, line->share, mark->workers);
}
