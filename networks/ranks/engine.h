/* What runs a rank's part of a batch in place of its team: a GPU (cuda/ranks). Its functions are
 * called by a rank for itself, except the collective ones. */
#ifndef MAXPOOL_NETWORK_ENGINE_H
#define MAXPOOL_NETWORK_ENGINE_H

#include "networks/point/instance.h"

struct network_engine {
    const char *space; /* as in records */
    enum space_kind kind;
    /* Of images, which messages and the device read and write. */
    const struct image_memory *memory;
    /* Collective: takes the device of this rank, before anything is allocated. Every rank then has
     * the common status. */
    enum status (*take)(const struct job *job, struct failure *f);
    /* Opens the network on the device, for the images that the instance has, or for a training. */
    enum status (*open)(struct instance *in, const struct job *job, struct resources *resources,
                        struct failure *f);
    /* Collective: adds which device each rank has to the description. */
    void (*describe)(struct resources *resources);
    /* Overwrites what the last execution left on the device. */
    void (*poison)(struct instance *in);
    /* Runs the images; on return the outputs are in the host's memory. Sets device_compute_s, the
     * device's own seconds of computing: NaN without images. */
    enum status (*execute)(struct instance *in, struct phases *phases, struct failure *f);
    /* Reads clock and power of the device after an execution, outside of its times. */
    enum status (*read)(struct instance *in, struct phases *phases, struct failure *f);
    /* Collective: makes of what each rank read what the record has of all of them. */
    void (*merge_readings)(struct phases *phases);
    void (*close)(struct instance *in); /* also after a failure, before the instance */
};

#endif
