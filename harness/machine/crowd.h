/* Whether the ranks of one computer have enough cores for their workers: pure functions. */
#ifndef MAXPOOL_CROWD_H
#define MAXPOOL_CROWD_H

#include "harness/machine/machine.h"

#include <stdbool.h>

/* `workers` workers of `ranks` ranks, which share `cores` cores. */
struct crowd {
    int64_t ranks, workers, cores;
};

int64_t core_set_count(const struct core_set *set);

/* The cores of `ranks` sets together. */
struct core_set core_set_all(const struct core_set *sets, int64_t ranks);

/* Returns the most crowded cores of a computer on which rank i may use the cores sets[i] and runs
 * `workers` workers. Candidates are each set and all cores together; each counts the ranks that may
 * use no core outside it. The result is the candidate with most workers per core. If it has more
 * workers than cores, some share a core. If sets are nested or disjoint, as launchers make them,
 * and it has not, then none do (Hall's theorem). */
struct crowd binding_most_crowded(const struct core_set *sets, int64_t ranks, int64_t workers);

#endif
