#include "experiments/report/reproduction/reproduction.h"

#include "experiments/report/reproduction/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const reproduced_names[REPRODUCED_STATES] = {"measured", "answer", "fact", "absent",
                                                         "missing"};

struct making {
    struct reproduction *out;
    const struct published *published;
    const struct counterparts *counterparts;
    const char *folder;
    const struct report_data *const *sources;
    size_t source_count;
    const struct language *language;
    struct failure *failure;
};

/* ---- units ----------------------------------------------------------------------------------- */

/* A published unit in the unit of a measure. The memory of the faces is printed in MB, but its
 * digits are only possible for pages of 4 KiB in MiB. */
static const struct {
    const char *name;
    enum measure_unit unit;
    double scale;
} units[] = {{"s", MEASURE_SECONDS, 1.0},     {"ms", MEASURE_SECONDS, 1e-3},
             {"min", MEASURE_SECONDS, 60.0},  {"%", MEASURE_PLAIN, 0.01},
             {"", MEASURE_PLAIN, 1.0},        {"times", MEASURE_PLAIN, 1.0},
             {"images", MEASURE_PLAIN, 1.0},  {"steps", MEASURE_PLAIN, 1.0},
             {"MB", MEASURE_BYTES, 1048576.0}};

/* NaN if the published unit is not one of the measure's. */
static double scale_of(const char *unit, enum measure_unit of)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0 && units[i].unit == of)
            return units[i].scale;
    return NAN;
}

/* ---- one row --------------------------------------------------------------------------------- */

static bool is_its_device(const struct reproduced_row *row, const struct taken *taken)
{
    char *const *cells = row->published->cells;
    return taken->device && (figure_names_device(cells[PUBLISHED_SERIES], taken->device) ||
                             figure_names_device(cells[PUBLISHED_CAPTION], taken->device));
}

/* Takes the measure of a row from the first folder that has it; a figure of a GPU from the first
 * folder of that GPU, if there is one. */
static void take_from(const struct making *m, struct reproduced_row *row)
{
    const char *experiments = row->counterpart->cells[COUNTERPART_EXPERIMENTS];
    for (size_t i = 0; i < m->source_count; i++) {
        struct taken taken = {.value = NAN, .interval = no_interval};
        const struct experiment *e =
            measure_take_first(&taken, &row->measure, experiments, m->sources[i], m->language);
        const bool better = row->published->figure && e && is_its_device(row, &taken);
        if (row->experiment && !better)
            continue;
        if (e || taken.why[0])
            row->taken = taken;
        row->experiment = e;
        row->source = e ? m->sources[i] : NULL;
        if (better || (e && !taken.device))
            return;
    }
}

/* A value that is SUSPECT is shown, and is no ratio: it may say more about other programs. */
static void take_ratio(struct reproduced_row *row)
{
    const double published = row->published->number * row->scale;
    const struct taken *t = &row->taken;
    if (!row->compared || !t->found || !(published > 0.0) ||
        (t->trusted && t->trust >= TRUST_SUSPECT))
        return;
    row->ratio = t->value / published;
    row->interval = (struct interval){t->interval.lower / published, t->interval.upper / published};
}

static enum status take_measure(const struct making *m, struct reproduced_row *row)
{
    const struct counterpart *c = row->counterpart;
    enum counterpart_column column;
    const char *why = measure_read(&row->measure, c, row->published, &column);
    if (why)
        return counterpart_refuse(m->folder, c, column, why, m->failure);
    row->other_protocol = *c->cells[COUNTERPART_PROTOCOL] != '\0';
    row->compared = *c->cells[COUNTERPART_COMPARE] != '\0' && !row->other_protocol;
    row->scale = scale_of(row->published->cells[PUBLISHED_UNIT], measure_unit_of(&row->measure));
    if (row->compared && isnan(row->scale))
        return counterpart_refuse(m->folder, c, COUNTERPART_COMPARE,
                                  "compares units that are not alike", m->failure);
    take_from(m, row);
    if (row->state != REPRODUCED_ANSWER) /* besides a known answer, a measure is an addition */
        row->state = row->experiment ? REPRODUCED_MEASURED : REPRODUCED_MISSING;
    take_ratio(row);
    return STATUS_OK;
}

/* A result that is no result here: another protocol's, or SUSPECT. */
static bool lacks_ratio(const struct reproduced_row *row)
{
    return row->other_protocol || (row->compared && !isfinite(row->ratio));
}

/* Computes the known answer, also besides a measurement. */
static enum status take_answer(const struct making *m, struct reproduced_row *row)
{
    char expression[FILLED_TEXT];
    struct failure why = {0};
    counterpart_fill(row->counterpart->cells[COUNTERPART_ANSWER_OF], row->published, expression);
    if (!*expression)
        return STATUS_OK;
    if (answer_make(&row->answer, expression, &why) != STATUS_OK)
        return counterpart_refuse(m->folder, row->counterpart, COUNTERPART_ANSWER_OF, why.message,
                                  m->failure);
    return STATUS_OK;
}

/* What a number is here; NATURE_NEITHER for a figure. */
static enum nature reproduced_nature(const struct reproduced_row *row)
{
    if (row->published->figure)
        return NATURE_NEITHER;
    if (row->state == REPRODUCED_ANSWER)
        return NATURE_RECOMPUTED;
    if (row->state != REPRODUCED_MEASURED || lacks_ratio(row))
        return NATURE_NEITHER;
    return row->compared ? NATURE_RESULT : NATURE_CONFIGURATION;
}

static void count_row(struct reproduced_counts *counts, const struct reproduced_row *row)
{
    if (row->published->figure) {
        counts->figures[row->state]++;
        return;
    }
    counts->numbers[row->state]++;
    counts->natures[reproduced_nature(row)]++;
    counts->other_protocol += row->state == REPRODUCED_MEASURED && lacks_ratio(row);
}

static enum status make_row(const struct making *m, size_t i)
{
    static const enum reproduced states[COUNTERPART_KINDS] = {REPRODUCED_MISSING, REPRODUCED_ANSWER,
                                                              REPRODUCED_FACT, REPRODUCED_ABSENT};
    struct reproduced_row *row = &m->out->rows[i];
    *row = (struct reproduced_row){.published = &m->published->rows[i],
                                   .counterpart = &m->counterparts->all[m->counterparts->of[i]],
                                   .answer.number = NAN,
                                   .taken.value = NAN,
                                   .scale = NAN,
                                   .ratio = NAN,
                                   .interval = no_interval};
    row->state = states[row->counterpart->kind];
    enum status status =
        *row->counterpart->cells[COUNTERPART_MEASURE] ? take_measure(m, row) : STATUS_OK;
    if (status == STATUS_OK)
        status = take_answer(m, row);
    count_row(&m->out->counts[row->published->source], row);
    return status;
}

enum status reproduction_make(struct reproduction *out, const struct published *published,
                              const struct counterparts *counterparts, const char *folder,
                              const struct report_data *const *sources, size_t source_count,
                              const struct language *l, struct failure *f)
{
    const struct making m = {out, published, counterparts, folder, sources, source_count, l, f};
    enum status status = STATUS_OK;
    *out = (struct reproduction){.rows = calloc(published->count + 1, sizeof *out->rows)};
    if (!out->rows)
        return fail(f, STATUS_RESOURCE, "not enough memory");
    for (int i = 0; i < SOURCES; i++)
        out->shown[i] = true;
    for (; out->count < published->count && status == STATUS_OK; out->count++)
        status = make_row(&m, out->count);
    if (status == STATUS_OK)
        status = verdicts_make(&out->verdicts, folder, sources, source_count, l, f);
    if (status != STATUS_OK)
        reproduction_release(out);
    return status;
}

void reproduction_release(struct reproduction *r)
{
    free(r->rows);
    verdicts_release(&r->verdicts);
    *r = (struct reproduction){0};
}

struct reproduced_counts reproduction_counts(const struct reproduction *r)
{
    struct reproduced_counts sum = {.other_protocol = 0};
    for (int i = 0; i < SOURCES; i++) {
        const struct reproduced_counts *own = &r->counts[i];
        if (!r->shown[i])
            continue;
        for (int j = 0; j < REPRODUCED_STATES; j++) {
            sum.numbers[j] += own->numbers[j];
            sum.figures[j] += own->figures[j];
        }
        for (int j = 0; j < NATURES; j++)
            sum.natures[j] += own->natures[j];
        sum.other_protocol += own->other_protocol;
    }
    return sum;
}

/* ---- deviations ------------------------------------------------------------------------------ */

/* Ratios closer to 1 count as equal to the published value. */
static const double as_published = 0.05;

static double deviation(const struct reproduced_row *row)
{
    const bool limit = strcmp(row->counterpart->cells[COUNTERPART_COMPARE], "limit") == 0;
    const double amount = row->ratio > 0.0 && !limit ? fabs(log(row->ratio)) : (double)NAN;
    return amount > as_published ? amount : (double)NAN;
}

const struct reproduced_row *reproduction_deviating(const struct reproduction *r,
                                                    const struct reproduced_row *previous)
{
    const struct reproduced_row *most = NULL;
    for (size_t i = 0; i < r->count; i++) {
        const struct reproduced_row *row = &r->rows[i];
        const double own = deviation(row), before = previous ? deviation(previous) : INFINITY;
        const bool later = own < before || (own == before && previous && row > previous);
        if (r->shown[row->published->source] && isfinite(own) && later &&
            (!most || own > deviation(most)))
            most = row;
    }
    return most;
}
