/* Whether the ranks of one computer have enough cores for their workers: pure functions. */
#ifndef MAXPOOL_BINDING_H
#define MAXPOOL_BINDING_H

#include "harness/machine/machine.h"

#include <stdbool.h>

/* Workers that have these many cores among them. */
struct crowd {
    int64_t ranks, workers, cores;
};

int64_t core_set_count(const struct core_set *set);

/* The most crowded cores of a computer on which rank i may use the cores sets[i] and runs that many
 * workers: of the sets and of all cores together, the one with most workers per core among the
 * ranks that have nothing outside it. More workers than cores in it means that some share a core;
 * where sets are nested or apart, as launchers make them, none in it means that none do (Hall's
 * theorem). */
struct crowd binding_most_crowded(const struct core_set *sets, int64_t ranks, int64_t workers);

#endif
