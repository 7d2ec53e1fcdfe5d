/* How a map is cut into chunks that go through the device one after another: pure functions. A
 * chunk is a run of whole planes, or of rows of one plane with the image rows that their windows
 * read. */
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
    int64_t image_elements, map_elements; /* of the largest */
    struct partition partition;           /* that cut the map */
};

/* Cuts the map so that the arrays of `lanes` chunks at a time, an image and so many maps, fit into
 * `room` bytes: in as few parts as that takes where there is one lane, and else in four times as
 * many parts as lanes at least, so that copies of one lane run beside the kernels of another.
 * Status 3 where one row of outputs does not fit. */
enum status chunks_plan(struct chunks *out, const struct operation *op, int64_t lanes, int64_t maps,
                        size_t room, struct failure *f);
void chunks_release(struct chunks *c);

/* Elements of the image and of the map from where the chunk's begin. */
int64_t chunk_image_first(const struct operation *op, const struct chunk *c);
int64_t chunk_map_first(const struct operation *op, const struct chunk *c);
int64_t chunk_image_elements(const struct operation *op, const struct chunk *c);
int64_t chunk_map_elements(const struct operation *op, const struct chunk *c);

#endif
