/* Points that cannot be run, and why. */
#ifndef MAXPOOL_SKIP_H
#define MAXPOOL_SKIP_H

#include "experiments/plan/plan.h"
#include "experiments/plan/programs.h"

/* A text made as by printf; the caller frees it. NULL where memory is short. */
char *skip_reason(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Why a point of a sweep is left out, NULL where it is run; the caller frees it. What no machine
 * would run comes first, what this one lacks after it. */
char *skip_find(const struct plan *plan, const struct planned *p, const struct sweep *sweep,
                const struct program_facts *facts);

#endif
