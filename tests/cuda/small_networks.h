/* Networks so small that every kind of layer, and every way in which layers are fused, runs on a
 * emulation in a moment. */
#ifndef MAXPOOL_TEST_SMALL_NETWORKS_H
#define MAXPOOL_TEST_SMALL_NETWORKS_H

#include "cuda/network/run.h"

enum { SMALL_NETWORKS = 7 };

/* A network with seeded parameters and images, on the host and on the device. */
struct small {
    struct network network;
    float *parameters, *images;
    struct forward forward;
    struct device device;
    struct device_run run;
};

/* How to run it. */
struct small_way {
    int64_t batch, block;
    const struct device_peer *peer; /* NULL: our kernels */
    bool warm_cache, clocked;
    bool captures, compares; /* as in struct device_run */
};

const char *small_name(int which);

/* Opens one of them, with its device. It must be closed in any case. */
enum status small_open(struct small *s, int which, const struct small_way *way, struct failure *f);
void small_close(struct small *s);

/* Runs two batches of other images than those that it was opened with. Their outputs must have the
 * same bits; compares every output of every layer with the oracle. Status 1 if something is wrong.
 */
enum status small_check(struct small *s, struct failure *f);

#endif
