/* A network on a device. Parameters are sent once, and the outputs of layers stay on the device.
 * For each batch only the images are sent and the last outputs are copied back. */
#ifndef MAXPOOL_CUDA_NETWORK_RUN_H
#define MAXPOOL_CUDA_NETWORK_RUN_H

#include "cuda/flush.h"
#include "cuda/network/graph.h"
#include "cuda/network/layers.h"
#include "harness/space/space.h"
#include "networks/forward.h"

/* Points of a batch at which the device records an event. */
enum batch_mark { BATCH_SENDING, BATCH_SENT, BATCH_COLLECTING, BATCH_COLLECTED, BATCH_MARKS };

/* Times on the host's clock. Emptying the cache, between sending and computing, is left out. */
struct batch_times {
    double began, sent, computed, collected;
};

struct nvml;

struct device_run {
    struct layer_engine engine;
    struct device_layer *layers; /* of each step */
    int count;
    float *input, *arena, *output; /* on the device, laid out as on the host */
    float *parts;                  /* for layers: struct layer_arrays */
    size_t input_bytes, arena_bytes, output_bytes;
    cudaStream_t stream;
    cudaEvent_t marks[BATCH_MARKS];
    cudaEvent_t *ends; /* of each step, after the begin of the first: count + 1 */
    struct flush flush;
    bool captures;        /* set by the caller: the launches of a batch become a graph, */
    bool compares;        /* which is compared with single launches */
    struct graph graph;   /* of the whole network */
    double between_share; /* of the time of single launches: between kernels at least */
    double first_launch_s;
    struct batch_times times; /* of the last batch */
    const struct nvml *nvml;  /* read while the device computes; NULL: not found */
    bool computes_long;       /* the last batch took longer than a reading of NVML */
};

/* Opens the network of an opened forward run on the device and runs it once, because the first run
 * loads the kernels; then captures its launches, if it does. Such a run is neither clocked nor
 * traced. Does not change the engine, which the caller sets. Closed by device_run_close,
 * also after a failure. */
enum status device_run_open(struct device_run *r, struct forward *w, bool warm_cache,
                            struct failure *f);
void device_run_close(struct device_run *r);

/* Writes the library's name and what it chose: each different choice of a layer once. "own" without
 * a library. */
void device_run_name(const struct device_run *r, char *text, size_t size);

/* Overwrites with NaN the images and all outputs on the device, and the outputs on the host. */
enum status device_run_poison(const struct device_run *r, struct forward *w, struct failure *f);

/* Reads clock and power while the same outputs are computed once more, unless they were read while
 * the last batch was computed: after a batch, outside of its times. */
enum status device_run_read(struct device_run *r, const struct forward *w, struct phases *phases,
                            struct failure *f);

/* Runs one batch. If the forward run is clocked or traced, events on the device time each layer. */
enum status device_run_batch(struct device_run *r, struct forward *w, struct phases *phases,
                             struct failure *f);

/* Runs one step and copies its outputs to the host. This is forward.device_step, with the device
 * run as forward.device_context. */
device_step device_run_step;

#endif
