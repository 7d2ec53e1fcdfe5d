/* R/analysis/NAME.speedup.csv, the data of plots/workers/speedup.gp. */
#include "experiments/analysis/palette.h"
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/analysis/speedup/topology_marks.h"
#include "experiments/common/output.h"
#include "experiments/samples/point.h"
#include "harness/records/table.h"

#include <math.h>
#include <string.h>

struct row {
    char scaling[16], row[16], source[16], law[16];
    char method[RECORD_TEXT], workers_kind[16], distribution[RECORD_TEXT], platform[RECORD_TEXT];
    char parallel[RECORD_TEXT];
    char status[16], law_method[RECORD_TEXT], law_kind[16], law_distribution[RECORD_TEXT];
    double colour, cores, reach, counts, beyond;
    double workers, seconds, speedup, lower, upper;
    double efficiency, efficiency_lower, efficiency_upper;
    double karp_flatt, karp_flatt_lower, karp_flatt_upper, exceeds_product;
    double share, share_lower, share_upper, bound, bound_lower, bound_upper;
    char loss[16], cause[16], place[16];
    double balance, balance_lower, balance_upper, messages, messages_lower, messages_upper;
    double idle, idle_lower, idle_upper, frequency, frequency_lower, frequency_upper;
    double memory, memory_lower, memory_upper, rest, rest_lower, rest_upper;
    double limit_share, limit_share_lower, limit_share_upper, rate, limit_rate;
    double serial, serial_lower, serial_upper;
    double instructions, instructions_lower, instructions_upper;
    double per_cycle, per_cycle_lower, per_cycle_upper;
    char rate_of[16];
};

#define FIELD(name, type, meaning) TABLE_COLUMN(struct row, name, type, meaning)
#define TEXT(name, meaning)        FIELD(name, COLUMN_TEXT, meaning)
#define REAL(name, meaning)        FIELD(name, COLUMN_REAL, meaning)

static const struct column columns[] = {
    TEXT(scaling, "strong: the problem stays; weak: it grows with the workers"),
    TEXT(row,
         "mark: a worker count of a method; law: a point of a law's line; place: of the topology"),
    TEXT(source, "of a mark: measured, simulated or predicted"),
    TEXT(law, "ideal, product (f is its share of serial compute), fitted or tesina"),
    TEXT(method, "of a mark"),
    TEXT(workers_kind, "threads, ranks or ranks_threads"),
    TEXT(distribution, "generate or scatter"),
    TEXT(parallel, "product: the workers share the product alone; empty or all: everything"),
    TEXT(platform, "computer that was simulated; empty: this one"),
    TEXT(status, "of a measured mark: PRECISE, ROUGH, SUSPECT or INVALID"),
    TEXT(law_method, "method that the share of a law is of"),
    TEXT(law_kind, "the workers that it was fitted to"),
    TEXT(law_distribution, "their distribution"),
    REAL(colour, "of the method"),
    REAL(cores, "workers that this machine runs at once"),
    REAL(reach, "workers at which the laws end"),
    REAL(counts, "the most worker counts of one method, no more than cores"),
    REAL(beyond, "1: more workers than cores, a ratio of total times and no speedup"),
    REAL(workers, "ranks x threads"),
    REAL(seconds, "total"),
    REAL(speedup, "total seconds of one worker of the same program / seconds"),
    REAL(lower, "its 95 % interval; of a law that of its share"),
    REAL(upper, "its 95 % interval; of a law that of its share"),
    REAL(efficiency, "speedup / workers"),
    REAL(efficiency_lower, "its 95 % interval"),
    REAL(efficiency_upper, "its 95 % interval"),
    REAL(karp_flatt, "serial share that the speedup implies: (1/S - 1/p) / (1 - 1/p)"),
    REAL(karp_flatt_lower, "its 95 % interval"),
    REAL(karp_flatt_upper, "its 95 % interval"),
    REAL(exceeds_product, "1: its interval lies above the law of the product's share"),
    REAL(share, "parallel share f of a law"),
    REAL(share_lower, "its 95 % interval"),
    REAL(share_upper, "its 95 % interval"),
    REAL(bound, "speedup that the law allows any number of workers: 1 / (1 - f)"),
    REAL(bound_lower, "its 95 % interval"),
    REAL(bound_upper, "its 95 % interval; empty: f may be 1"),
    TEXT(loss, "of the efficiency: unknown, doubtful, not seen, negative, unexplained, partly or "
               "explained"),
    TEXT(cause, "factor that explains it, or the larger part of it"),
    TEXT(place, "of a place: what is taken by so many workers, node, socket, fast, slow, "
                "cores, threads or one_each"),
    REAL(balance, "factor of the efficiency: mean / maximum of the workers' compute times"),
    REAL(balance_lower, "its 95 % interval"),
    REAL(balance_upper, "its 95 % interval"),
    REAL(messages, "factor: compute / total time of ranks, relative to the base"),
    REAL(messages_lower, "its 95 % interval"),
    REAL(messages_upper, "its 95 % interval"),
    REAL(idle,
         "factor: share of the workers' time in which processors were busy, relative to the base"),
    REAL(idle_lower, "its 95 % interval"),
    REAL(idle_upper, "its 95 % interval"),
    REAL(frequency, "factor: frequency of the processors, relative to the base"),
    REAL(frequency_lower, "its 95 % interval"),
    REAL(frequency_upper, "its 95 % interval"),
    REAL(memory, "factor: most of the base's rate per worker that the memory allows all workers"),
    REAL(memory_lower, "its 95 % interval"),
    REAL(memory_upper, "its 95 % interval"),
    REAL(rest, "what these factors leave of the efficiency"),
    REAL(rest_lower, "its 95 % interval"),
    REAL(rest_upper, "its 95 % interval"),
    REAL(limit_share, "share of this machine's limit for so many workers"),
    REAL(limit_share_lower, "its 95 % interval"),
    REAL(limit_share_upper, "its 95 % interval"),
    REAL(rate, "bytes of image and map per second, or those that a program of another moves"),
    REAL(limit_rate, "the same at this machine's limit"),
    REAL(serial,
         "total time of the base / of the best serial method: speedups below it gain nothing"),
    REAL(serial_lower, "its 95 % interval"),
    REAL(serial_upper, "its 95 % interval"),
    REAL(instructions, "of the rest: instructions of the base / of all workers"),
    REAL(instructions_lower, "its 95 % interval"),
    REAL(instructions_upper, "its 95 % interval"),
    REAL(per_cycle,
         "of the rest: instructions per cycle, relative to the base, without memory's factor"),
    REAL(per_cycle_lower, "its 95 % interval"),
    REAL(per_cycle_upper, "its 95 % interval"),
    TEXT(rate_of, "bytes that the rate counts: of the image and its map, or to and from memory"),
};
static const struct schema schema = {columns, sizeof columns / sizeof *columns, sizeof(struct row)};
_Static_assert(TABLE_LINE_FITS(struct row, columns), "a row must fit a line");

enum { STEPS = 48 }; /* of a law's line, evenly spaced on a logarithmic axis */

/* Starts a row with the fields common to all rows. */
static void begin_row(struct row *row, const struct speedup_figure *figure, const char *kind)
{
    table_blank(&schema, row);
    snprintf(row->scaling, sizeof row->scaling, "%s", figure->weak ? "weak" : "strong");
    snprintf(row->row, sizeof row->row, "%s", kind);
    row->cores = figure->cores;
    row->reach = figure->reach;
    row->counts = (double)figure->counts;
}

static void put_speedup(struct row *row, double workers, double speedup, struct interval interval)
{
    row->workers = workers;
    row->speedup = speedup;
    row->lower = interval.lower;
    row->upper = interval.upper;
    row->efficiency = speedup / workers;
    row->efficiency_lower = interval.lower / workers;
    row->efficiency_upper = interval.upper / workers;
}

static double finite_or_none(double x)
{
    return isfinite(x) ? x : (double)NAN; /* a CSV holds no infinity */
}

static void put_bounded(double *value, struct bounded b)
{
    value[0] = b.value;
    value[1] = b.lower;
    value[2] = b.upper;
}

/* The fields of each factor, of which lower and upper end follow. */
static const size_t factor_fields[FACTORS] = {
    offsetof(struct row, balance),   offsetof(struct row, messages), offsetof(struct row, idle),
    offsetof(struct row, frequency), offsetof(struct row, memory),   offsetof(struct row, rest)};

static void put_factors(struct row *row, const struct efficiency *e)
{
    snprintf(row->loss, sizeof row->loss, "%s", loss_names[e->loss]);
    if (e->loss == LOSS_EXPLAINED || e->loss == LOSS_PARTLY)
        snprintf(row->cause, sizeof row->cause, "%s", factor_names[e->cause]);
    for (enum factor k = 0; k < FACTORS; k++)
        put_bounded((double *)((char *)row + factor_fields[k]), e->factors[k]);
    put_bounded(&row->instructions, e->instructions);
    put_bounded(&row->per_cycle, e->per_cycle);
}

/* Its rate, and that of the machine's limit. */
static void put_rates(struct row *row, const struct analysis *a, const struct point *p)
{
    put_bounded(&row->limit_share, speedup_limit_share(a, p));
    const struct moved moved = speedup_moved(a, p);
    row->rate = moved.rate;
    row->limit_rate = moved.limit_rate;
    if (moved.rate > 0.0)
        snprintf(row->rate_of, sizeof row->rate_of, "%s",
                 point_is_own_program(&p->samples->identity) ? "memory" : "image");
}

static void write_mark(FILE *stream, const struct analysis *a, const struct speedup_figure *figure,
                       const struct speedup_mark *mark)
{
    struct row row;
    const struct record *r = mark->record;
    const char *slash = strrchr(r->platform, '/');
    begin_row(&row, figure, "mark");
    put_speedup(&row, mark->workers, mark->speedup, mark->interval);
    snprintf(row.source, sizeof row.source, "%s", speedup_sources[mark->source]);
    snprintf(row.method, sizeof row.method, "%s", r->method);
    snprintf(row.workers_kind, sizeof row.workers_kind, "%s", worker_kinds[worker_kind_of(r)]);
    snprintf(row.distribution, sizeof row.distribution, "%s", r->distribution);
    snprintf(row.parallel, sizeof row.parallel, "%s", r->parallel);
    snprintf(row.platform, sizeof row.platform, "%s", slash ? slash + 1 : r->platform);
    row.seconds = mark->seconds;
    row.beyond = mark->beyond;
    row.exceeds_product = speedup_mark_counts(mark) && speedup_exceeds_product(figure, mark);
    if (mark->point) {
        snprintf(row.status, sizeof row.status, "%s", trust_names[mark->point->trust]);
        row.colour = palette_colour(mark->point);
    }
    if (!figure->weak && speedup_mark_counts(mark)) {
        row.karp_flatt = speedup_karp_flatt(mark, mark->speedup);
        row.karp_flatt_lower = speedup_karp_flatt(mark, mark->interval.upper);
        row.karp_flatt_upper = speedup_karp_flatt(mark, mark->interval.lower);
    }
    if (speedup_mark_counts(mark)) {
        const struct efficiency e = efficiency_of(figure, a, mark);
        if (mark->workers > figure->base)
            put_factors(&row, &e);
        put_rates(&row, a, mark->point);
        put_bounded(&row.serial, speedup_over_serial(figure, mark));
    }
    table_print(&schema, stream, &row);
}

/* Names the curve that the law was fitted to. */
static void put_fitted(struct row *row, const struct analysis *a, const struct curve *c)
{
    const struct record *r = &a->points[c->points[c->count - 1]].samples->identity;
    snprintf(row->law_method, sizeof row->law_method, "%s", r->method);
    snprintf(row->law_kind, sizeof row->law_kind, "%s", worker_kinds[worker_kind_of(r)]);
    snprintf(row->law_distribution, sizeof row->law_distribution, "%s", r->distribution);
}

static void write_law(FILE *stream, const struct analysis *a, const struct speedup_figure *figure,
                      enum speedup_law law)
{
    const struct law_line *line = &figure->laws[law];
    struct row row;
    begin_row(&row, figure, "law");
    snprintf(row.law, sizeof row.law, "%s", speedup_law_names[law]);
    if (law == LAW_FITTED)
        put_fitted(&row, a, figure->fitted);
    if (law == LAW_PRODUCT)
        snprintf(row.law_method, sizeof row.law_method, "%s",
                 figure->product->samples->identity.method);
    row.share = line->share;
    row.share_lower = line->interval.lower;
    row.share_upper = line->interval.upper;
    row.bound = finite_or_none(line->bound);
    row.bound_lower = finite_or_none(line->bound_interval.lower);
    row.bound_upper = finite_or_none(line->bound_interval.upper);
    /* noise can fit a share above 1; it is drawn as 1 */
    const double share = fmin(1.0, line->share), low = fmin(1.0, line->interval.lower),
                 high = fmin(1.0, line->interval.upper);
    const bool band = isfinite(line->interval.lower) && isfinite(line->interval.upper);
    for (size_t i = 0; i <= STEPS; i++) {
        const double x = figure->base * pow(figure->reach / figure->base, (double)i / STEPS);
        const struct interval ends = {band ? speedup_by_law(figure, low, x) : (double)NAN,
                                      band ? speedup_by_law(figure, high, x) : (double)NAN};
        put_speedup(&row, x, speedup_by_law(figure, share, x), ends);
        table_print(&schema, stream, &row);
    }
}

static enum status write_figure(FILE *stream, const struct analysis *a,
                                const struct forecasts *forecasts, const struct machine_facts *m,
                                bool weak, struct failure *f)
{
    struct speedup_figure figure;
    const enum status status = speedup_figure_make(&figure, a, forecasts, m, weak, f);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < figure.count; i++)
        write_mark(stream, a, &figure, &figure.marks[i]);
    for (enum speedup_law law = 0; law < SPEEDUP_LAWS; law++)
        if (figure.count > 0 && figure.laws[law].drawn)
            write_law(stream, a, &figure, law);
    speedup_figure_release(&figure);
    return STATUS_OK;
}

/* True if every bound point of several workers is bound in this way; false if none is. */
static bool all_are_bound(const struct analysis *a, const char *bind)
{
    size_t bound = 0, so = 0;
    for (size_t i = 0; i < a->point_count; i++) {
        const struct record *r = &a->points[i].samples->identity;
        const bool is_bound = r->bind[0] && strcmp(r->bind, "none") != 0;
        bound += is_bound;
        so += is_bound && strcmp(r->bind, bind) == 0;
    }
    return bound > 0 && so == bound;
}

/* Where the topology of the machine changes, for both scalings: as workers are bound, or for both
 * ways if that is not known. */
static void write_places(FILE *stream, const struct analysis *a, const char *topology)
{
    struct topology_mark marks[TOPOLOGY_MARKS];
    const size_t count = topology_marks_of_file(marks, topology);
    const bool compact = all_are_bound(a, "core"), spread = all_are_bound(a, "spread");
    for (size_t i = 0; i < count; i++) {
        struct row row;
        const enum topology_place place = marks[i].place;
        if ((compact && place == PLACE_ONE_EACH) ||
            (spread && (place == PLACE_NODE || place == PLACE_SOCKET)))
            continue;
        table_blank(&schema, &row);
        snprintf(row.row, sizeof row.row, "place");
        snprintf(row.place, sizeof row.place, "%s", topology_place_names[marks[i].place]);
        row.workers = marks[i].workers;
        table_print(&schema, stream, &row);
    }
}

enum status speedup_figure_write(const struct analysis *a, const struct forecasts *forecasts,
                                 const struct machine_facts *m, const char *topology,
                                 const char *path, struct failure *f)
{
    struct output o;
    enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    table_print_header(&schema, o.stream);
    status = write_figure(o.stream, a, forecasts, m, false, f);
    if (status == STATUS_OK)
        status = write_figure(o.stream, a, forecasts, m, true, f);
    if (status == STATUS_OK)
        write_places(o.stream, a, topology);
    if (status == STATUS_OK)
        return output_close(&o, f);
    output_abandon(&o);
    return status;
}
