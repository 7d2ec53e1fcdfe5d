/* The image's offload in three files: what it holds (offload_image.c), the steps of a chunk
 * (image_steps.c), and their order and times (image_times.c). */
#ifndef MAXPOOL_CUDA_OFFLOAD_IMAGE_H
#define MAXPOOL_CUDA_OFFLOAD_IMAGE_H

#include "cuda/chunks.h"
#include "cuda/instance.h"

struct lane {
    cudaStream_t stream;
    float *image, *map; /* of one chunk, on the device */
};

/* When the device came to these points of one chunk: the begin and end of each step, so that what
 * the host does between two steps is no part of either. */
enum mark { SENDING, SENT, COMPUTING, COMPUTED, COLLECTING, COLLECTED, MARKS };

struct marks {
    cudaEvent_t at[MARKS];
};

struct image_state {
    struct chunks chunks;
    int64_t lane_count;
    struct lane *lanes;
    struct marks *marks; /* of each chunk */
    cudaEvent_t origin;
};

/* ---- the steps of a chunk: queued in the stream of its lane, each between its marks -----------
 */

struct lane *lane_of(const struct image_state *s, int64_t chunk);

/* Until all that was queued is done. */
enum status lane_wait(const struct lane *lane, struct failure *f);

/* Where the filter is not in constant memory; awaited. */
enum status image_send_filter(const struct instance *in, const struct image_state *s,
                              struct failure *f);

enum status image_send(const struct instance *in, const struct image_state *s, int64_t i,
                       struct failure *f);
enum status image_compute(const struct instance *in, const struct image_state *s, int64_t i,
                          struct failure *f);
/* Between the peer's layout and the arrays of the lane, where it has one of its own. */
enum status image_bring(const struct instance *in, const struct chunk *c, const struct lane *lane,
                        struct failure *f);
enum status image_deliver(const struct instance *in, const struct chunk *c, const struct lane *lane,
                          struct failure *f);

/* The same so many times over, between one pair of marks. */
enum status image_compute_in_a_row(const struct instance *in, const struct image_state *s,
                                   int64_t i, int64_t launches, struct failure *f);
enum status image_collect(const struct instance *in, const struct image_state *s, int64_t i,
                          struct failure *f);

/* Places for the sums of pieces of a convolution's terms, of this method alone, for each lane. */
enum status image_open_parts(struct instance *in, struct failure *f);

/* Launches the kernel, or the peer in its place, over a chunk; with rows = 0 over nothing. */
enum status image_launch(const struct instance *in, const struct chunk *c, const struct lane *lane,
                         struct thread_place *places, struct failure *f);

/* ---- an execution -----------------------------------------------------------------------------
 */

/* With one stream the L2 cache is emptied between sending and computing, since sending fills it,
 * and device_compute_s is the kernel's by itself, on the chunk that is there. With several streams
 * it is the sum of what passed between the marks of each chunk, waiting in the device's queues
 * included.
 */

enum status image_execute(struct instance *in, struct phases *phases, struct failure *f);

#endif
