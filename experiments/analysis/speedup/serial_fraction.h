/* The serial fraction that a speedup implies (Karp-Flatt), in words. */
#ifndef MAXPOOL_SERIAL_FRACTION_H
#define MAXPOOL_SERIAL_FRACTION_H

#include "experiments/samples/estimate.h"
#include "harness/base/text/language.h"

#include <stddef.h>

/* Writes "Karp-Flatt at 2 workers: serial fraction 12 [10, 14] %" of a share. A fraction lies
 * between 0 and 1: of an interval with one end outside only the other end is said; with both ends
 * outside, that these times do not decide it; and of one that lies outside as a whole, why there is
 * none. */
void serial_fraction_say(const struct language *l, double workers, double share,
                         struct interval ends, char *text, size_t size);

#endif
