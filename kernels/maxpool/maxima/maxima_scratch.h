/* How the methods without a product lay out their scratch: rows of one pitch, each a strip wide. */
#ifndef MAXPOOL_MAXIMA_SCRATCH_H
#define MAXPOOL_MAXIMA_SCRATCH_H

#include "kernels/geometry.h"

/* Rows begin on a cache line, with room for a vector before element 0 and for what vectors read
 * past the last element. */
struct maxima_room {
    int64_t outputs; /* of an output row that a strip takes at most */
    int64_t pitch;   /* floats from row to row */
};

enum { MAXIMA_FRONT = 16 }; /* floats before element 0 */

/* Floats in which outputs of short rows gather (kernels/maxpool/maxima/short_rows_sink.h). */
enum { MAXIMA_GATHER = 1024 };

/* Outputs of a row that is short (kernels/maxpool/maxima/short_rows_plan.h), at most, and copies
 * of image rows. */
enum { MAXIMA_SHORT = 128, MAXIMA_COPIES = 5 };

/* For blocks up to `cols` outputs wide, where `kept` rows should stay in the second-level cache. */
struct maxima_room maxima_room(const struct geometry *g, int64_t cols, int64_t kept);

/* Bytes of `rows` such rows; SIZE_MAX where they cannot be counted. */
size_t maxima_bytes(struct maxima_room room, int64_t rows);

/* Rows that `doubling` keeps: the last 1, 2, 4 ... maxima of 1, 2, 4 ... rows. */
int64_t maxpool_doubling_rows(const struct geometry *g);

/* Rows in one step of `van_herk`: a power of two up to k, so that its maxima stay in registers. */
int64_t maxpool_van_herk_step(const struct geometry *g);

/* Whole steps that lie between the first and the last of every window. */
int64_t maxpool_van_herk_middle(const struct geometry *g);

/* Rows whose suffixes `van_herk` keeps: those of a window, in whole steps. */
int64_t maxpool_van_herk_kept(const struct geometry *g);

/* Rows of adjacent windows that should stay in the second-level cache: a place for every group of
 * four rows in a window. */
int64_t maxima_adjacent_kept(const struct geometry *g);

#endif
