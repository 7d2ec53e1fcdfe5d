/* The matrix product by OpenBLAS's sgemm, which uses threads itself. If OpenBLAS is built with
 * OpenMP (Debian: libopenblas-openmp-dev), these are the threads that touched image and map. It has
 * no call for batches: if there are enough products, they are distributed over the threads, and
 * each thread makes its own calls. */
#include "peers/openblas.h"
#include "kernels/matmul/matmul.h"
#include "peers/peers.h"

#include <cblas.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct peer_state {
    const float *a, *b;
    float *c;
    struct matmul_batch batch;
    int64_t threads; /* over which products are distributed; 1: OpenBLAS has the threads */
    char name[96];   /* "OpenBLAS 0.3.21 Cooperlake": the processor it chose its code for */
};

static const char *refuses(const struct operation *op)
{
    const struct matmul_batch batch = matmul_batch_of(op);
    if (batch.rows > INT_MAX || batch.inner > INT_MAX || batch.cols > INT_MAX)
        return "OpenBLAS counts in 32 bits here";
    return NULL;
}

enum status openblas_ready(int64_t threads, char *name, size_t size, struct failure *f)
{
    if (threads > 1 && openblas_get_parallel() != OPENBLAS_OPENMP)
        return fail(
            f, STATUS_UNAVAILABLE,
            "OpenBLAS is built without OpenMP here: its threads and the team's would wait for "
            "each other's cores (Debian: libopenblas0-openmp; one thread works)");
    openblas_set_num_threads((int)threads);
    const char *config = openblas_get_config(); /* it begins with name and version */
    const size_t title = strcspn(config, " "), version = strcspn(config + title + 1, " ");
    snprintf(name, size, "%.*s %s", (int)(title + 1 + version), config, openblas_get_corename());
    return STATUS_OK;
}

/* The processors whose code it may have chosen. */
bool peer_limit_isa(enum isa widest)
{
    static const char *const processors[ISA_COUNT][3] = {
        [ISA_AVX2] = {"Haswell", "Zen"},
        [ISA_AVX512] = {"SkylakeX", "Cooperlake", "SapphireRapids"}};
    bool holds = false;
    for (int i = 0; i < 3; i++)
        holds = holds || (processors[widest][i] &&
                          strcmp(processors[widest][i], openblas_get_corename()) == 0);
    return holds;
}

static enum status prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    const struct operation *op = job->operation;
    *s = (struct peer_state){.a = job->image,
                             .b = op->operands[OPERAND_FILTER].values,
                             .c = job->map,
                             .batch = matmul_batch_of(op),
                             .threads = 1};
    if (s->batch.products >= job->threads)
        s->threads = job->threads;
    *isa = s->name;
    return openblas_ready(s->threads > 1 ? 1 : job->threads, s->name, sizeof s->name, f);
}

static void multiply(const struct peer_state *s, int64_t product)
{
    const blasint rows = (blasint)s->batch.rows, inner = (blasint)s->batch.inner,
                  cols = (blasint)s->batch.cols;
    const struct matmul_batch *batch = &s->batch;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, cols, inner, 1.0f,
                s->a + product * batch->rows * batch->inner, inner,
                s->b + product * batch->inner * batch->cols, cols, 0.0f,
                s->c + product * batch->rows * batch->cols, cols);
}

static void multiply_side_by_side(const struct peer_state *s)
{
#pragma omp parallel for num_threads(s->threads)
    for (int64_t product = 0; product < s->batch.products; product++)
        multiply(s, product);
}

/* OpenBLAS uses the team's threads only if it is called outside of any parallel region. Within a
 * region, even of a single thread, GNU's OpenMP starts new threads for every call, while the team's
 * threads spin on the cores that the new ones need. */
static enum status execute(struct peer_state *s, struct failure *f)
{
    (void)f;
    if (s->threads > 1)
        multiply_side_by_side(s);
    else
        for (int64_t product = 0; product < s->batch.products; product++)
            multiply(s, product);
    return STATUS_OK;
}

const struct peer peer_openblas = {.refuses = refuses,
                                   .state_bytes = sizeof(struct peer_state),
                                   .prepare = prepare,
                                   .execute = execute};
