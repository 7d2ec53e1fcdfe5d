/* Peers are modules beside the programs, loaded when one is asked for: a program that runs a method
 * of ours neither waits for another library nor holds its memory, and starts where the library is
 * missing. */
#include "peers/peers.h"

#include "peers/methods.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where the struct peer of each row lies. */
static const struct {
    enum operator_kind kind;
    const char *name, *module, *symbol;
} table[] = {
    {OPERATOR_MAXPOOL, "onednn", "peer_onednn.so", "peer_onednn"},
    {OPERATOR_MAXPOOL, "onednn-nhwc", "peer_onednn.so", "peer_onednn_nhwc"},
    {OPERATOR_MAXPOOL, "onednn-blocked", "peer_onednn.so", "peer_onednn_blocked"},
    {OPERATOR_MAXPOOL, "onednn-reordered", "peer_onednn.so", "peer_onednn_reordered"},
    {OPERATOR_MAXPOOL, "libxsmm", "peer_libxsmm.so", "peer_libxsmm"},
    {OPERATOR_MATMUL, "openblas", "peer_openblas.so", "peer_openblas"},
    {OPERATOR_MAXPOOL, "cudnn", "peer_cudnn.so", "peer_cudnn"},
    {OPERATOR_MAXPOOL, "cublas", "peer_cublas.so", "peer_cublas_pool"},
    {OPERATOR_MATMUL, "cublas", "peer_cublas.so", "peer_cublas_product"},
};

/* Path of a module: the folder of the running program and the file's name. */
static bool module_path(const char *module, char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0)
        return false;
    path[length] = '\0';
    char *file = strrchr(path, '/');
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

static enum status find(enum operator_kind kind, const char *name, const struct peer **out,
                        struct failure *f)
{
    *out = NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].kind == kind && strcmp(table[i].name, name) == 0)
            return load(table[i].module, table[i].symbol, out, f);
    return fail(f, STATUS_UNAVAILABLE, "no module has it");
}

const struct peers device_peers = {
    .maxpool = device_peer_maxpool_methods, .matmul = device_peer_matmul_methods, .find = find};
const struct peers host_peers = {
    .maxpool = peer_maxpool_methods, .matmul = peer_matmul_methods, .find = find};
