/* How the map and the image are parted among ranks: pure functions.
 *
 * The map's lines (rows of all planes, counted through) are distributed in contiguous bands whose
 * sizes differ by at most one. The image lines that a band's windows read follow from the geometry,
 * and so does who makes them: rank i makes the lines from where its own windows begin to where
 * those of rank i + 1 do. What it reads beyond those is its halo, and lies with the ranks after it:
 * with the next one, or with several where bands are narrower than the halo. Padding takes part
 * nowhere: it follows from global row numbers, and needs no line. */
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
