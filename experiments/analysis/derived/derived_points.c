/* One row per point. */
#include "experiments/analysis/derived/derived.h"

#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/limit_share.h"
#include "experiments/analysis/palette.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/samples/point.h"
#include "harness/base/digest.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- texts ----------------------------------------------------------------------------------- */

static bool is_on(const struct analysis *a, const struct curve *c, const struct point *p)
{
    for (size_t i = 0; i < c->count; i++)
        if (&a->points[c->points[i]] == p)
            return true;
    return false;
}

/* The curve of a kind that the point is on; a label alone makes no curve. */
static const char *series_of(const struct analysis *a, const struct point *p, enum curve_kind kind)
{
    const char *label = "";
    for (size_t i = 0; i < a->curve_count; i++)
        if (a->curves[i].kind == kind && is_on(a, &a->curves[i], p))
            label = a->curves[i].label;
    return label;
}

/* All causes, or those that fit and the number of the others. */
static void write_reasons(const struct point *p, char *text)
{
    enum { MORE = 32 }; /* bytes for that number */
    size_t length = 0;
    for (size_t i = 0; i < p->reason_count; i++) {
        const struct reason_text text_of_cause = reason_cause(&p->reasons[i], &language_english);
        const char *cause = text_of_cause.text;
        if (length + strlen(cause) + MORE > DERIVED_LONG_TEXT) {
            snprintf(text + length, DERIVED_LONG_TEXT - length, "; ... %zu more",
                     p->reason_count - i);
            return;
        }
        length += (size_t)snprintf(text + length, DERIVED_LONG_TEXT - length, "%s%s",
                                   length ? "; " : "", cause);
    }
}

static const char *bound_by(const struct roof *roof)
{
    return !(roof->seconds > 0.0)                 ? ""
           : roof->arithmetic_s > roof->traffic_s ? "arithmetic"
                                                  : "traffic";
}

static const char *baseline_of(const struct analysis *a, const struct point *p, enum baseline which)
{
    const ptrdiff_t baseline = p->speedup[which].point;
    return baseline >= 0 ? a->points[baseline].label : "";
}

struct point_name {
    char text[DERIVED_NAME];
};

void derived_point_name(const struct point *p, char *text)
{
    snprintf(text, DERIVED_NAME, "p%016" PRIx64, digest_text(DIGEST_TEXT, p->samples->key));
}

static struct point_name name_of(const struct point *p)
{
    struct point_name name;
    derived_point_name(p, name.text);
    return name;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* `times` as many seconds, over a number of things. */
static struct bounded time_of(const struct point *p, enum metric m, double times, double things)
{
    const struct estimate *e = &p->seconds[m];
    return (struct bounded){times * e->value / things, times * e->interval.lower / things,
                            times * e->interval.upper / things};
}

/* The time that its work is related to: see point_work_metric. */
static double work_seconds(const struct point *p)
{
    return p->seconds[point_work_metric(p)].value;
}

/* Bytes of the network's parameters. */
static double parameter_bytes(const struct record *r)
{
    return r->network[0] ? point_parameter_bytes(r) : (double)NAN;
}

static double operations_of(const struct point *p)
{
    return arithmetic_operations(&p->need.least);
}

/* Without arithmetic there is no rate of it, and no place on an axis of rates. */
static double if_any(double operations, double value)
{
    return operations > 0.0 ? value : (double)NAN;
}

static struct bounded over(const struct speedup *s, enum metric m)
{
    return s->point < 0 ? (struct bounded){NAN, NAN, NAN}
                        : DERIVED_BOUNDED(s->value[m], s->interval[m]);
}

/* ---- the columns ----------------------------------------------------------------------------- */

#define TABLE    points
#define ROW      struct point
#define KIND_INC "experiments/analysis/derived/points.inc"
#include "experiments/analysis/derived/declare_table.inc"

void derived_write_points(FILE *stream, const struct analysis *a)
{
    struct derived_writer w;
    derived_begin(&w, stream, &derived_points, a);
    for (size_t i = 0; i < a->point_count; i++)
        derived_write_row(&w, &a->points[i]);
}

void derived_point_text(const struct analysis *a, const struct point *p, const char *column,
                        char *text)
{
    const struct derived_column *c = derived_find(&derived_points, column);
    const double number = c && c->real ? derived_column_number(c, a, p) : (double)NAN;
    text[0] = '\0';
    if (!isnan(number))
        snprintf(text, DERIVED_TEXT, "%.9g", number);
    if (c && c->text && !c->is_long)
        c->text(a, p, c->which, text);
}

double derived_point_number(const struct analysis *a, const struct point *p, const char *column)
{
    return derived_number(&derived_points, a, p, column);
}
