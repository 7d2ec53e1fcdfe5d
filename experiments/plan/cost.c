#include "experiments/plan/cost.h"

#include "experiments/common/results.h"
#include "experiments/plan/work.h"
#include "experiments/samples/journal.h"
#include "experiments/samples/point.h"

#include <string.h>

/* Seconds of one launch: start, filling, verification by an oracle, warm-up and samples. */
double cost_launch(const struct plan *plan, const struct definition *d, const struct record *p)
{
    const double start_s = 0.01, operations_per_s = 1e9, cells_per_s = 2e8;
    double workers = (double)(work_or_one(p->threads) * work_or_one(p->ranks));
    double cores = (double)plan->settings.cores;
    if (p->platform[0]) /* mostly the ranks' copies of the program */
        return 0.2 + 0.015 * workers;
    double speed = workers < cores ? workers : cores;
    double one = work_operations(p) / operations_per_s / speed;
    double all = one * (double)d->sampling.samples;
    double sampling = all < d->sampling.max_seconds ? all : d->sampling.max_seconds;
    double cells = work_has_sizes(p) ? (double)p->rows * (double)p->cols : 1e6;
    double oracle = strcmp(d->sampling.verify, "full") == 0 ? one * speed : 0;
    return start_s + 2 * cells / cells_per_s + oracle + one * (double)(d->sampling.warmup + 1) +
           sampling;
}

/* ---- corrections by what was measured ------------------------------------------------------- */

struct calibration {
    struct plan *plan;
    size_t definition;
    double measured_s, estimated_s; /* of the launches of this definition that are known */
};

static bool calibrate_row(const struct journal_row *row, void *context)
{
    struct calibration *c = context;
    if (strcmp(row->status, "done") != 0 || !(row->seconds > 0) ||
        strcmp(row->scale, scale_names[c->plan->definitions[c->definition].scale]) != 0)
        return true;
    for (size_t i = 0; i < c->plan->count; i++) {
        struct planned *p = &c->plan->points[i];
        if (p->definition != c->definition || !point_matches(&p->point, &row->point))
            continue;
        c->measured_s += row->seconds;
        c->estimated_s += cost_launch(c->plan, &c->plan->definitions[c->definition], &p->point);
        p->estimate_s = -row->seconds; /* known: told from the others by its sign, below */
        break;
    }
    return true;
}

enum status plan_calibrate(struct plan *plan, const char *results, struct failure *f)
{
    for (size_t d = 0; d < plan->definition_count; d++) {
        struct calibration c = {plan, d, 0, 0};
        struct results_path journal = results_journal(results, plan->definitions[d].name);
        enum status status = journal_read(journal.text, calibrate_row, &c, NULL, f);
        if (status != STATUS_OK)
            return status;
        double factor = c.estimated_s > 0 ? c.measured_s / c.estimated_s : 1;
        for (size_t i = 0; i < plan->count; i++) {
            struct planned *p = &plan->points[i];
            if (p->definition == d)
                p->estimate_s = p->estimate_s < 0 ? -p->estimate_s : p->estimate_s * factor;
        }
    }
    return STATUS_OK;
}
