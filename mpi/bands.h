/* The partition of the map and the image among ranks: pure functions.
 *
 * The map's lines (rows of all planes, numbered through) are distributed in contiguous bands whose
 * sizes differ by at most one. The image lines that the windows of a band read follow from the
 * geometry, and so does the rank that makes them: rank i makes the lines from the first one of its
 * own windows to the first one of rank i + 1's. The lines beyond those that its windows read are
 * its halo. The ranks after it have them: the next one, or several if bands are narrower than the
 * halo. Padding needs no lines, because it follows from global row numbers. */
#ifndef MAXPOOL_BANDS_H
#define MAXPOOL_BANDS_H

#include "harness/space/operation.h"

/* Lines [first, first + count), counted through all planes. */
struct lines {
    int64_t first, count;
};

struct band {
    struct lines map;      /* outputs it computes */
    struct lines image;    /* what their windows read: `own`, then `halo` */
    struct lines own;      /* made here */
    struct lines halo;     /* made by later ranks */
    struct lines interior; /* outputs that need no halo, the first of `map` */
};

/* The partition of map lines to ranks: units are lines, and ranks beyond the lines get none. */
struct partition bands_partition(const struct operation *op, int64_t ranks);

/* The bands of all ranks. */
void bands_make(const struct operation *op, int64_t ranks, struct band *bands);

/* The lines that rank `to` needs of those that rank `from` makes; count is 0 where none. */
struct lines bands_halo_from(const struct band *bands, int64_t from, int64_t to);

/* What both hold, and the line after the last. */
struct lines lines_common(struct lines a, struct lines b);
int64_t lines_end(struct lines l);

/* A block of lines as a block of one plane: takes the rows of the plane where `lines` begins off
 * it. False where it is empty. */
bool lines_next_plane(struct lines *lines, int64_t rows_per_plane, int64_t *plane, int64_t *row,
                      int64_t *rows);

/* The same into a block's planes and rows; where `whole_planes` allows it, takes all whole planes
 * that follow together. */
bool lines_next_block(struct lines *lines, int64_t rows_per_plane, bool whole_planes,
                      struct block *block);

/* The view of one plane, and those after it, in memory that holds the image lines `held`, `cols`
 * floats each, from `data` on; and of the map likewise. */
struct view lines_view(const float *data, struct lines held, struct image_shape image,
                       int64_t plane);
struct map_view lines_map_view(float *data, struct lines held, struct image_shape map,
                               int64_t plane);

#endif
