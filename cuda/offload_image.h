/* The offload of the whole image, in three files: its arrays (offload_image.c), the steps of a
 * chunk (image_steps.c), and their order and times (image_times.c). */
#ifndef MAXPOOL_CUDA_OFFLOAD_IMAGE_H
#define MAXPOOL_CUDA_OFFLOAD_IMAGE_H

#include "cuda/chunks.h"
#include "cuda/instance.h"

struct lane {
    cudaStream_t stream;
    float *image, *map; /* of one chunk, on the device */
};

/* Points at which the device records an event for one chunk: the begin and end of each step, so
 * that the host's work between two steps belongs to neither. */
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

/* Waits until everything queued in the lane is done. */
enum status lane_wait(const struct lane *lane, struct failure *f);

/* Sends the operands and waits, unless the filter is in constant memory. */
enum status image_send_filter(const struct instance *in, const struct image_state *s,
                              struct failure *f);

enum status image_send(const struct instance *in, const struct image_state *s, int64_t i,
                       struct failure *f);
enum status image_compute(const struct instance *in, const struct image_state *s, int64_t i,
                          struct failure *f);
/* Convert from the lane's arrays to the peer's layout, and back, if the peer has its own layout. */
enum status image_convert_in(const struct instance *in, const struct chunk *c,
                             const struct lane *lane, struct failure *f);
enum status image_convert_out(const struct instance *in, const struct chunk *c,
                              const struct lane *lane, struct failure *f);

/* Computes the chunk `launches` times in a row, between one pair of marks. */
enum status image_compute_in_a_row(const struct instance *in, const struct image_state *s,
                                   int64_t i, int64_t launches, struct failure *f);
enum status image_collect(const struct instance *in, const struct image_state *s, int64_t i,
                          struct failure *f);

/* Allocates the sums of the pieces of this method's terms, for each lane. */
enum status image_open_parts(struct instance *in, struct failure *f);

/* True if the peer can compute the chunk in one call, with its bias. */
bool image_fuses(const struct instance *in, const struct chunk *c, const struct lane *lane);

/* Launches the kernel, or calls the peer, for a chunk; without work if its rows are 0. */
enum status image_launch(const struct instance *in, const struct chunk *c, const struct lane *lane,
                         struct thread_place *places, struct failure *f);

/* ---- an execution -----------------------------------------------------------------------------
 */

/* Runs all chunks once. With one stream the L2 cache is emptied between sending and computing,
 * because sending fills it, and device_compute_s is the time of the kernel by itself, on the chunk
 * that is already on the device. With several streams device_compute_s is the sum of the times
 * between the marks of each chunk, including waits in the device's queues. */

/* Computes those lines of the map that the caller holds, either its interior or the rest or both:
 * sends what their windows read, computes, and collects them; they have arrived on return. Adds the
 * device's seconds of the kernels to *seconds. Send the operands before. */
enum status image_compute_lines(const struct instance *in, int64_t first, int64_t count,
                                double *seconds, struct failure *f);

/* Reads the device's clock and power while it computes the first of these lines again, after an
 * execution and outside of its times; their map stays on the device. */
enum status image_read_device(const struct instance *in, struct phases *phases, struct failure *f);

enum status image_execute(struct instance *in, struct phases *phases, struct failure *f);

#endif
