/* One colour per method in the whole suite: in every chart, and in the page that shows them. */
#ifndef MAXPOOL_PALETTE_H
#define MAXPOOL_PALETTE_H

#include "experiments/analysis/analysis.h"

/* 0xRRGGBB. Okabe and Ito's palette first, then Tol's muted one: readers who see no red or no green
 * distinguish them. Then, of a grid of 16 levels a channel that stand out from white, the colour
 * furthest in CIELAB from all before it and from the charts' greys, again and again: no two are
 * nearer than 17. Sources: Okabe & Ito (2008), "Color universal design"; Tol (2021), SRON/EPS/TN.
 */
extern const unsigned palette_colours[];
extern const size_t palette_colour_count;

/* Place of a point's method among all methods: those of the operators' tables in their order, then
 * the peers, then those of networks. The last place is for methods that none of them has. */
size_t palette_place(const struct point *p);

/* How many places there are; no more than colours. */
size_t palette_places(void);

/* The colour at that place. */
unsigned palette_colour(const struct point *p);

#endif
