/* Whether times lie in two modes, as when a clock frequency changes, pages or cores differ, or
 * another program starts and stops. A median then describes one of the two modes at best. */
#ifndef MAXPOOL_BASE_TWO_MODES_H
#define MAXPOOL_BASE_TWO_MODES_H

#include <stdbool.h>
#include <stddef.h>

struct modes {
    bool two;
    double
        ratio;   /* typical time of the slower mode over that of the faster; 1 where there is one */
    double slow; /* share of the times in the slower */
};

/* Splits the logarithms of ascending times, all above 0, where the two sides scatter least about
 * their own means. They are two modes where the means are at least MODES_DISTANCE of the scatter
 * apart: halves of a normal distribution are about 3 apart, and of nine normal times one set in
 * several hundred as far. Each side must hold a quarter: a bad launch of nine is no mode. Fewer
 * than MODES_LEAST times say nothing. Source of the measure, there D: Ashman, Bird & Zepf (1994),
 * Astronomical Journal 108, 2348. */
enum { MODES_LEAST = 8, MODES_DISTANCE = 7 };
struct modes modes_of(const double *times, size_t count);

#endif
