#include "experiments/run/limit_visits.h"

#include "experiments/limits/ceilings_file.h"
#include "experiments/limits/roof.h"
#include "experiments/samples/point.h"
#include "harness/base/clock.h"
#include "harness/limits/rates.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double round_s = 0.05;         /* of visits, on the average of the rounds */
static const double most_of_left = 0.02;    /* of the seconds left, for one round's visits */
static const double most_of_memory = 0.25;  /* of the free memory, for one visit */
static const double golden_section = 0.618; /* see stride_of */

/* ---- which rows ----------------------------------------------------------------------------- */

static bool is_listed(const struct limit_visits *v, size_t row)
{
    for (size_t i = 0; i < v->survey.count; i++)
        if (v->row[i] == row)
            return true;
    return false;
}

static enum status list(struct limit_visits *v, size_t row, struct failure *f)
{
    struct surveyed what;
    if (is_listed(v, row) || !survey_row_of(&v->here.rows[row], &what))
        return STATUS_OK;
    const enum status status = survey_add(&v->survey, &what, f);
    if (status == STATUS_OK)
        v->row[v->survey.count - 1] = row;
    return status;
}

static bool is_pass(const struct ceiling *c, const char *what, double workers)
{
    return !ceiling_is_peak(c) && strcmp(c->what, what) == 0 && c->workers == workers;
}

/* Returns the row of a pass that applies to `bytes`, with the faster kind of stores; the number of
 * rows if there is none. */
static size_t find_pass(const struct ceilings *c, const char *what, double bytes, double workers)
{
    size_t best = c->count;
    double smallest = INFINITY;
    for (size_t i = 0; i < c->count; i++)
        if (is_pass(&c->rows[i], what, workers))
            smallest = fmin(smallest, c->rows[i].working_set);
    for (size_t i = 0; i < c->count; i++) {
        const struct ceiling *row = &c->rows[i], *other = best < c->count ? &c->rows[best] : NULL;
        if (!is_pass(row, what, workers) || !(row->working_set <= fmax(bytes, smallest)))
            continue;
        if (!other || row->working_set > other->working_set ||
            (row->working_set == other->working_set &&
             row->bandwidth.value > other->bandwidth.value))
            best = i;
    }
    return best;
}

static enum status list_passes(struct limit_visits *v, double bytes, double workers,
                               struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < stream_pass_count; i++) {
        const struct stream_pass *pass = &stream_passes[i];
        const size_t row = find_pass(&v->here, pass->what, bytes, workers);
        if (row < v->here.count && strcmp(v->here.rows[row].stores, pass->stores) == 0)
            status = list(v, row, f);
    }
    return status;
}

static enum status list_peaks(struct limit_visits *v, double workers, struct failure *f)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < v->here.count; i++)
        for (size_t peak = 0; status == STATUS_OK && peak < peak_count; peak++) {
            const struct ceiling *row = &v->here.rows[i];
            if (ceiling_is_peak(row) && row->workers == workers &&
                strcmp(row->what, peaks[peak].name) == 0 &&
                strcmp(row->isa, isa_name(isa_best())) == 0)
                status = list(v, i, f);
        }
    return status;
}

static bool is_limited(const struct planned *p)
{
    const struct record *r = &p->point;
    return !p->skip && !p->simulated && !point_is_on_device(r) &&
           (r->nodes == RECORD_NO_INT || r->nodes == 1);
}

static enum status list_point(struct limit_visits *v, const struct record *r, struct failure *f)
{
    const struct need need = need_of(r, true);
    const double bytes = need_bytes(&need),
                 asked = record_count(r->ranks) * record_count(r->threads);
    const double workers = rates_workers(&v->here, "read", asked);
    if (!(bytes > 0.0) || isnan(workers))
        return STATUS_OK;
    const enum status status = list_passes(v, bytes, workers, f);
    return status == STATUS_OK ? list_peaks(v, workers, f) : status;
}

static size_t common_divisor(size_t a, size_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* The distance between two rows that are visited in turn: it leads to every row, and few turns
 * already include small sizes and large ones. */
static size_t stride_of(size_t count)
{
    size_t stride = (size_t)(golden_section * (double)count);
    while (stride > 1 && common_divisor(count, stride) != 1)
        stride--;
    return stride ? stride : 1;
}

/* No rows if the file cannot be read: analyses report that. */
static enum status read_rows(struct limit_visits *v, struct failure *f)
{
    struct ceilings all = {0};
    struct failure ignored = {0};
    if (access(v->path.text, R_OK | W_OK) != 0 ||
        ceilings_read(&all, v->path.text, &ignored) != STATUS_OK)
        return STATUS_OK;
    machine_describe(&v->machine);
    v->before = all;
    v->row = malloc((all.count + 1) * sizeof *v->row);
    enum status status = ceilings_of_host(&v->here, &all, v->machine.host, f);
    if (v->here.count && strcmp(v->here.rows[0].host, v->machine.host) != 0) /* it names none */
        ceilings_release(&v->here);
    return v->row ? status : fail(f, STATUS_RESOURCE, "no memory for %zu ceilings", all.count);
}

enum status limit_visits_begin(struct limit_visits *v, const struct plan *plan, const char *results,
                               struct failure *f)
{
    *v = (struct limit_visits){.path = results_file(results, "ceilings.csv")};
    enum status status = read_rows(v, f);
    for (size_t i = 0; v->here.count && status == STATUS_OK && i < plan->count; i++)
        if (is_limited(&plan->points[i]))
            status = list_point(v, &plan->points[i].point, f);
    v->stride = stride_of(v->survey.count);
    return status;
}

/* ---- visits --------------------------------------------------------------------------------- */

static const struct visits *visits_of(const struct surveyed *row)
{
    return row->peak ? &row->visits : &row->size.visits;
}

static bool can_visit(const struct limit_visits *v, size_t i)
{
    const double bytes = v->here.rows[v->row[i]].working_set;
    return visits_of(&v->survey.rows[i])->count < VISITS_MOST &&
           !(bytes > most_of_memory * (double)memory_available());
}

/* The buffers are released, because the points that follow need the memory. */
static void visit_next(struct limit_visits *v)
{
    struct failure ignored = {0};
    struct stream_buffers buffers = {0};
    const double began = clock_now();
    if (can_visit(v, v->next))
        survey_visit(&v->survey.rows[v->next], &buffers, &ignored);
    stream_buffers_release(&buffers);
    v->next = (v->next + v->stride) % v->survey.count;
    v->spent_s += clock_now() - began;
}

/* All visits of this study are added to the rows as they were before it. */
static enum status write_visits(const struct limit_visits *v, struct failure *f)
{
    struct ceilings now = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < v->before.count; i++)
        status = ceilings_add(&now, &v->before.rows[i], f);
    for (size_t i = 0; status == STATUS_OK && i < v->survey.count; i++) {
        const struct ceiling seen = survey_ceiling(&v->survey.rows[i], &v->machine);
        if (seen.visits > 0.0)
            ceilings_add_visits(&now, &seen);
    }
    if (status == STATUS_OK)
        status = ceilings_write(&now, v->path.text, f);
    ceilings_release(&now);
    return status;
}

enum status limit_visits_take(struct limit_visits *v, double left_s, struct failure *f)
{
    const double spent_s = v->spent_s;
    if (!v->survey.count)
        return STATUS_OK;
    v->allowed_s += round_s;
    for (size_t i = 0; i < v->survey.count && v->spent_s < v->allowed_s &&
                       v->spent_s - spent_s < most_of_left * left_s;
         i++)
        visit_next(v);
    return v->spent_s > spent_s ? write_visits(v, f) : STATUS_OK;
}

void limit_visits_release(struct limit_visits *v)
{
    ceilings_release(&v->before);
    ceilings_release(&v->here);
    survey_release(&v->survey);
    free(v->row);
    *v = (struct limit_visits){.path = {""}};
}
