#include "experiments/duet/worker/build.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* ---- loading --------------------------------------------------------------------------------- */

struct symbol {
    const char *name;
    size_t offset; /* offset in struct build */
};

static const struct symbol symbols[] = {
    {"maxpool_version", offsetof(struct build, version)},
    {"maxpool_make_pool", offsetof(struct build, make_pool)},
    {"maxpool_make_multiply", offsetof(struct build, make_multiply)},
    {"maxpool_make_convolve", offsetof(struct build, make_convolve)},
    {"maxpool_make_distances", offsetof(struct build, make_distances)},
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
            return fail(f, STATUS_USAGE, "%s has no function %s: it is no libmaxpool", path,
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

/* ---- operations ------------------------------------------------------------------------------ */

static struct maxpool_operation *make_pool(const struct build *b, const struct description *d,
                                           const struct description_operands *operands,
                                           struct maxpool_failure *why)
{
    struct maxpool_operation *op = NULL;
    const struct maxpool_pool what = {.image = {d->planes, d->rows, d->cols},
                                      .kernel = d->kernel,
                                      .stride = d->stride,
                                      .padding = d->padding,
                                      .pad_mode = d->ignores_padding ? MAXPOOL_PAD_IGNORE
                                                                     : MAXPOOL_PAD_ZERO,
                                      .filter = operands->first,
                                      .method = d->method};
    b->make_pool(&op, &what, why);
    return op;
}

static struct maxpool_operation *make_multiply(const struct build *b, const struct description *d,
                                               const struct description_operands *operands,
                                               struct maxpool_failure *why)
{
    struct maxpool_operation *op = NULL;
    const struct maxpool_multiply what = {.rows = d->rows,
                                          .inner = d->cols,
                                          .cols = d->cols,
                                          .b = operands->first,
                                          .method = d->method};
    b->make_multiply(&op, &what, why);
    return op;
}

static struct maxpool_operation *make_convolve(const struct build *b, const struct description *d,
                                               const struct description_operands *operands,
                                               struct maxpool_failure *why)
{
    struct maxpool_operation *op = NULL;
    const struct maxpool_convolve what = {.batch = d->batch,
                                          .channels = d->channels,
                                          .rows = d->rows,
                                          .cols = d->cols,
                                          .filters = d->filters,
                                          .groups = d->groups,
                                          .kernel = d->kernel,
                                          .stride = d->stride,
                                          .padding = d->padding,
                                          .weights = operands->first,
                                          .bias = operands->bias,
                                          .method = d->method};
    b->make_convolve(&op, &what, why);
    return op;
}

static struct maxpool_operation *make_distances(const struct build *b, const struct description *d,
                                                const struct description_operands *operands,
                                                struct maxpool_failure *why)
{
    struct maxpool_operation *op = NULL;
    const struct maxpool_distances what = {.rows = d->rows,
                                           .cols = d->rows,
                                           .dimensions = d->cols,
                                           .against = operands->first,
                                           .itself = d->itself,
                                           .method = d->method};
    b->make_distances(&op, &what, why);
    return op;
}

struct maxpool_operation *build_make(const struct build *b, const struct description *d,
                                     const struct description_operands *operands,
                                     struct maxpool_failure *why)
{
    switch (d->of) {
    case MAXPOOL_POOL:
        return make_pool(b, d, operands, why);
    case MAXPOOL_MULTIPLY:
        return make_multiply(b, d, operands, why);
    case MAXPOOL_CONVOLVE:
        return make_convolve(b, d, operands, why);
    case MAXPOOL_DISTANCES:
        return make_distances(b, d, operands, why);
    default:
        return NULL;
    }
}
