/* One colour per method in the whole suite: in every chart, and in the page that shows them. */
#ifndef MAXPOOL_PALETTE_H
#define MAXPOOL_PALETTE_H

#include "experiments/analysis/analysis.h"

/* 0xRRGGBB. Okabe and Ito's palette first, then Tol's muted one: readers who see no red or no green
 * tell them apart. Sources: Okabe & Ito (2008), "Color universal design"; Tol (2021), SRON/EPS/TN.
 */
extern const unsigned palette_colours[];
extern const size_t palette_colour_count;

/* Place of a point's method among all methods: those of the tables in their order, then the peers.
 */
size_t palette_place(const struct point *p);

/* The colour at that place. */
unsigned palette_colour(const struct point *p);

#endif
