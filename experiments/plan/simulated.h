/* Points of a plan that run on a simulated machine: those of a sweep with a `platform`. */
#ifndef MAXPOOL_SIMULATED_H
#define MAXPOOL_SIMULATED_H

#include "experiments/common/results.h"
#include "experiments/plan/calibration.h"
#include "experiments/plan/platform.h"

struct plan;
struct planned;

/* What is needed to start a simulated point. */
struct simulated {
    struct platform platform;
    struct row_time row;
    bool folded; /* images are not computed, because those of all ranks exceed the limit */
};

/* True if a record has simulated times, or none because its device was emulated. */
bool is_simulated(const struct record *r);

/* Returns the path of the list of a platform's hosts, R/platforms/NAME.hosts. */
struct results_path simulated_hosts(const char *results, const struct platform *p);

/* Sets the row times of the simulated points of a plan, as far as R has them. */
enum status simulated_look_up(struct plan *plan, const char *results, struct failure *f);

/* Measures the missing row times, naming each on stderr, and writes the lists of hosts. Status 3 if
 * there is no serial program. */
enum status simulated_make_ready(struct plan *plan, const char *results, struct failure *f);

#endif
