/* R/analysis/NAME.speedup.csv: marks, laws and places of the speedup figure. */
#include "experiments/analysis/derived/derived_table.h"
#include "experiments/analysis/palette.h"
#include "experiments/analysis/speedup/efficiency.h"
#include "experiments/analysis/speedup/scaling.h"
#include "experiments/analysis/speedup/speedup_figure.h"
#include "experiments/common/folder_files.h"
#include "experiments/common/output.h"
#include "experiments/samples/point.h"

#include <math.h>
#include <string.h>

/* Numbers are NaN, and texts NULL, unless a kind of row has them. */
struct row {
    const char *scaling, *row, *source, *law, *method, *workers_kind, *distribution, *parallel,
        *platform, *status, *law_method, *law_kind, *law_distribution, *loss, *cause, *place,
        *rate_of;
    struct numbers {
        double colour, cores, reach, counts, beyond, workers, seconds, exceeds_product, rate,
            limit_rate;
        struct bounded speedup, efficiency, karp_flatt, share, bound, factors[FACTORS], limit_share,
            serial, instructions, per_cycle;
    } n;
};

#define TABLE    speedup
#define ROW      struct row
#define KIND_INC "experiments/analysis/derived/speedup.inc"
#include "experiments/analysis/derived/declare_table.inc"

static struct row row_of(const char *kind)
{
    struct row row = {.row = kind};
    double *const numbers = (double *)&row.n;
    for (size_t i = 0; i < sizeof row.n / sizeof *numbers; i++)
        numbers[i] = NAN;
    return row;
}

/* A row with the fields common to marks and laws. */
static struct row row_of_figure(const struct speedup_figure *figure, const char *kind)
{
    struct row row = row_of(kind);
    row.scaling = figure->weak ? "weak" : "strong";
    row.n.cores = figure->cores;
    row.n.reach = figure->reach;
    row.n.counts = (double)figure->counts;
    return row;
}

static void put_speedup(struct row *row, double workers, double speedup, struct interval i)
{
    row->n.workers = workers;
    row->n.speedup = DERIVED_BOUNDED(speedup, i);
    row->n.efficiency = (struct bounded){speedup / workers, i.lower / workers, i.upper / workers};
}

/* What is known of a speedup that counts. */
static void put_gain(struct row *row, const struct analysis *a, const struct speedup_figure *figure,
                     const struct speedup_mark *mark)
{
    const struct point *p = mark->point;
    const struct efficiency e = efficiency_of(figure, a, mark);
    const struct moved moved = speedup_moved(a, p);
    if (!figure->weak)
        row->n.karp_flatt = speedup_karp_flatt(mark);
    if (mark->workers > figure->base) {
        row->loss = loss_names[e.loss];
        if (e.loss == LOSS_EXPLAINED || e.loss == LOSS_PARTLY)
            row->cause = factor_names[e.cause];
        memcpy(row->n.factors, e.factors, sizeof e.factors);
        row->n.instructions = e.instructions;
        row->n.per_cycle = e.per_cycle;
    }
    row->n.exceeds_product = speedup_exceeds_product(figure, mark);
    row->n.limit_share = speedup_limit_share(a, p);
    row->n.rate = moved.rate;
    row->n.limit_rate = moved.limit_rate;
    if (moved.rate > 0.0)
        row->rate_of = point_is_own_program(&p->samples->identity) ? "memory" : "image";
    row->n.serial = speedup_over_serial(figure, mark);
}

static void write_mark(struct derived_writer *w, const struct speedup_figure *figure,
                       const struct speedup_mark *mark)
{
    struct row row = row_of_figure(figure, "mark");
    const struct record *r = mark->record;
    put_speedup(&row, mark->workers, mark->speedup, mark->interval);
    row.source = speedup_sources[mark->source];
    row.method = r->method;
    row.workers_kind = worker_kinds[worker_kind_of(r)];
    row.distribution = r->distribution;
    row.parallel = r->parallel;
    row.platform = file_name(r->platform);
    row.n.seconds = mark->seconds;
    row.n.beyond = mark->beyond;
    row.n.exceeds_product = 0.0;
    if (mark->point) {
        row.status = trust_names[mark->point->trust];
        row.n.colour = palette_colour(mark->point);
    }
    if (speedup_mark_counts(mark))
        put_gain(&row, w->analysis, figure, mark);
    derived_write_row(w, &row);
}

/* Names the curve that the law was fitted to. */
static void put_fitted(struct row *row, const struct analysis *a, const struct curve *c)
{
    const struct record *r = &a->points[c->points[c->count - 1]].samples->identity;
    row->law_method = r->method;
    row->law_kind = worker_kinds[worker_kind_of(r)];
    row->law_distribution = r->distribution;
}

static void write_law(struct derived_writer *w, const struct speedup_figure *figure,
                      enum speedup_law law)
{
    const struct law_line *line = &figure->laws[law];
    struct row row = row_of_figure(figure, "law");
    row.law = speedup_law_names[law];
    if (law == LAW_FITTED)
        put_fitted(&row, w->analysis, figure->fitted);
    if (law == LAW_PRODUCT)
        row.law_method = figure->product->samples->identity.method;
    row.n.share = DERIVED_BOUNDED(line->share, line->interval);
    row.n.bound = DERIVED_BOUNDED(line->bound, line->bound_interval);
    for (size_t i = 0; i <= SPEEDUP_STEPS; i++) {
        double workers;
        struct interval ends;
        const double speedup = speedup_at_step(figure, law, i, &workers, &ends);
        put_speedup(&row, workers, speedup, ends);
        derived_write_row(w, &row);
    }
}

static enum status write_figure(struct derived_writer *w, const struct forecasts *forecasts,
                                const struct machine_facts *m, bool weak, struct failure *f)
{
    struct speedup_figure figure;
    if (speedup_figure_make(&figure, w->analysis, forecasts, m, weak, f) != STATUS_OK)
        return f->status;
    for (size_t i = 0; i < figure.count; i++)
        write_mark(w, &figure, &figure.marks[i]);
    for (enum speedup_law law = 0; law < SPEEDUP_LAWS; law++)
        if (figure.count > 0 && figure.laws[law].drawn)
            write_law(w, &figure, law);
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

size_t speedup_places(struct topology_mark places[TOPOLOGY_MARKS], const struct analysis *a,
                      const struct topology_marks *topology)
{
    const bool compact = all_are_bound(a, "core"), spread = all_are_bound(a, "spread");
    size_t count = 0;
    for (size_t i = 0; i < topology->count; i++) {
        const enum topology_place place = topology->marks[i].place;
        if (!(compact && place == PLACE_ONE_EACH) &&
            !(spread && (place == PLACE_NODE || place == PLACE_SOCKET)))
            places[count++] = topology->marks[i];
    }
    return count;
}

static void write_places(struct derived_writer *w, const struct topology_marks *topology)
{
    struct topology_mark places[TOPOLOGY_MARKS];
    const size_t count = speedup_places(places, w->analysis, topology);
    for (size_t i = 0; i < count; i++) {
        struct row row = row_of("place");
        row.place = topology_place_names[places[i].place];
        row.n.workers = places[i].workers;
        derived_write_row(w, &row);
    }
}

enum status speedup_figure_write(const struct analysis *a, const struct forecasts *forecasts,
                                 const struct machine_facts *m,
                                 const struct topology_marks *topology, const char *path,
                                 struct failure *f)
{
    struct derived_writer w;
    struct output o;
    enum status status = output_open_derived(&o, path, f);
    if (status != STATUS_OK)
        return status;
    derived_begin(&w, o.stream, &derived_speedup, a);
    for (int weak = 0; weak < 2 && status == STATUS_OK; weak++)
        status = write_figure(&w, forecasts, m, weak, f);
    if (status == STATUS_OK)
        write_places(&w, topology);
    if (status == STATUS_OK)
        return output_close(&o, f);
    output_abandon(&o);
    return status;
}
