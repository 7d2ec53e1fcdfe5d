/* Peers are modules beside the programs or in lib/maxpool, loaded on request. A program that runs
 * one of our methods therefore neither loads another library nor holds its memory, and starts even
 * if the library is missing. */
#include "peers/peers.h"

#include "harness/base/suite_files.h"
#include "peers/methods.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

/* A module stays loaded until the process ends. NULL: dlerror() has the reason. */
static void *open_module(const char *module)
{
    char path[PATH_MAX];
    suite_module(path, module); /* the loader reports one that is in neither place */
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static enum status load(const char *module, const char *symbol, const struct peer **out,
                        struct failure *f)
{
    void *library = open_module(module);
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

/* OpenBLAS chooses its code while it is loaded, by the processor that this names. */
static void name_processor(enum isa widest)
{
    static const char *const processors[ISA_COUNT] = {
        [ISA_AVX2] = "Haswell", [ISA_AVX512] = "SkylakeX"};
    if (processors[widest])
        setenv("OPENBLAS_CORETYPE", processors[widest], 0);
}

enum status peer_limit(const struct peer_row *row, enum isa widest, struct failure *f)
{
    name_processor(widest);
    void *library = row->module ? open_module(row->module) : NULL;
    if (row->module && !library)
        return fail(f, STATUS_UNAVAILABLE, "--method %s: %s", row->method.name, dlerror());
    bool (*limit)(enum isa) = NULL;
    if (library)
        *(void **)&limit = dlsym(library, "peer_limit_isa");
    if (!limit)
        return fail(f, STATUS_USAGE, "--isa: the library of %s chooses its code by itself",
                    row->method.name);
    return limit(widest)
               ? STATUS_OK
               : fail(f, STATUS_UNAVAILABLE, "--isa %s: the library of %s does not keep to it",
                      isa_option(widest), row->method.name);
}
