/* One row per point. A column is one row of the table below: its name, and what fills it. */
#include "experiments/analysis/derived.h"

#include "experiments/analysis/palette.h"
#include "experiments/analysis/scaling.h"

#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 256, REASONS_SIZE = 4096 };

/* What a row is filled from. */
struct source {
    const struct analysis *analysis;
    const struct point *point;
};

/* `which` says what of it: an offset, a phase, a baseline, a kind of curve; `part` which of its
 * numbers. A text is written to TEXT_SIZE bytes, the reasons to REASONS_SIZE. */
typedef void text_filler(const struct source *s, size_t which, char *text);
typedef double real_filler(const struct source *s, size_t which, size_t part);

struct point_column {
    const char *name;
    text_filler *text; /* or */
    real_filler *real;
    size_t which, part;
};

/* ---- texts ----------------------------------------------------------------------------------- */

static void copy(char *text, const char *from)
{
    snprintf(text, TEXT_SIZE, "%s", from);
}

static void experiment_name(const struct source *s, size_t which, char *text)
{
    (void)which;
    copy(text, s->analysis->name);
}

static void label(const struct source *s, size_t which, char *text)
{
    (void)which;
    copy(text, s->point->label);
}

/* A text of the record, at that offset. */
static void identity(const struct source *s, size_t which, char *text)
{
    copy(text, (const char *)&s->point->samples->identity + which);
}

static bool is_on(const struct analysis *a, const struct curve *c, const struct point *p)
{
    for (size_t i = 0; i < c->count; i++)
        if (&a->points[c->points[i]] == p)
            return true;
    return false;
}

/* A point names the curves that it is on; a label alone makes no curve. */
static void series(const struct source *s, size_t which, char *text)
{
    const struct analysis *a = s->analysis;
    for (size_t i = 0; i < a->curve_count; i++)
        if (a->curves[i].kind == which && is_on(a, &a->curves[i], s->point))
            copy(text, a->curves[i].label);
}

static void isa_used(const struct source *s, size_t which, char *text)
{
    (void)which;
    copy(text, s->analysis->samples.launches[s->point->samples->first].isa);
}

static void kind_of_work(const struct source *s, size_t which, char *text)
{
    (void)which;
    copy(text, s->point->product ? "product" : "maximum");
}

static void status_word(const struct source *s, size_t which, char *text)
{
    (void)which;
    copy(text, trust_names[s->point->trust]);
}

/* All causes, or as many as fit and how many more there are. */
static void all_reasons(const struct source *s, size_t which, char *text)
{
    enum { MORE = 32 }; /* room for how many more */
    const struct point *p = s->point;
    size_t length = 0;
    (void)which;
    for (size_t i = 0; i < p->reason_count; i++) {
        const char *cause = p->reasons[i].cause[ENGLISH];
        if (length + strlen(cause) + MORE > REASONS_SIZE) {
            snprintf(text + length, REASONS_SIZE - length, "; ... %zu more", p->reason_count - i);
            return;
        }
        length += (size_t)snprintf(text + length, REASONS_SIZE - length, "%s%s", length ? "; " : "",
                                   cause);
    }
}

static void roof_level(const struct source *s, size_t which, char *text)
{
    (void)which;
    copy(text, s->point->roof.level);
}

static void roof_bound(const struct source *s, size_t which, char *text)
{
    const struct roof *roof = &s->point->roof;
    (void)which;
    if (roof->seconds > 0.0)
        copy(text, roof->arithmetic_s > roof->traffic_s ? "arithmetic" : "traffic");
}

static void baseline_label(const struct source *s, size_t which, char *text)
{
    const ptrdiff_t baseline = s->point->speedup[which].point;
    if (baseline >= 0)
        copy(text, s->analysis->points[baseline].label);
}

/* ---- numbers --------------------------------------------------------------------------------- */

enum interval_part { MIDDLE, LOWER, UPPER };

static double part_of(double middle, struct interval i, size_t part)
{
    return part == MIDDLE ? middle : part == LOWER ? i.lower : i.upper;
}

/* An integer of the record, at that offset. */
static double count(const struct source *s, size_t which, size_t part)
{
    int64_t value;
    (void)part;
    memcpy(&value, (const char *)&s->point->samples->identity + which, sizeof value);
    return record_number(value);
}

/* A real of the point, at that offset. */
static double own(const struct source *s, size_t which, size_t part)
{
    double value;
    (void)part;
    memcpy(&value, (const char *)s->point + which, sizeof value);
    return value;
}

static double place(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return (double)palette_place(s->point);
}

static double colour(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return palette_colour(s->point);
}

static double rung(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->point->rung < 0 ? (double)NAN : (double)s->point->rung;
}

static double seconds(const struct source *s, size_t which, size_t part)
{
    const struct estimate *e = &s->point->seconds[which];
    return part_of(e->value, e->interval, part);
}

static double samples(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return (double)s->point->seconds[METRIC_TOTAL].samples;
}

static double launches(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return (double)s->point->seconds[METRIC_TOTAL].launches;
}

/* A real of the summary of all samples, at the offset `part`. */
static double pooled(const struct source *s, size_t which, size_t part)
{
    double value;
    memcpy(&value, (const char *)&s->point->pooled[which] + part, sizeof value);
    return value;
}

static double phase(const struct source *s, size_t which, size_t part)
{
    (void)part;
    return s->point->phase[which];
}

static double product_share(const struct source *s, size_t which, size_t part)
{
    (void)which;
    return part_of(s->point->share.value, s->point->share.interval, part);
}

static double bound_of_share(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return amdahl_bound(s->point->share.value);
}

/* Equal work in every sample: the work over the mean time is the harmonic mean of the rates. */
static double windows_per_s(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return s->point->windows / s->point->pooled[METRIC_TOTAL].mean;
}

static double gigabytes_per_s(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return 1e-9 * s->point->bytes / s->point->pooled[METRIC_TOTAL].mean;
}

static double window_ns(const struct source *s, size_t which, size_t part)
{
    return 1e9 * seconds(s, which, part) / s->point->windows;
}

static double operations(const struct source *s, size_t which, size_t part)
{
    (void)which;
    (void)part;
    return arithmetic_operations(&s->point->need.least);
}

/* Where there is no arithmetic there is no rate of it, nor a place on an axis of rates. */
static double per_operations(double operations, double value)
{
    return operations > 0.0 ? value : (double)NAN;
}

static double intensity(const struct source *s, size_t which, size_t part)
{
    const double all = operations(s, which, part);
    return per_operations(all, all / s->point->bytes);
}

static double gigaoperations_per_s(const struct source *s, size_t which, size_t part)
{
    const double all = operations(s, which, part);
    return per_operations(all, 1e-9 * all / seconds(s, METRIC_COMPUTE, MIDDLE));
}

/* A roof, at that offset of the point, over the compute time: the longest time is the lower end. */
static double share_of_roof(const struct source *s, size_t which, size_t part)
{
    const size_t other = part == LOWER ? UPPER : part == UPPER ? LOWER : MIDDLE;
    return own(s, which, 0) / seconds(s, METRIC_COMPUTE, other);
}

/* Seconds of the baseline. */
static double baseline_s(const struct source *s, size_t which, size_t part)
{
    const ptrdiff_t baseline = s->point->speedup[which].point;
    return baseline < 0 ? (double)NAN : s->analysis->points[baseline].seconds[part].value;
}

static double speedup(const struct source *s, size_t which, enum metric m, size_t part)
{
    const struct speedup *over = &s->point->speedup[which];
    return over->point < 0 ? (double)NAN : part_of(over->value[m], over->interval[m], part);
}

static double compute_speedup(const struct source *s, size_t which, size_t part)
{
    return speedup(s, which, METRIC_COMPUTE, part);
}

static double total_speedup(const struct source *s, size_t which, size_t part)
{
    return speedup(s, which, METRIC_TOTAL, part);
}

/* ---- the columns ----------------------------------------------------------------------------- */

static const struct point_column columns[] = {
    {"experiment", experiment_name, NULL, 0, 0},
    {"label", label, NULL, 0, 0},
    {"operator", identity, NULL, offsetof(struct record, operator_name), 0},
    {"space", identity, NULL, offsetof(struct record, space), 0},
    {"method", identity, NULL, offsetof(struct record, method), 0},
    {"offload", identity, NULL, offsetof(struct record, offload), 0},
    {"filter_memory", identity, NULL, offsetof(struct record, filter_memory), 0},
    {"distribution", identity, NULL, offsetof(struct record, distribution), 0},
    {"host_memory", identity, NULL, offsetof(struct record, host_memory), 0},
    {"input", identity, NULL, offsetof(struct record, input), 0},
    {"workers_series", series, NULL, CURVE_WORKERS, 0},
    {"weak_series", series, NULL, CURVE_WEAK, 0},
    {"growth_series", series, NULL, CURVE_GROWTH, 0},
    {"kernel_series", series, NULL, CURVE_KERNEL, 0},
    {"shape_series", series, NULL, CURVE_SHAPE, 0},
    {"stride_series", series, NULL, CURVE_STRIDE, 0},
    {"padding_series", series, NULL, CURVE_PADDING, 0},
    {"isa", isa_used, NULL, 0, 0},
    {"isa_limit", identity, NULL, offsetof(struct record, isa_limit), 0},
    {"kind", kind_of_work, NULL, 0, 0},
    {"status", status_word, NULL, 0, 0},
    {"reasons", all_reasons, NULL, 0, 0},
    {"place", NULL, place, 0, 0},
    {"colour", NULL, colour, 0, 0},
    {"half_width", NULL, own, offsetof(struct point, half_width), 0},
    {"target", NULL, own, offsetof(struct point, target), 0},
    {"planes", NULL, count, offsetof(struct record, planes), 0},
    {"rows", NULL, count, offsetof(struct record, rows), 0},
    {"cols", NULL, count, offsetof(struct record, cols), 0},
    {"kernel", NULL, count, offsetof(struct record, kernel), 0},
    {"stride", NULL, count, offsetof(struct record, stride), 0},
    {"padding", NULL, count, offsetof(struct record, padding), 0},
    {"ranks", NULL, count, offsetof(struct record, ranks), 0},
    {"threads", NULL, count, offsetof(struct record, threads), 0},
    {"block", NULL, count, offsetof(struct record, block), 0},
    {"streams", NULL, count, offsetof(struct record, streams), 0},
    {"workers", NULL, own, offsetof(struct point, workers), 0},
    {"size", NULL, own, offsetof(struct point, size), 0},
    {"cells", NULL, own, offsetof(struct point, cells), 0},
    {"windows", NULL, own, offsetof(struct point, windows), 0},
    {"bytes", NULL, own, offsetof(struct point, bytes), 0},
    {"samples", NULL, samples, 0, 0},
    {"launches", NULL, launches, 0, 0},
    {"compute_s", NULL, seconds, METRIC_COMPUTE, MIDDLE},
    {"compute_lower_s", NULL, seconds, METRIC_COMPUTE, LOWER},
    {"compute_upper_s", NULL, seconds, METRIC_COMPUTE, UPPER},
    {"compute_min_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, minimum)},
    {"compute_q1_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, quartile1)},
    {"compute_q3_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, quartile3)},
    {"compute_max_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, maximum)},
    {"compute_mean_s", NULL, pooled, METRIC_COMPUTE, offsetof(struct summary, mean)},
    {"total_s", NULL, seconds, METRIC_TOTAL, MIDDLE},
    {"total_lower_s", NULL, seconds, METRIC_TOTAL, LOWER},
    {"total_upper_s", NULL, seconds, METRIC_TOTAL, UPPER},
    {"total_min_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, minimum)},
    {"total_q1_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, quartile1)},
    {"total_q3_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, quartile3)},
    {"total_max_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, maximum)},
    {"total_mean_s", NULL, pooled, METRIC_TOTAL, offsetof(struct summary, mean)},
    {"distribute_s", NULL, phase, PHASE_DISTRIBUTE, 0},
    {"collect_s", NULL, phase, PHASE_COLLECT, 0},
    {"product_s", NULL, phase, PHASE_PRODUCT, 0},
    {"imbalance_s", NULL, phase, PHASE_IMBALANCE, 0},
    {"setup_s", NULL, phase, PHASE_SETUP, 0},
    {"first_launch_s", NULL, phase, PHASE_FIRST_LAUNCH, 0},
    {"start_error_s", NULL, phase, PHASE_START_ERROR, 0},
    {"allocate_s", NULL, phase, PHASE_ALLOCATE, 0},
    {"device_distribute_s", NULL, phase, PHASE_DEVICE_DISTRIBUTE, 0},
    {"device_compute_s", NULL, phase, PHASE_DEVICE_COMPUTE, 0},
    {"device_collect_s", NULL, phase, PHASE_DEVICE_COLLECT, 0},
    {"transfer_share", NULL, own, offsetof(struct point, transfer_share), 0},
    {"product_share", NULL, product_share, 0, MIDDLE},
    {"product_share_lower", NULL, product_share, 0, LOWER},
    {"product_share_upper", NULL, product_share, 0, UPPER},
    {"amdahl_bound", NULL, bound_of_share, 0, 0},
    {"windows_per_s", NULL, windows_per_s, 0, 0},
    {"gigabytes_per_s", NULL, gigabytes_per_s, 0, 0},
    {"window_ns", NULL, window_ns, METRIC_COMPUTE, MIDDLE},
    {"window_lower_ns", NULL, window_ns, METRIC_COMPUTE, LOWER},
    {"window_upper_ns", NULL, window_ns, METRIC_COMPUTE, UPPER},
    {"operations", NULL, operations, 0, 0},
    {"intensity", NULL, intensity, 0, 0},
    {"gigaoperations_per_s", NULL, gigaoperations_per_s, 0, 0},
    {"roof_level", roof_level, NULL, 0, 0},
    {"roof_bound", roof_bound, NULL, 0, 0},
    {"traffic_s", NULL, own, offsetof(struct point, roof.traffic_s), 0},
    {"arithmetic_s", NULL, own, offsetof(struct point, roof.arithmetic_s), 0},
    {"roof_s", NULL, own, offsetof(struct point, roof.seconds), 0},
    {"roof_share", NULL, share_of_roof, offsetof(struct point, roof.seconds), MIDDLE},
    {"roof_share_lower", NULL, share_of_roof, offsetof(struct point, roof.seconds), LOWER},
    {"roof_share_upper", NULL, share_of_roof, offsetof(struct point, roof.seconds), UPPER},
    {"apart_roof_s", NULL, own, offsetof(struct point, roof.apart_s), 0},
    {"apart_roof_share", NULL, share_of_roof, offsetof(struct point, roof.apart_s), MIDDLE},
    {"rung", NULL, rung, 0, 0},
    {"named_baseline", baseline_label, NULL, BASELINE_NAMED, 0},
    {"named_compute_s", NULL, baseline_s, BASELINE_NAMED, METRIC_COMPUTE},
    {"named_total_s", NULL, baseline_s, BASELINE_NAMED, METRIC_TOTAL},
    {"named_compute", NULL, compute_speedup, BASELINE_NAMED, MIDDLE},
    {"named_compute_lower", NULL, compute_speedup, BASELINE_NAMED, LOWER},
    {"named_compute_upper", NULL, compute_speedup, BASELINE_NAMED, UPPER},
    {"named_total", NULL, total_speedup, BASELINE_NAMED, MIDDLE},
    {"named_total_lower", NULL, total_speedup, BASELINE_NAMED, LOWER},
    {"named_total_upper", NULL, total_speedup, BASELINE_NAMED, UPPER},
    {"best_baseline", baseline_label, NULL, BASELINE_BEST, 0},
    {"best_compute_s", NULL, baseline_s, BASELINE_BEST, METRIC_COMPUTE},
    {"best_total_s", NULL, baseline_s, BASELINE_BEST, METRIC_TOTAL},
    {"best_compute", NULL, compute_speedup, BASELINE_BEST, MIDDLE},
    {"best_compute_lower", NULL, compute_speedup, BASELINE_BEST, LOWER},
    {"best_compute_upper", NULL, compute_speedup, BASELINE_BEST, UPPER},
    {"best_total", NULL, total_speedup, BASELINE_BEST, MIDDLE},
    {"best_total_lower", NULL, total_speedup, BASELINE_BEST, LOWER},
    {"best_total_upper", NULL, total_speedup, BASELINE_BEST, UPPER},
    {"one_compute_s", NULL, baseline_s, BASELINE_ONE, METRIC_COMPUTE},
    {"one_total_s", NULL, baseline_s, BASELINE_ONE, METRIC_TOTAL},
    {"one_compute", NULL, compute_speedup, BASELINE_ONE, MIDDLE},
    {"one_compute_lower", NULL, compute_speedup, BASELINE_ONE, LOWER},
    {"one_compute_upper", NULL, compute_speedup, BASELINE_ONE, UPPER},
    {"one_total", NULL, total_speedup, BASELINE_ONE, MIDDLE},
    {"one_total_lower", NULL, total_speedup, BASELINE_ONE, LOWER},
    {"one_total_upper", NULL, total_speedup, BASELINE_ONE, UPPER},
    {"before_baseline", baseline_label, NULL, BASELINE_RUNG, 0},
    {"before_compute_s", NULL, baseline_s, BASELINE_RUNG, METRIC_COMPUTE},
    {"before_total_s", NULL, baseline_s, BASELINE_RUNG, METRIC_TOTAL},
    {"before_compute", NULL, compute_speedup, BASELINE_RUNG, MIDDLE},
    {"before_compute_lower", NULL, compute_speedup, BASELINE_RUNG, LOWER},
    {"before_compute_upper", NULL, compute_speedup, BASELINE_RUNG, UPPER},
    {"before_total", NULL, total_speedup, BASELINE_RUNG, MIDDLE},
    {"before_total_lower", NULL, total_speedup, BASELINE_RUNG, LOWER},
    {"before_total_upper", NULL, total_speedup, BASELINE_RUNG, UPPER},
    {"narrow_compute_s", NULL, baseline_s, BASELINE_ISA, METRIC_COMPUTE},
    {"narrow_total_s", NULL, baseline_s, BASELINE_ISA, METRIC_TOTAL},
    {"narrow_compute", NULL, compute_speedup, BASELINE_ISA, MIDDLE},
    {"narrow_compute_lower", NULL, compute_speedup, BASELINE_ISA, LOWER},
    {"narrow_compute_upper", NULL, compute_speedup, BASELINE_ISA, UPPER},
    {"narrow_total", NULL, total_speedup, BASELINE_ISA, MIDDLE},
    {"narrow_total_lower", NULL, total_speedup, BASELINE_ISA, LOWER},
    {"narrow_total_upper", NULL, total_speedup, BASELINE_ISA, UPPER},
    {"efficiency", NULL, own, offsetof(struct point, efficiency), 0},
    {"efficiency_lower", NULL, own, offsetof(struct point, efficiency_interval.lower), 0},
    {"efficiency_upper", NULL, own, offsetof(struct point, efficiency_interval.upper), 0},
    {"karp_flatt", NULL, own, offsetof(struct point, karp_flatt), 0},
    {"karp_flatt_lower", NULL, own, offsetof(struct point, karp_flatt_interval.lower), 0},
    {"karp_flatt_upper", NULL, own, offsetof(struct point, karp_flatt_interval.upper), 0},
    {"weak_efficiency", NULL, own, offsetof(struct point, weak_efficiency), 0},
    {"weak_lower", NULL, own, offsetof(struct point, weak_interval.lower), 0},
    {"weak_upper", NULL, own, offsetof(struct point, weak_interval.upper), 0},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- writing --------------------------------------------------------------------------------- */

static size_t bytes_of(const struct point_column *c)
{
    return !c->text ? sizeof(double) : c->text == all_reasons ? REASONS_SIZE : TEXT_SIZE;
}

/* The table's columns over a row that holds one field after the other. Returns its size. */
static size_t lay_out(struct column out[COLUMNS])
{
    size_t size = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        out[i] = (struct column){columns[i].name, columns[i].text ? COLUMN_TEXT : COLUMN_REAL, size,
                                 bytes_of(&columns[i]), ""};
        size += bytes_of(&columns[i]);
    }
    return size;
}

static void fill(char *row, const struct column *fields, const struct source *s)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        const struct point_column *c = &columns[i];
        if (c->text) {
            c->text(s, c->which, row + fields[i].offset);
            continue;
        }
        const double x = c->real(s, c->which, c->part);
        const double value = isfinite(x) ? x : (double)NAN; /* a CSV holds no infinity */
        memcpy(row + fields[i].offset, &value, sizeof value);
    }
}

void derived_write_points(FILE *stream, const struct analysis *a)
{
    enum { TEXTS_MOST = 40, ROW_MOST = REASONS_SIZE + COLUMNS * TEXT_SIZE };
    _Static_assert(2 * (REASONS_SIZE + TEXTS_MOST * TEXT_SIZE) + 32 * COLUMNS < TABLE_LINE_MAX,
                   "a row must fit a line");
    _Alignas(double) char row[ROW_MOST];
    struct column fields[COLUMNS];
    const struct schema schema = {fields, COLUMNS, lay_out(fields)};
    table_print_header(&schema, stream);
    for (size_t i = 0; i < a->point_count; i++) {
        const struct source s = {a, &a->points[i]};
        table_blank(&schema, row);
        fill(row, fields, &s);
        table_print(&schema, stream, row);
    }
}
