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

static void experiment_name(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->analysis->name);
}

static void label(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->point->label);
}

/* A text of the record; `which` is its offset. */
static void identity(const struct derived_source *s, size_t which, char *text)
{
    derived_copy(text, (const char *)&s->point->samples->identity + which);
}

static bool is_on(const struct analysis *a, const struct curve *c, const struct point *p)
{
    for (size_t i = 0; i < c->count; i++)
        if (&a->points[c->points[i]] == p)
            return true;
    return false;
}

/* Names the curve of kind `which` that the point is on; a label alone makes no curve. */
static void series(const struct derived_source *s, size_t which, char *text)
{
    const struct analysis *a = s->analysis;
    for (size_t i = 0; i < a->curve_count; i++)
        if (a->curves[i].kind == which && is_on(a, &a->curves[i], s->point))
            derived_copy(text, a->curves[i].label);
}

static void isa_used(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->analysis->samples.launches[s->point->samples->first].isa);
}

static void kind_of_work(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->point->product ? "product" : "maximum");
}

static void status_word(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, trust_names[s->point->trust]);
}

/* All causes, or those that fit and the number of the others. */
static void all_reasons(const struct derived_source *s, size_t which, char *text)
{
    enum { MORE = 32 }; /* bytes for that number */
    const struct point *p = s->point;
    size_t length = 0;
    (void)which;
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

static void roof_level(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_copy(text, s->point->roof.level);
}

static void roof_bound(const struct derived_source *s, size_t which, char *text)
{
    const struct roof *roof = &s->point->roof;
    (void)which;
    if (roof->seconds > 0.0)
        derived_copy(text, roof->arithmetic_s > roof->traffic_s ? "arithmetic" : "traffic");
}

static void baseline_label(const struct derived_source *s, size_t which, char *text)
{
    const ptrdiff_t baseline = s->point->speedup[which].point;
    if (baseline >= 0)
        derived_copy(text, s->analysis->points[baseline].label);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* An integer of the record; `which` is its offset. */
static double count(const struct derived_source *s, size_t which, size_t part)
{
    int64_t value;
    (void)part;
    memcpy(&value, (const char *)&s->point->samples->identity + which, sizeof value);
    return record_number(value);
}

/* A double of the point; `which` is its offset. */
static double own(const struct derived_source *s, size_t which, size_t part)
{
    double value;
    (void)part;
    memcpy(&value, (const char *)s->point + which, sizeof value);
    return value;
}

static double place(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return (double)palette_place(s->point);
}

static double colour(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return palette_colour(s->point);
}

static double rung(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->point->rung < 0 ? (double)NAN : (double)s->point->rung;
}

static double seconds(const struct derived_source *s, size_t which, size_t part)
{
    const struct estimate *e = &s->point->seconds[which];
    return derived_part(e->value, e->interval, part);
}

/* The time that its work is related to: see point_work_metric. */
static double work_seconds(const struct derived_source *s, size_t part)
{
    return seconds(s, point_work_metric(s->point), part);
}

static double shares_cores(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->point->shares_cores;
}

void derived_point_name(const struct point *p, char *text)
{
    snprintf(text, DERIVED_NAME, "p%016" PRIx64, digest_text(DIGEST_TEXT, p->samples->key));
}

static void point_name(const struct derived_source *s, size_t which, char *text)
{
    (void)which;
    derived_point_name(s->point, text);
}

static double samples(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return (double)s->point->seconds[METRIC_TOTAL].samples;
}

static double launches(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return (double)s->point->seconds[METRIC_TOTAL].launches;
}

/* A double of the summary of all samples; `part` is its offset. */
static double pooled(const struct derived_source *s, size_t which, size_t part)
{
    double value;
    memcpy(&value, (const char *)&s->point->pooled[which] + part, sizeof value);
    return value;
}

/* A phase; `which` is its index. */
static double phase(const struct derived_source *s, size_t which, size_t part)
{
    (void)part;
    return s->point->phase[which];
}

static double product_share(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    return derived_part(s->point->share.value, s->point->share.interval, part);
}

static double bound_of_share(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return amdahl_bound(s->point->share.value);
}

/* Every sample does the same work: work / mean time is the harmonic mean of the rates. */
static double windows_per_s(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->point->windows / s->point->pooled[METRIC_TOTAL].mean;
}

static double gigabytes_per_s(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return 1e-9 * s->point->bytes / s->point->pooled[METRIC_TOTAL].mean;
}

static double window_ns(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    return 1e9 * work_seconds(s, part) / s->point->windows;
}

/* Seconds per image of a network's batch. */
static double image_s(const struct derived_source *s, size_t which, size_t part)
{
    return seconds(s, which, part) / record_number(record_images(&s->point->samples->identity));
}

/* Bytes of the network's parameters. */
static double parameter_bytes(const struct derived_source *s, size_t which, size_t part)
{
    const struct record *r = &s->point->samples->identity;
    (void)which;
    (void)part;
    return r->network[0] ? point_parameter_bytes(r) : (double)NAN;
}

static double operations(const struct derived_source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return arithmetic_operations(&s->point->need.least);
}

/* Without arithmetic there is no rate of it, and no place on an axis of rates. */
static double per_operations(double operations, double value)
{
    return operations > 0.0 ? value : (double)NAN;
}

static double intensity(const struct derived_source *s, size_t which, size_t part)
{
    const double all = operations(s, which, part);
    return per_operations(all, all / s->point->bytes);
}

static double gigaoperations_per_s(const struct derived_source *s, size_t which, size_t part)
{
    const double all = operations(s, which, part);
    return per_operations(all, 1e-9 * all / work_seconds(s, PART_VALUE));
}

/* Share of a roof, the double at offset `which` of the point, over the time of the work. */
static double share_of_roof(const struct derived_source *s, size_t which, size_t part)
{
    const struct interval i = which == offsetof(struct point, roof.apart_s)
                                  ? point_apart_interval(s->point)
                                  : point_share_interval(s->point);
    return derived_part(own(s, which, 0) / work_seconds(s, PART_VALUE), i, part);
}

/* Seconds of the baseline. */
static double baseline_s(const struct derived_source *s, size_t which, size_t part)
{
    return s->point->speedup[which].seconds[part];
}

static double speedup(const struct derived_source *s, size_t which, enum metric m, size_t part)
{
    const struct speedup *over = &s->point->speedup[which];
    return over->point < 0 ? (double)NAN : derived_part(over->value[m], over->interval[m], part);
}

static double compute_speedup(const struct derived_source *s, size_t which, size_t part)
{
    return speedup(s, which, METRIC_COMPUTE, part);
}

static double total_speedup(const struct derived_source *s, size_t which, size_t part)
{
    return speedup(s, which, METRIC_TOTAL, part);
}

/* ---- the columns ----------------------------------------------------------------------------- */

/* Columns besides the record's, which are written between `names` and `columns`. */
static const struct derived_column names[] = {
    {"experiment", experiment_name, NULL, 0, 0, false},
    {"label", label, NULL, 0, 0, false},
};

/* The times of a baseline, and the speedups over it. */
#define PARTS(name, real, which)                                                                   \
    {name, NULL, real, which, PART_VALUE, false},                                                  \
        {name "_lower", NULL, real, which, PART_LOWER, false},                                     \
    {                                                                                              \
        name "_upper", NULL, real, which, PART_UPPER, false                                        \
    }
#define SPEEDUPS(name, baseline)                                                                   \
    {name "_compute_s", NULL, baseline_s, baseline, METRIC_COMPUTE, false},                        \
        {name "_total_s", NULL, baseline_s, baseline, METRIC_TOTAL, false},                        \
        PARTS(name "_compute", compute_speedup, baseline),                                         \
        PARTS(name "_total", total_speedup, baseline)

static const struct derived_column columns[] = {
    {"workers_series", series, NULL, CURVE_WORKERS, 0, false},
    {"weak_series", series, NULL, CURVE_WEAK, 0, false},
    {"growth_series", series, NULL, CURVE_GROWTH, 0, false},
    {"kernel_series", series, NULL, CURVE_KERNEL, 0, false},
    {"shape_series", series, NULL, CURVE_SHAPE, 0, false},
    {"stride_series", series, NULL, CURVE_STRIDE, 0, false},
    {"padding_series", series, NULL, CURVE_PADDING, 0, false},
    {"isa", isa_used, NULL, 0, 0, false},
    {"kind", kind_of_work, NULL, 0, 0, false},
    {"status", status_word, NULL, 0, 0, false},
    {"reasons", all_reasons, NULL, 0, 0, true},
    {"place", NULL, place, 0, 0, false},
    {"colour", NULL, colour, 0, 0, false},
    {"half_width", NULL, own, offsetof(struct point, half_width), 0, false},
    {"target", NULL, own, offsetof(struct point, target), 0, false},
    {"error_ulps", NULL, own, offsetof(struct point, error_ulps), 0, false},
    {"parameter_bytes", NULL, parameter_bytes, 0, 0, false},
    {"workers", NULL, own, offsetof(struct point, workers), 0, false},
    {"size", NULL, own, offsetof(struct point, size), 0, false},
    {"elements", NULL, own, offsetof(struct point, elements), 0, false},
    {"windows", NULL, own, offsetof(struct point, windows), 0, false},
    {"bytes", NULL, own, offsetof(struct point, bytes), 0, false},
    {"samples", NULL, samples, 0, 0, false},
    {"launches", NULL, launches, 0, 0, false},
    {"compute_s", NULL, seconds, METRIC_COMPUTE, PART_VALUE, false},
    {"compute_lower_s", NULL, seconds, METRIC_COMPUTE, PART_LOWER, false},
    {"compute_upper_s", NULL, seconds, METRIC_COMPUTE, PART_UPPER, false},
    {"compute_min_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, minimum), false},
    {"compute_q1_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, quartile1), false},
    {"compute_q3_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, quartile3), false},
    {"compute_max_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, maximum), false},
    {"compute_mean_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, mean), false},
    {"total_s", NULL, seconds, METRIC_TOTAL, PART_VALUE, false},
    {"total_lower_s", NULL, seconds, METRIC_TOTAL, PART_LOWER, false},
    {"total_upper_s", NULL, seconds, METRIC_TOTAL, PART_UPPER, false},
    {"total_min_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, minimum), false},
    {"total_q1_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, quartile1), false},
    {"total_q3_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, quartile3), false},
    {"total_max_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, maximum), false},
    {"total_mean_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, mean), false},
    {"image_s", NULL, image_s, METRIC_TOTAL, PART_VALUE, false},
    {"image_lower_s", NULL, image_s, METRIC_TOTAL, PART_LOWER, false},
    {"image_upper_s", NULL, image_s, METRIC_TOTAL, PART_UPPER, false},
    {"transfer_share", NULL, own, offsetof(struct point, transfer_share), 0, false},
    {"product_share", NULL, product_share, 0, PART_VALUE, false},
    {"product_share_lower", NULL, product_share, 0, PART_LOWER, false},
    {"product_share_upper", NULL, product_share, 0, PART_UPPER, false},
    {"amdahl_bound", NULL, bound_of_share, 0, 0, false},
    {"windows_per_s", NULL, windows_per_s, 0, 0, false},
    {"gigabytes_per_s", NULL, gigabytes_per_s, 0, 0, false},
    {"window_ns", NULL, window_ns, 0, PART_VALUE, false},
    {"window_lower_ns", NULL, window_ns, 0, PART_LOWER, false},
    {"window_upper_ns", NULL, window_ns, 0, PART_UPPER, false},
    {"operations", NULL, operations, 0, 0, false},
    {"intensity", NULL, intensity, 0, 0, false},
    {"gigaoperations_per_s", NULL, gigaoperations_per_s, 0, 0, false},
    {"roof_level", roof_level, NULL, 0, 0, false},
    {"roof_bound", roof_bound, NULL, 0, 0, false},
    {"traffic_s", NULL, own, offsetof(struct point, roof.traffic_s), 0, false},
    {"arithmetic_s", NULL, own, offsetof(struct point, roof.arithmetic_s), 0, false},
    {"roof_s", NULL, own, offsetof(struct point, roof.seconds), 0, false},
    {"roof_share", NULL, share_of_roof, offsetof(struct point, roof.seconds), PART_VALUE, false},
    {"roof_share_lower", NULL, share_of_roof, offsetof(struct point, roof.seconds), PART_LOWER,
     false},
    {"roof_share_upper", NULL, share_of_roof, offsetof(struct point, roof.seconds), PART_UPPER,
     false},
    {"apart_roof_s", NULL, own, offsetof(struct point, roof.apart_s), 0, false},
    {"apart_roof_share", NULL, share_of_roof, offsetof(struct point, roof.apart_s), PART_VALUE,
     false},
    {"rung", NULL, rung, 0, 0, false},
    {"named_baseline", baseline_label, NULL, BASELINE_NAMED, 0, false},
    SPEEDUPS("named", BASELINE_NAMED),
    {"best_baseline", baseline_label, NULL, BASELINE_BEST, 0, false},
    SPEEDUPS("best", BASELINE_BEST),
    SPEEDUPS("one", BASELINE_ONE),
    {"before_baseline", baseline_label, NULL, BASELINE_RUNG, 0, false},
    SPEEDUPS("before", BASELINE_RUNG),
    SPEEDUPS("narrow", BASELINE_ISA),
    {"efficiency", NULL, own, offsetof(struct point, efficiency), 0, false},
    {"efficiency_lower", NULL, own, offsetof(struct point, efficiency_interval.lower), 0, false},
    {"efficiency_upper", NULL, own, offsetof(struct point, efficiency_interval.upper), 0, false},
    {"karp_flatt", NULL, own, offsetof(struct point, karp_flatt), 0, false},
    {"karp_flatt_lower", NULL, own, offsetof(struct point, karp_flatt_interval.lower), 0, false},
    {"karp_flatt_upper", NULL, own, offsetof(struct point, karp_flatt_interval.upper), 0, false},
    {"weak_efficiency", NULL, own, offsetof(struct point, weak_efficiency), 0, false},
    {"weak_lower", NULL, own, offsetof(struct point, weak_interval.lower), 0, false},
    {"weak_upper", NULL, own, offsetof(struct point, weak_interval.upper), 0, false},
    {"shares_cores", NULL, shares_cores, 0, 0, false},
    {"point", point_name, NULL, 0, 0, false},
    {"roof_lower_s", NULL, own, offsetof(struct point, roof.lower_s), 0, false},
    {"roof_upper_s", NULL, own, offsetof(struct point, roof.upper_s), 0, false},
};

enum { NAMES = sizeof names / sizeof *names, COLUMNS = sizeof columns / sizeof *columns };
_Static_assert(NAMES + COLUMNS <= DERIVED_OWN_COLUMNS, "a file must hold them");

/* All columns of the file, laid out once. */
static const struct derived_layout *points_layout(void)
{
    static struct derived_layout l = {.file = derived_points_file};
    if (l.count == 0) {
        derived_add_columns(&l, names, NAMES);
        derived_add_record_columns(&l, identity, count);
        derived_add_columns(&l, columns, COLUMNS);
        derived_add_phase_columns(&l, phase);
    }
    return &l;
}

void derived_write_points(FILE *stream, const struct analysis *a)
{
    const struct derived_layout *l = points_layout();
    struct derived_writer w;
    derived_begin(&w, stream, l->columns, l->count);
    for (size_t i = 0; i < a->point_count; i++)
        derived_write_row(&w, &(struct derived_source){.analysis = a, .point = &a->points[i]});
}

void derived_point_text(const struct analysis *a, const struct point *p, const char *column,
                        char *text)
{
    const struct derived_layout *l = points_layout();
    const struct derived_source s = {.analysis = a, .point = p};
    const double number = derived_point_number(a, p, column);
    text[0] = '\0';
    if (!isnan(number))
        snprintf(text, DERIVED_TEXT, "%.9g", number);
    for (size_t i = 0; i < l->count; i++)
        if (l->columns[i].text && !l->columns[i].is_long && strcmp(l->columns[i].name, column) == 0)
            l->columns[i].text(&s, l->columns[i].which, text);
}

double derived_point_number(const struct analysis *a, const struct point *p, const char *column)
{
    const struct derived_layout *l = points_layout();
    const struct derived_source s = {.analysis = a, .point = p};
    for (size_t i = 0; i < l->count; i++)
        if (l->columns[i].real && strcmp(l->columns[i].name, column) == 0)
            return derived_known(l->columns[i].real(&s, l->columns[i].which, l->columns[i].part));
    return NAN;
}
