/* Tells whether times are bimodal, as they are if a clock frequency changes, pages or cores differ,
 * or another program starts and stops. A median then describes at best one of the two modes. */
#ifndef MAXPOOL_BASE_TWO_MODES_H
#define MAXPOOL_BASE_TWO_MODES_H

#include <stdbool.h>
#include <stddef.h>

struct modes {
    bool two;
    double
        ratio;   /* typical time of the slower mode over that of the faster; 1 if only one exists */
    double slow; /* share of the times that is in the slower mode */
};

/* Splits the logarithms of ascending times, all above 0, at the point where the two sides scatter
 * least about their own means. They count as two modes if the means differ by at least
 * MODES_DISTANCE standard deviations of that scatter. For comparison, the halves of a normal
 * distribution differ by about 3, and only one in several hundred sets of nine normal times reaches
 * MODES_DISTANCE. Each side must contain a quarter of the times, so that one bad launch of nine is
 * no mode. Fewer than MODES_LEAST times count as one mode. Source of the measure, called D there:
 * Ashman, Bird & Zepf (1994), Astronomical Journal 108, 2348. */
enum { MODES_LEAST = 8, MODES_DISTANCE = 7 };
struct modes modes_of(const double *times, size_t count);

#endif
