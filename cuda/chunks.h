/* Cuts a map into chunks that pass through the device one after another. The functions are pure. A
 * chunk is a range of whole planes, or a range of rows of one plane with the image rows that their
 * windows read. */
#ifndef MAXPOOL_CUDA_CHUNKS_H
#define MAXPOOL_CUDA_CHUNKS_H

#include "harness/space/operation.h"

struct chunk {
    int64_t plane, planes;
    int64_t row, rows;         /* of the map, in each of its planes */
    int64_t in_first, in_rows; /* of the image, in each of its planes */
};

struct chunks {
    struct chunk *items;
    int64_t count;
    int64_t image_elements, map_elements; /* of the largest chunk */
    struct partition partition;           /* of the map; its shares are cut into chunks */
};

/* A run of map lines that is cut by itself, and the image lines that are there for it; all counted
 * through all planes. */
struct chunk_span {
    int64_t first, count;
    int64_t image_first, image_end;
};

/* Cuts the map into chunks so that the arrays of `lanes` chunks fit into `available` bytes. A lane
 * has an array for the image and `maps` arrays of the map's size. With one lane this starts with
 * one part; with several it starts with four parts per lane, so that copies of one lane overlap
 * with kernels of another. The number of parts is doubled until the arrays fit. Status 3 if one row
 * of outputs does not fit. */
enum status chunks_plan(struct chunks *out, const struct operation *op, int64_t lanes, int64_t maps,
                        size_t available, struct failure *f);
/* The same for some spans of the map alone. */
enum status chunks_plan_spans(struct chunks *out, const struct operation *op,
                              const struct chunk_span *spans, int64_t span_count, int64_t lanes,
                              int64_t maps, size_t available, struct failure *f);
void chunks_release(struct chunks *c);

/* Return the first element of the chunk in the image and in the map, and its elements in each. */
int64_t chunk_image_first(const struct operation *op, const struct chunk *c);
int64_t chunk_map_first(const struct operation *op, const struct chunk *c);
int64_t chunk_image_elements(const struct operation *op, const struct chunk *c);
int64_t chunk_map_elements(const struct operation *op, const struct chunk *c);

#endif
