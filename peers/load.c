/* Peers are modules beside the programs, loaded when one is asked for: a program that runs a method
 * of ours neither waits for another library nor holds its memory, and starts where the library is
 * missing. */
#include "peers/peers.h"

#include "harness/base/own_path.h"
#include "peers/methods.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Path of a module: the folder of the running program and the file's name. */
static bool module_path(const char *module, char path[PATH_MAX])
{
    char *file = own_path(path) ? strrchr(path, '/') : NULL;
    const size_t room = file ? (size_t)(path + PATH_MAX - (file + 1)) : 0;
    return file && (size_t)snprintf(file + 1, room, "%s", module) < room;
}

/* A module stays loaded until the process ends. */
static enum status load(const char *module, const char *symbol, const struct peer **out,
                        struct failure *f)
{
    char path[PATH_MAX];
    if (!module_path(module, path))
        return fail(f, STATUS_UNAVAILABLE, "the folder of %s is not known", module);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *out = library ? dlsym(library, symbol) : NULL;
    return *out ? STATUS_OK : fail(f, STATUS_UNAVAILABLE, "%s", dlerror());
}

static enum status load_row(const struct peer_row *row, const struct peer **out, struct failure *f)
{
    *out = row->peer;
    if (row->peer)
        return STATUS_OK;
    return row->module ? load(row->module, row->symbol, out, f)
                       : fail(f, STATUS_UNAVAILABLE, "no module has it");
}

const struct peers device_peers = {
    .rows = device_peer_rows, .count = DEVICE_PEERS, .load = load_row};
const struct peers host_peers = {.rows = peer_rows, .count = PEERS, .load = load_row};
