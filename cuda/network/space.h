/* network_cuda: the layers of a network on a GPU. In a build without CUDA, this space reports that
 * with status 3. */
#ifndef MAXPOOL_CUDA_NETWORK_SPACE_H
#define MAXPOOL_CUDA_NETWORK_SPACE_H

#include "networks/point/instance.h"

extern const struct space network_cuda_space;

/* ---- for a rank of several (cuda/ranks/network_engine.c) --------------------------------------
 */

/* Pinned memory for images. */
extern const struct image_memory network_pinned;

/* Takes the device, and opens the network on it for the images that the instance has: none, or
 * those of this process. Close it before the instance, also after a failure. */
enum status network_device_open(struct instance *in, const struct job *job,
                                struct resources *resources, struct failure *f);
void network_device_close(struct instance *in);

/* From now on clock and power of the opened device are read. `merge` is called, collectively, after
 * each training step, with what this process read; NULL: it is alone. */
void network_device_watch(struct instance *in, void (*merge)(struct phases *phases));

/* Overwrites what the last execution left; the next execution reports a failure. */
void network_device_poison(struct instance *in);
/* Runs the images of this process once. They are sent before, and the outputs have arrived on
 * return. */
enum status network_device_execute(struct instance *in, struct phases *phases, struct failure *f);
/* Reads clock and power after an execution, unless they were read in it. */
enum status network_device_read(struct instance *in, struct phases *phases, struct failure *f);

#endif
