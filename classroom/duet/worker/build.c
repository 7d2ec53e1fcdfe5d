#include "classroom/duet/worker/build.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct symbol {
    const char *name;
    size_t offset; /* offset in struct build */
};

static const struct symbol symbols[] = {
    {"maxpool_version", offsetof(struct build, version)},
    {"maxpool_make_described", offsetof(struct build, make)},
    {"maxpool_release", offsetof(struct build, release)},
    {"maxpool_input", offsetof(struct build, input)},
    {"maxpool_output", offsetof(struct build, output)},
    {"maxpool_rows", offsetof(struct build, rows)},
    {"maxpool_scratch", offsetof(struct build, scratch)},
    {"maxpool_compute", offsetof(struct build, compute)},
    {"maxpool_run", offsetof(struct build, run)},
    {"maxpool_verify", offsetof(struct build, verify)},
};

static enum status find_symbols(struct build *b, const char *path, struct failure *f)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *const found = dlsym(b->library, symbols[i].name);
        if (!found)
            return fail(f, STATUS_USAGE,
                        "%s has no function %s: it is no libmaxpool, or an older one", path,
                        symbols[i].name);
        memcpy((char *)b + symbols[i].offset, &found, sizeof found);
    }
    return STATUS_OK;
}

/* Refuses another major or minor version: before version 1.0 a minor version may change the
 * interface. */
static enum status check_version(const struct build *b, const char *path, struct failure *f)
{
    const char *const ours = MAXPOOL_VERSION, *const theirs = b->version();
    const size_t major = strcspn(ours, ".") + 1, minor = major + strcspn(ours + major, ".");
    if (strncmp(ours, theirs, minor) == 0 && (theirs[minor] == '.' || theirs[minor] == '\0'))
        return STATUS_OK;
    return fail(f, STATUS_USAGE, "%s is version %s, and study duet speaks to version %s", path,
                theirs, ours);
}

enum status build_load(struct build *b, const char *path, struct failure *f)
{
    *b = (struct build){.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!b->library)
        return fail(f, STATUS_USAGE, "%s", dlerror());
    if (find_symbols(b, path, f) != STATUS_OK)
        return f->status;
    return check_version(b, path, f);
}
