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

static void multiply(const float *a, const float *b, float *c, int rows, int cols, int terms,
                     bool add)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, cols, terms, 1.0f, a, terms, b,
                cols, add ? 1.0f : 0.0f, c, cols);
}

static const struct im2col_library library = {.open = openblas_ready, .multiply = multiply};

const struct peer peer_openblas_conv = {.refuses = refuses, IM2COL_PEER(&library)};
