/* Of how many launches the times of a figure or a table are medians. */
#ifndef MAXPOOL_CLAIMS_TIME_COUNTS_H
#define MAXPOOL_CLAIMS_TIME_COUNTS_H

#include "experiments/analysis/analysis.h"

/* The least and the most launches of its points, and samples; all 0 without a point. */
struct time_counts {
    size_t least, most, least_samples, most_samples;
};

/* Counts a point; NULL, or one without a time, adds nothing. */
void time_counts_add(struct time_counts *c, const struct point *p);

/* "Each time is the median of 9 launches.", "of 6 to 9 launches.", or of the samples of one launch;
 * "" without a point. */
enum { TIME_COUNTS_TEXT = 160 };
void time_counts_say(const struct time_counts *c, const struct language *l,
                     char text[TIME_COUNTS_TEXT]);

#endif
