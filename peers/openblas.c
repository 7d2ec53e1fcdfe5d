/* The matrix product by OpenBLAS's sgemm, which threads by itself. Where OpenBLAS is built with
 * OpenMP (Debian: libopenblas-openmp-dev) its threads are those that touched image and map. */
#include "peers/openblas.h"
#include "peers/peers.h"

#include <cblas.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct peer_state {
    const float *a, *b;
    float *c;
    blasint rows, cols;
    char name[96]; /* "OpenBLAS 0.3.21 Cooperlake": the processor it chose its code for */
};

static const char *refuses(const struct operation *op)
{
    if (op->image.rows > INT_MAX || op->image.cols > INT_MAX)
        return "OpenBLAS counts in 32 bits here";
    return NULL;
}

void openblas_ready(int64_t threads, char *name, size_t size)
{
    openblas_set_num_threads((int)threads);
    const char *config = openblas_get_config(); /* name and version come first in it */
    const size_t title = strcspn(config, " "), version = strcspn(config + title + 1, " ");
    snprintf(name, size, "%.*s %s", (int)(title + 1 + version), config, openblas_get_corename());
}

static enum status prepare(const struct peer_job *job, struct peer_state **out, const char **isa,
                           struct failure *f)
{
    const struct operation *op = job->operation;
    struct peer_state *s = malloc(sizeof *s);
    *out = s;
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for OpenBLAS");
    *s = (struct peer_state){.a = job->image,
                             .b = op->second.values,
                             .c = job->map,
                             .rows = (blasint)op->image.rows,
                             .cols = (blasint)op->image.cols};
    openblas_ready(job->threads, s->name, sizeof s->name);
    *isa = s->name;
    return STATUS_OK;
}

static enum status execute(struct peer_state *s, struct failure *f)
{
    (void)f;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s->rows, s->cols, s->cols, 1.0f, s->a,
                s->cols, s->b, s->cols, 0.0f, s->c, s->cols);
    return STATUS_OK;
}

static void release(struct peer_state *s)
{
    free(s);
}

const struct peer peer_openblas = {
    .refuses = refuses, .prepare = prepare, .execute = execute, .release = release};
