/* The limits of the machine, visited again between the rounds of a study: a pass of each kind over
 * the size in question and the arithmetic peaks, with the workers of the plan's points. The visits
 * are added to R/ceilings.csv, so that a point is compared with the best that the machine has done
 * up to then, not with one moment before the study. */
#ifndef MAXPOOL_LIMIT_VISITS_H
#define MAXPOOL_LIMIT_VISITS_H

#include "experiments/common/results.h"
#include "experiments/limits/survey.h"
#include "experiments/plan/plan.h"

struct limit_visits {
    struct machine machine;
    struct results_path path;
    struct ceilings before; /* the file's rows when the study began */
    struct ceilings here;   /* those of this host */
    struct survey survey;   /* the rows to visit */
    size_t *row;            /* per row of the survey: its index in `here` */
    size_t next, stride;    /* the next row, and the distance to the one after it */
    double allowed_s, spent_s;
};

/* Lists the rows of the file that limit points of the plan: of this host, the largest size that
 * does not exceed the point's bytes, the smallest number of workers that is at least the point's,
 * the widest instruction set. None without a readable R/ceilings.csv, and none for points that are
 * skipped, simulated, on a GPU or on several nodes. Status 4. */
enum status limit_visits_begin(struct limit_visits *v, const struct plan *plan, const char *results,
                               struct failure *f);

/* Visits some rows at the start of a round, in turn, for 50 ms on the average of the rounds, and at
 * most for a fiftieth of `left_s`, the seconds that are left of the study; then writes the file. A
 * visit that has begun is finished. A row is visited at most VISITS_MOST times. A row for which
 * memory is lacking is left out. Status 4, or 5 if the file cannot be written. */
enum status limit_visits_take(struct limit_visits *v, double left_s, struct failure *f);

void limit_visits_release(struct limit_visits *v);

#endif
