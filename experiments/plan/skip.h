/* Finds points that cannot be run, and why. */
#ifndef MAXPOOL_SKIP_H
#define MAXPOOL_SKIP_H

#include "experiments/plan/plan.h"
#include "experiments/plan/programs.h"

/* Returns a text formatted as by printf; the caller frees it. NULL if memory is lacking. */
char *skip_reason(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns why a point of a sweep is left out, NULL if it is run; the caller frees the text. Reasons
 * that hold on every machine come before what this machine lacks. */
char *skip_find(const struct plan *plan, const struct planned *p, const struct sweep *sweep,
                const struct program_facts *facts);

#endif
