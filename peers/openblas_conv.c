/* Convolution by OpenBLAS's sgemm on stored windows (im2col). */
#include "kernels/conv/methods.h"
#include "peers/im2col.h"
#include "peers/openblas.h"
#include "peers/peers.h"

#include <cblas.h>

static const char *refuses(const struct operation *op)
{
    return im2col_fits(op) ? conv_refuses_epilogue(op) : "OpenBLAS counts in 32 bits here";
}

static enum status open_library(int64_t threads, char *name, size_t size, struct failure *f)
{
    return openblas_ready(threads, name, size, f);
}

static void multiply(const float *a, const float *b, float *c, int rows, int cols, int terms,
                     bool add)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, cols, terms, 1.0f, a, terms, b,
                cols, add ? 1.0f : 0.0f, c, cols);
}

static const struct im2col_library library = {.open = open_library, .multiply = multiply};

static enum status prepare(const struct peer_job *job, struct peer_state **out, const char **isa,
                           struct failure *f)
{
    return im2col_prepare(job, &library, out, isa, f);
}

const struct peer peer_openblas_conv = {.refuses = refuses,
                                        .prepare = prepare,
                                        .execute = im2col_execute,
                                        .deliver = im2col_deliver,
                                        .release = im2col_release};
