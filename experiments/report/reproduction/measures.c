#include "experiments/report/reproduction/measures.h"

#include "experiments/analysis/phase_time.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/report/reproduction/taking.h"
#include "experiments/samples/point.h"
#include "harness/base/text/integer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- times ----------------------------------------------------------------------------------- */

static struct interval scaled(struct interval i, double by)
{
    return (struct interval){i.lower * by, i.upper * by};
}

/* Stores the time of the choice, from other rounds than those that chose it, times `factor`. */
static void found_seconds(const struct taking *t, const struct choice *c, enum metric metric,
                          double factor)
{
    const struct samples *s = &t->experiment->analysis.samples;
    const struct estimate e = c->point ? choice_seconds(s, c, metric) : (struct estimate){0};
    if (c->point)
        measure_found(t, c->point, e.value * factor, scaled(e.interval, factor));
}

/* variant: an enum metric. */
static void take_seconds(const struct taking *t)
{
    const struct choice c = measure_choice(t, 0);
    found_seconds(t, &c, (enum metric)t->variant, 1.0);
}

/* Stores the time of a phase, or its share of the total time. */
static void found_phase(const struct taking *t, const struct point *p, struct estimate e)
{
    measure_found(t, p, e.value, e.interval);
    estimate_free(&e);
}

static void take_product(const struct taking *t)
{
    const struct point *p = measure_point(t, 0);
    if (p)
        found_phase(t, p, point_phase_seconds(&t->experiment->analysis.samples, p, PHASE_PRODUCT));
}

/* image: total seconds per image of the batch. */
static void take_image(const struct taking *t)
{
    const struct choice c = measure_choice(t, 0);
    const double images = c.point ? record_count(record_images(&c.point->samples->identity)) : 1.0;
    found_seconds(t, &c, METRIC_TOTAL, 1.0 / images);
}

/* slowest: the longest total time of all fitting points. */
static void take_slowest(const struct taking *t)
{
    const struct analysis *a = &t->experiment->analysis;
    const struct point **all = calloc(a->point_count + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; all && i < a->point_count; i++)
        if (!a->points[i].shares_cores && measure_wants(&t->measure->points[0], &a->points[i]))
            all[count++] = &a->points[i];
    const struct choice c = choice_of_slowest(&a->samples, all, count);
    free(all);
    found_seconds(t, &c, METRIC_TOTAL, 1.0);
}

/* ---- shares and ratios ----------------------------------------------------------------------- */

static void take_share(const struct taking *t)
{
    const struct point *p = measure_point(t, 0);
    if (p)
        measure_found(t, p, p->share.value, p->share.interval);
}

/* amdahl P: the speedup of P workers that follows from the share of the product. */
static void take_amdahl(const struct taking *t)
{
    const struct point *p = measure_point(t, 0);
    const double workers = measure_number(t->measure, 0);
    if (!p)
        return;
    const struct interval of = p->share.interval, speedup = {amdahl_speedup(of.lower, workers),
                                                             amdahl_speedup(of.upper, workers)};
    measure_found(t, p, amdahl_speedup(p->share.value, workers), speedup);
}

/* phase update: the share of the phase in the total time. */
static void take_phase(const struct taking *t)
{
    const struct point *p = measure_point(t, 0);
    if (p)
        found_phase(t, p, point_phase_share(&t->experiment->analysis.samples, p, PHASE_UPDATE));
}

static const struct point *one_worker(const struct point *p, const void *analysis)
{
    const struct analysis *a = analysis;
    const ptrdiff_t one = p->speedup[BASELINE_ONE].point;
    return one < 0 ? NULL : &a->points[one];
}

/* speedup: total time of one worker of the same program / that of the first of the points. */
static void take_speedup(const struct taking *t)
{
    const struct analysis *a = &t->experiment->analysis;
    struct choice c = {.point = NULL};
    for (size_t i = 0; i < t->measure->point_count && !c.point; i++)
        c = measure_choice(t, i);
    const struct choice one = choice_of_companions(&c, one_worker, a);
    if (!one.point)
        return;
    const struct speedup *s = &c.point->speedup[BASELINE_ONE]; /* the ratio shown everywhere else */
    const struct comparison_of_points r =
        choice_is_split(&c) ? compare_choices(&a->samples, &one, &c, METRIC_TOTAL)
                            : (struct comparison_of_points){s->value[METRIC_TOTAL],
                                                            s->interval[METRIC_TOTAL], s->pairs};
    measure_found(t, c.point, r.value, r.interval);
    t->out->trust = comparison_trust(one.point, c.point, &r);
}

/* The total time of the first point / that of the second; variant: both per image of their batches.
 */
static void take_ratio(const struct taking *t)
{
    const struct choice c = measure_choice(t, 0), d = measure_choice(t, 1);
    const struct point *p = c.point, *q = d.point;
    if (!p || !q)
        return;
    const struct comparison_of_points r =
        compare_choices(&t->experiment->analysis.samples, &c, &d, METRIC_TOTAL);
    const double factor = t->variant ? record_count(record_images(&q->samples->identity)) /
                                           record_count(record_images(&p->samples->identity))
                                     : 1.0;
    measure_found(t, p, r.value * factor, scaled(r.interval, factor));
    t->out->trust = comparison_trust(p, q, &r);
}

/* ---- findings -------------------------------------------------------------------------------- */

/* count: number of measured points. */
static void take_count(const struct taking *t)
{
    const struct analysis *a = &t->experiment->analysis;
    size_t count = 0;
    for (size_t i = 0; i < a->point_count; i++)
        count += measure_wants(&t->measure->points[0], &a->points[i]);
    if (count)
        measure_found(t, NULL, (double)count, no_interval);
}

/* True if the claim uses a point that meets the measure's conditions, if it has any. */
static bool rests_on_point(const struct claim *c, const struct measure *m)
{
    bool found = m->point_count == 0;
    for (size_t i = 0; i < c->count && !found; i++)
        found = conditions_met(&m->points[0], &c->rows[i]->samples->identity);
    return found;
}

/* claim CHART: what a chart shows, in words. */
static void take_claim(const struct taking *t)
{
    struct taken *out = t->out;
    struct claim c;
    claim_make(t->experiment, t->measure->words[0], t->language, &c);
    snprintf(out->why, sizeof out->why, "%s", c.why);
    if (!c.has_answer || !rests_on_point(&c, t->measure))
        return;
    out->found = true;
    snprintf(out->finding, sizeof out->finding, "%s", c.title);
    snprintf(out->sentence, sizeof out->sentence, "%s", c.answer);
    out->trusted = c.count > 0;
    for (size_t i = 0; i < c.count; i++)
        if (c.rows[i]->trust > out->trust)
            out->trust = c.rows[i]->trust;
}

/* ---- the table ------------------------------------------------------------------------------- */

enum word_kind {
    WORDS_NUMBERS,
    WORDS_RATES,
    WORDS_PHASE,
    WORDS_CHART,
    WORDS_LABEL,
    WORDS_FORM,   /* of a figure: table or curve */
    WORDS_COLUMN, /* a column of the record with counts */
    WORDS_GROWTH  /* a phase, and such a column */
};

struct measure_kind {
    const char *name;
    size_t least_points, most_points;
    size_t least_words, most_words;
    enum word_kind words;
    enum measure_unit unit;
    measure_function *take;
    size_t variant;
};

static const struct measure_kind kinds[] = {
    {"total", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_SECONDS, take_seconds, METRIC_TOTAL},
    {"compute", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_SECONDS, take_seconds, METRIC_COMPUTE},
    {"product", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_SECONDS, take_product, 0},
    {"image", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_SECONDS, take_image, 0},
    {"slowest", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_SECONDS, take_slowest, 0},
    {"share", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_share, 0},
    {"amdahl", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_amdahl, 0},
    {"phase", 1, 1, 1, 1, WORDS_PHASE, MEASURE_PLAIN, take_phase, 0},
    {"speedup", 1, 2, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_speedup, 0},
    {"ratio", 2, 2, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_ratio, 0},
    {"image_ratio", 2, 2, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_ratio, true},
    {"count", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_count, 0},
    {"rates", 1, 1, 1, 1, WORDS_RATES, MEASURE_PLAIN, take_rates, 0},
    {"test_accuracy", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_of_epoch, EPOCH_TEST_ACCURACY},
    {"selected_accuracy", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_of_epoch,
     EPOCH_SELECTED_ACCURACY},
    {"accuracy", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_of_epoch, EPOCH_ACCURACY},
    {"loss", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_of_epoch, EPOCH_LOSS},
    {"validation_accuracy", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_of_epoch,
     EPOCH_VALIDATION_ACCURACY},
    {"validation_loss", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_of_epoch,
     EPOCH_VALIDATION_LOSS},
    {"training", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_SECONDS, take_epoch_sum, true},
    {"epoch", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_SECONDS, take_epoch_sum, false},
    {"wrong", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_wrong, 0},
    {"epochs", 1, 1, 1, 1, WORDS_NUMBERS, MEASURE_PLAIN, take_epochs_ratio, 0},
    {"steps", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_steps_ratio, 0},
    {"skill", 1, 1, 1, MEASURE_WORDS, WORDS_NUMBERS, MEASURE_FINDING, take_skill, 0},
    {"memory", 1, 1, 1, 1, WORDS_LABEL, MEASURE_BYTES, take_memory, 0},
    {"memory_peak", 1, 1, 1, 1, WORDS_LABEL, MEASURE_BYTES, take_memory, true},
    {"claim", 0, 1, 1, 1, WORDS_CHART, MEASURE_FINDING, take_claim, 0},
    {"table", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_FINDING, take_figure, FORM_TABLE},
    {"curve", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_FINDING, take_figure, FORM_CURVE},
    {"kernels", 1, 1, 1, 1, WORDS_FORM, MEASURE_FINDING, take_figure, FORM_KERNELS_TABLE},
    {"against", 2, 2, 0, 0, WORDS_NUMBERS, MEASURE_FINDING, take_figure, FORM_AGAINST},
    {"exponent", 1, 1, 2, 2, WORDS_GROWTH, MEASURE_PLAIN, take_exponent, 0},
    {"exponential", 1, 1, 2, 2, WORDS_GROWTH, MEASURE_PLAIN, take_exponential, 0},
    {"least_ratio", 2, 2, 1, 1, WORDS_COLUMN, MEASURE_PLAIN, take_along, ALONG_LEAST},
    {"most_ratio", 2, 2, 1, 1, WORDS_COLUMN, MEASURE_PLAIN, take_along, ALONG_MOST},
    {"first_ratio", 2, 2, 1, 1, WORDS_COLUMN, MEASURE_PLAIN, take_along, ALONG_FIRST},
    {"last_ratio", 2, 2, 1, 1, WORDS_COLUMN, MEASURE_PLAIN, take_along, ALONG_LAST},
    {"phase_ratio", 2, 2, 1, 1, WORDS_PHASE, MEASURE_PLAIN, take_phase_ratio, 0},
    {"training_ratio", 1, 1, 2, 2, WORDS_NUMBERS, MEASURE_PLAIN, take_training_ratio, 0},
    {"transfers", 1, 1, 0, 0, WORDS_NUMBERS, MEASURE_PLAIN, take_transfers, 0},
};

enum measure_unit measure_unit_of(const struct measure *m)
{
    return m->kind->unit;
}

bool measure_needs_device(const struct measure *m)
{
    for (size_t i = 0; i < m->point_count; i++)
        for (size_t j = 0; j < m->points[i].count; j++) {
            const struct condition *c = &m->points[i].all[j];
            const struct space_facts *space = strcmp(c->column->column.name, "program") == 0
                                                  ? point_program_kind(c->value).space
                                                  : NULL;
            if (space && space->kind == SPACE_CUDA)
                return true;
        }
    return false;
}

void measure_take(struct taken *out, const struct measure *m, const struct experiment *e,
                  const struct language *l)
{
    const struct taking t = {m, e, l, out, m->kind->variant};
    *out = (struct taken){.value = NAN, .interval = no_interval};
    m->kind->take(&t);
}

const struct experiment *measure_take_first(struct taken *out, const struct measure *m,
                                            const char *experiments,
                                            const struct report_data *source,
                                            const struct language *l)
{
    char names[FILLED_TEXT], *rest = NULL;
    snprintf(names, sizeof names, "%s", experiments);
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        const struct experiment *e = report_data_experiment(source, name);
        struct taken taken;
        if (!e)
            continue;
        measure_take(&taken, m, e, l);
        if (!out->why[0] || taken.found)
            *out = taken;
        if (taken.found)
            return e;
    }
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Adds one "column=value" to the conditions. Returns NULL, or the fault. */
static const char *read_condition(struct conditions *out, char *word)
{
    char *equals = strchr(word, '=');
    if (!equals || !equals[1])
        return "has a word that is no column=value";
    *equals = '\0';
    const struct record_column *column = record_column_find(word);
    if (!column || column->column.type == COLUMN_REAL)
        return "names no column of the record with texts or counts";
    int64_t count;
    if (column->column.type == COLUMN_INT && !integer_read(equals + 1, 0, INT64_MAX, &count))
        return "has a value that is no count";
    if (out->count == MEASURE_CONDITIONS)
        return "has too many words";
    struct condition *c = &out->all[out->count++];
    c->column = column;
    snprintf(c->value, sizeof c->value, "%s", equals + 1);
    return NULL;
}

/* "program=maxpool_serial rows=4 / program=..." */
static const char *read_points(struct measure *out, char *text)
{
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "/") == 0 || out->point_count == 0)
            out->point_count++;
        if (out->point_count > MEASURE_POINTS)
            return "has more than two points";
        const char *why = strcmp(word, "/") == 0
                              ? NULL
                              : read_condition(&out->points[out->point_count - 1], word);
        if (why)
            return why;
    }
    return NULL;
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static const char *check_column(const char *word)
{
    const struct record_column *c = record_column_find(word);
    return c && c->column.type == COLUMN_INT ? NULL : "names no column of the record with counts";
}

/* Checks the last word that was read. */
static const char *check_word(const struct measure *m, const char *word)
{
    static const char *const rates[] = {"first", "last", "count", "suggested", NULL},
                             *const phases[] = {"total", "compute", "product", NULL},
                             *const forms[] = {"table", "curve", NULL};
    char *end;
    switch (m->kind->words) {
    case WORDS_RATES:
        return is_one_of(word, rates) ? NULL : "is not 'rates' first, last, count or suggested";
    case WORDS_FORM:
        return is_one_of(word, forms) ? NULL : "is neither a table nor a curve";
    case WORDS_COLUMN:
        return check_column(word);
    case WORDS_GROWTH:
        if (m->word_count > 1)
            return check_column(word);
        return is_one_of(word, phases) ? NULL : "is not of total, compute or product";
    case WORDS_PHASE:
        return strcmp(word, "update") == 0 ? NULL : "names no phase that is taken: update";
    case WORDS_CHART:
        return chart_kind_find(word) ? NULL : "names no chart";
    case WORDS_NUMBERS:
        return strtod(word, &end) >= 1.0 && *end == '\0' ? NULL : "has a word that is no count";
    default:
        return NULL;
    }
}

static enum figure_form form_of(const struct measure *m)
{
    const enum figure_form form =
        m->kind->take == take_figure ? (enum figure_form)m->kind->variant : FORM_NONE;
    return form == FORM_KERNELS_TABLE && strcmp(m->words[0], "curve") == 0 ? FORM_KERNELS_CURVE
                                                                           : form;
}

static const char *read_measure(struct measure *out)
{
    char *rest = NULL, *name = strtok_r(out->text, " ", &rest);
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].name) == 0)
            out->kind = &kinds[i];
    if (!out->kind)
        return "is no measure";
    for (char *word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (out->word_count == out->kind->most_words)
            return "has too many words for this measure";
        out->words[out->word_count++] = word;
        const char *why = check_word(out, word);
        if (why)
            return why;
    }
    if (out->word_count < out->kind->least_words)
        return "has too few words for this measure";
    out->form = form_of(out);
    return NULL;
}

const char *measure_read_texts(struct measure *out, const char *point, const char *measure,
                               bool *in_point)
{
    char points[FILLED_TEXT];
    *out = (struct measure){0};
    snprintf(points, sizeof points, "%s", point);
    snprintf(out->text, sizeof out->text, "%s", measure);
    *in_point = false;
    const char *why = read_measure(out);
    if (why)
        return why;
    *in_point = true;
    why = read_points(out, points);
    if (!why &&
        (out->point_count < out->kind->least_points || out->point_count > out->kind->most_points))
        why = "has not as many points as the measure takes";
    return why;
}

const char *measure_read(struct measure *out, const struct counterpart *c,
                         const struct published_row *row, enum counterpart_column *column)
{
    char points[FILLED_TEXT], measure[FILLED_TEXT];
    bool in_point;
    counterpart_fill(c->cells[COUNTERPART_POINT], row, points);
    counterpart_fill(c->cells[COUNTERPART_MEASURE], row, measure);
    const char *why = measure_read_texts(out, points, measure, &in_point);
    *column = in_point ? COUNTERPART_POINT : COUNTERPART_MEASURE;
    return why;
}
