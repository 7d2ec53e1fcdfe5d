/* Points of a plan that a simulated machine runs: those of a sweep with a `platform`. */
#ifndef MAXPOOL_SIMULATED_H
#define MAXPOOL_SIMULATED_H

#include "experiments/common/results.h"
#include "experiments/plan/calibration.h"
#include "experiments/plan/platform.h"

struct plan;
struct planned;

/* What starts a simulated point. */
struct simulated {
    struct platform platform;
    struct row_time row;
    bool folded; /* nothing is computed: the images of all ranks exceed what may be held */
};

/* True where the times of a record were simulated. */
bool is_simulated(const struct record *r);

/* Where the list of a platform's hosts lies, R/platforms/NAME.hosts. */
struct results_path simulated_hosts(const char *results, const struct platform *p);

/* Fills in the row times that R has for the simulated points of a plan. */
enum status simulated_look_up(struct plan *plan, const char *results, struct failure *f);

/* Measures those that are missing, naming each on stderr, and writes the lists of hosts. Status 3
 * where smpirun is not installed and the launcher simgrid was asked for. */
enum status simulated_make_ready(struct plan *plan, const char *results, struct failure *f);

#endif
