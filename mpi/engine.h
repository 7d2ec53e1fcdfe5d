/* What computes the map lines of a rank in place of the threads of its team: a GPU (cuda/ranks).
 * Its functions are called by a rank for itself, except the collective ones. */
#ifndef MAXPOOL_ENGINE_H
#define MAXPOOL_ENGINE_H

#include "harness/machine/guard.h"
#include "harness/space/space.h"

struct engine {
    const char *space; /* as in records */
    enum space_kind kind;
    /* Collective: takes the device of this rank, before anything is allocated. Every rank then has
     * the common status. */
    enum status (*take)(const struct job *job, struct failure *f);
    /* Memory of the host that messages and the device read and write. */
    enum status (*allocate)(struct guarded *block, size_t bytes, const char *what,
                            struct failure *f);
    void (*release)(struct guarded *block);
    /* Opens a method on the lines job->held, which stay where they are until `close`; `first`: the
     * method whose arrays it shares, or NULL. */
    enum status (*open)(const struct job *job, void *first, void **device,
                        struct resources *resources, struct failure *f);
    /* Collective: adds which device each rank has to the description. */
    void (*describe)(struct resources *resources);
    /* Overwrites what the last execution left on the device. */
    void (*poison)(void *device);
    /* Sends the operands. */
    enum status (*begin)(void *device, struct failure *f);
    /* Computes lines of the map: all that are held, the interior, or the others. They have arrived
     * in the host's memory on return. Adds the device's own seconds of computing to *seconds. */
    enum status (*compute)(void *device, int64_t first, int64_t count, double *seconds,
                           struct failure *f);
    /* Reads clock and power of the device, outside of all times. */
    enum status (*read)(void *device, struct phases *phases, struct failure *f);
    /* Collective: makes of what each rank read what the record has of all of them. */
    void (*merge_readings)(struct phases *phases);
    void (*close)(void *device); /* NULL is fine */
};

/* The MPI space whose ranks compute by this engine; one engine in a process. */
struct space mpi_space_by(const struct engine *engine);

#endif
