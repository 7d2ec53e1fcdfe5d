/* The partition of the map and the image among ranks: pure functions.
 *
 * The map's lines (rows of all planes, numbered through) are distributed in contiguous bands. Where
 * a method computes several rows of a plane together, a band begins with the first of them: units
 * have that many rows, the last of a plane what is left, and bands differ by at most one unit. The
 * geometry determines the image lines that the windows of a band read, and the rank that makes each
 * of them: rank i makes the lines from the first line of its own windows to the first line of rank
 * i + 1's windows. The other lines that its windows read are its halo. Later ranks make them: the
 * next one, or several if bands are narrower than the halo. Padding needs no lines, because it
 * follows from global row numbers. */
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
    struct lines own;      /* made by this rank */
    struct lines halo;     /* made by later ranks */
    struct lines interior; /* units that need no halo, the first of `map` */
};

/* Returns the partition of the map among ranks, in units of unit_rows >= 1 rows of a plane; with
 * more ranks than units, the last ranks get none. */
struct partition bands_partition(const struct operation *op, int64_t ranks, int64_t unit_rows);

/* Sets the bands of all ranks. */
void bands_make(const struct operation *op, int64_t ranks, int64_t unit_rows, struct band *bands);

/* units_of_lines returns the units, of such a partition, that the lines consist of; lines_of_units
 * the lines of some units. */
struct share units_of_lines(const struct partition *d, struct lines lines);
struct lines lines_of_units(const struct partition *d, struct share units);

/* Returns the lines that rank `from` makes and rank `to` needs; count is 0 if there are none. */
struct lines bands_halo_from(const struct band *bands, int64_t from, int64_t to);

/* lines_common returns the intersection, lines_end the line after the last. */
struct lines lines_common(struct lines a, struct lines b);
int64_t lines_end(struct lines l);

/* Takes from the beginning of `lines` the rows that are in one plane. Returns false if `lines` is
 * empty. */
bool lines_next_plane(struct lines *lines, int64_t rows_per_plane, int64_t *plane, int64_t *row,
                      int64_t *rows);

/* The same, into the planes and rows of a block; with `whole_planes`, takes all whole planes that
 * follow a whole plane together. */
bool lines_next_block(struct lines *lines, int64_t rows_per_plane, bool whole_planes,
                      struct block *block);

/* Returns the view of plane `plane`, and of the planes after it, in memory that holds the image
 * lines `held` from `data` on; lines_map_view does the same for the map. */
struct view lines_view(const float *data, struct lines held, struct image_shape image,
                       int64_t plane);
struct map_view lines_map_view(float *data, struct lines held, struct image_shape map,
                               int64_t plane);

#endif
