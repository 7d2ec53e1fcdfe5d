/* A sum of terms in double, with what a bound of its rounding needs: the sum of the terms' absolute
 * values and their number. */
#ifndef MAXPOOL_TERM_SUM_H
#define MAXPOOL_TERM_SUM_H

#include <math.h>
#include <stdint.h>

struct term_sum {
    double value, magnitude;
    int64_t terms;
};

static inline void term_sum_add(struct term_sum *s, double term)
{
    s->value += term;
    s->magnitude += fabs(term);
    s->terms++;
}

#endif
