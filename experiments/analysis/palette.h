/* One colour per method in the whole suite: in every chart, and in the page that shows them. */
#ifndef MAXPOOL_PALETTE_H
#define MAXPOOL_PALETTE_H

#include "experiments/analysis/analysis.h"

/* 0xRRGGBB. Okabe and Ito's palette first, then Tol's muted one: readers who cannot see red or
 * green can distinguish them. The rest are chosen one by one from a grid of 16 levels per channel,
 * of the colours that stand out from white: each is the furthest in CIELAB from all before it and
 * from the charts' greys. No two are nearer than 17. Sources: Okabe & Ito (2008), "Color universal
 * design"; Tol (2021), SRON/EPS/TN. */
extern const unsigned palette_colours[];
extern const size_t palette_colour_count;

/* Index of a point's method among all methods: those of the operators' tables in their order, then
 * the peers, then those of networks. The last index is for methods in none of them. */
size_t palette_place(const struct point *p);

/* Number of such places; at most palette_colour_count. */
size_t palette_places(void);

/* The colour at the place of the point's method. */
unsigned palette_colour(const struct point *p);

#endif
