/* Peers are modules beside the programs or in lib/maxpool, loaded on request. A program that runs
 * one of our methods therefore neither loads another library nor holds its memory, and starts even
 * if the library is missing. */
#include "peers/peers.h"

#include "harness/base/suite_files.h"
#include "peers/methods.h"

#include <dlfcn.h>
#include <limits.h>

/* A module stays loaded until the process ends. */
static enum status load(const char *module, const char *symbol, const struct peer **out,
                        struct failure *f)
{
    char path[PATH_MAX];
    suite_module(path, module); /* the loader reports one that is in neither place */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *out = library ? dlsym(library, symbol) : NULL;
    return *out ? STATUS_OK : fail(f, STATUS_UNAVAILABLE, "%s", dlerror());
}

enum status peer_load(const struct peer_row *row, const struct peer **out, struct failure *f)
{
    *out = row->peer;
    if (row->peer)
        return STATUS_OK;
    return row->module ? load(row->module, row->symbol, out, f)
                       : fail(f, STATUS_UNAVAILABLE, "no module has it");
}
