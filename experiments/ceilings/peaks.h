/* The arithmetic peaks of this machine: the most operations per second that workers do on registers
 * alone, per instruction set. No method can compute faster. */
#ifndef MAXPOOL_PEAKS_H
#define MAXPOOL_PEAKS_H

#include "experiments/ceilings/loops.h"
#include "experiments/ceilings/visits.h"
#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

/* multiply_add, maximum, and product: two multiply-adds for each maximum, which shows whether the
 * two share the processor's units. */
struct peak {
    const char *name;
    peak_loop *run[ISA_COUNT];
};

extern const struct peak peaks[];
extern const size_t peak_count;

/* Visits peak number `peak` in a set that runs here, at most VISITS_MOST times in all. The seconds
 * are those of *operations operations on single floats over all workers, a multiply-add counting 2
 * and a maximum 1. Status 4 where threads lack. */
enum status peak_measure(size_t peak, enum isa isa, int64_t workers, double *operations,
                         struct visits *visits, struct failure *f);

#endif
