/* The places of kernels that were measured in the same passes: several may share one. */
#ifndef MAXPOOL_CLASS_PLACES_H
#define MAXPOOL_CLASS_PLACES_H

#include <stddef.h>

/* Fewest passes that can tell two kernels apart. */
enum { PLACES_LEAST = 6 };

struct placed {
    const double *ratios;     /* one per pass, larger is slower; NaN: not measured in that pass */
    size_t place, last_place; /* set by places_find(), from 1 */
};

/* One kernel is faster than another if it was faster in every pass in which both were measured, and
 * these are at least PLACES_LEAST. Of two equal kernels one is, by chance, in 2 of 2^n cases: 1 in
 * 256 for nine passes. A kernel's place is one more than the number of faster kernels; its last
 * place is the number of all kernels less that of slower ones. */
void places_find(struct placed *kernels, size_t count, size_t passes);

#endif
