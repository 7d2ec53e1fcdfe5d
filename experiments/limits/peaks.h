/* The arithmetic peaks of this machine: the most operations per second that the workers execute on
 * registers alone, per instruction set. No method can compute faster. */
#ifndef MAXPOOL_PEAKS_H
#define MAXPOOL_PEAKS_H

#include "experiments/limits/loops.h"
#include "experiments/limits/visits.h"
#include "harness/base/failure.h"

#include <stddef.h>
#include <stdint.h>

/* One peak: multiply_add, maximum, or product. A product is two multiply-adds for each maximum; it
 * shows whether the two share the processor's units. */
struct peak {
    const char *name;
    peak_loop *run[ISA_COUNT];
};

extern const struct peak peaks[];
extern const size_t peak_count;

/* Visits peak number `peak` once, in an instruction set that this machine supports; at most
 * VISITS_MOST visits in all. Adds to `visits` the seconds that all workers take for *operations
 * operations on single floats (a multiply-add counts 2, a maximum 1). Status 4 if threads cannot be
 * started. */
enum status peak_measure(size_t peak, enum isa isa, int64_t workers, double *operations,
                         struct visits *visits, struct failure *f);

#endif
