/* A network on a device. Parameters are sent once, and the outputs of layers stay on the device.
 * For each batch only the images are sent and the last outputs are copied back. */
#ifndef MAXPOOL_CUDA_NETWORK_RUN_H
#define MAXPOOL_CUDA_NETWORK_RUN_H

#include "cuda/flush.h"
#include "cuda/network/layers.h"
#include "harness/space/space.h"
#include "networks/forward.h"

/* When the device came to these points of a batch. */
enum batch_mark { BATCH_SENDING, BATCH_SENT, BATCH_COLLECTING, BATCH_COLLECTED, BATCH_MARKS };

/* By the host's clock; emptying the cache, between sending and computing, is left out. */
struct batch_times {
    double began, sent, computed, collected;
};

struct nvml;

struct device_run {
    struct layer_engine engine;
    struct device_layer *layers; /* of each step */
    int count;
    float *input, *arena, *output; /* on the device, laid out as the host's of the forward run */
    float *parts;                  /* of layers: struct layer_arrays */
    size_t input_bytes, arena_bytes, output_bytes;
    cudaStream_t stream;
    cudaEvent_t marks[BATCH_MARKS];
    cudaEvent_t *ends; /* of each step, the begin of the first before them: count + 1 */
    struct flush flush;
    double first_launch_s;
    struct batch_times times; /* of the last batch */
    const struct nvml *nvml;  /* that is asked while it computes; NULL: nobody */
    bool computes_long;       /* the last batch did */
};

/* Puts the network of an opened forward run on the device, and runs it once, since what runs first
 * is loaded first. What is set of the engine stays. Closed by device_run_close, also after a
 * failure. */
enum status device_run_open(struct device_run *r, struct forward *w, bool warm_cache,
                            struct failure *f);
void device_run_close(struct device_run *r);

/* What the library calls itself and what it chose: of all layers, each choice once. "own" without
 * one. */
void device_run_name(const struct device_run *r, char *text, size_t size);

/* Overwrites all outputs and the images there, and the outputs here, with NaN. */
enum status device_run_poison(const struct device_run *r, struct forward *w, struct failure *f);

/* One batch; where the forward run is clocked or traced, each layer by the device's own events. */
enum status device_run_batch(struct device_run *r, struct forward *w, struct phases *phases,
                             struct failure *f);

/* One step; its outputs are copied to the host: forward.device_step, with the device run as
 * forward.place. */
device_step device_run_step;

#endif
