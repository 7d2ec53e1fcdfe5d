/* The scratch layout of the no-product methods: rows of equal pitch, each one strip wide. */
#ifndef MAXPOOL_MAXIMA_SCRATCH_H
#define MAXPOOL_MAXIMA_SCRATCH_H

#include "kernels/geometry.h"

/* Rows begin on a cache line, with room for a vector before element 0 and for loads of whole
 * vectors past the last element. */
struct maxima_room {
    int64_t outputs; /* most outputs of a row in one strip */
    int64_t pitch;   /* floats from row to row */
};

enum { MAXIMA_FRONT = 16 }; /* floats before element 0 */

/* Floats of the buffer that collects outputs of short rows
 * (kernels/maxpool/maxima/short_rows_sink.h). */
enum { MAXIMA_GATHER = 1024 };

/* Most outputs of a short row (kernels/maxpool/maxima/short_rows_plan.h), and copies of image
 * rows. */
enum { MAXIMA_SHORT = 128, MAXIMA_COPIES = 5 };

/* Returns the layout for blocks of up to `cols` outputs in width, where `kept` rows should stay in
 * the second-level cache. */
struct maxima_room maxima_room(const struct geometry *g, int64_t cols, int64_t kept);

/* Rows that `doubling` keeps: the last 1, 2, 4 ... maxima of 1, 2, 4 ... rows. */
int64_t maxpool_doubling_rows(const struct geometry *g);

/* Rows in one step of `van_herk`: 2, 4 or 8 depending on k, so that its maxima stay in
 * registers. */
int64_t maxpool_van_herk_step(const struct geometry *g);

/* Whole steps between the first and the last step of every window. */
int64_t maxpool_van_herk_middle(const struct geometry *g);

/* Rows whose suffixes `van_herk` keeps: the rows of a window, in whole steps; 0 if windows do not
 * overlap. */
int64_t maxpool_van_herk_kept(const struct geometry *g);

/* For adjacent windows, the rows that should stay in the second-level cache: one for every group of
 * four rows in a window. */
int64_t maxima_adjacent_kept(const struct geometry *g);

#endif
