/* The matrix product by the code that LIBXSMM (1.17) generates for one size. Its matrices are
 * column-major, and a row-major matrix read so is its transpose: C' = B' A', so B is the left
 * operand and A the right one. The code uses one thread; our team deals the blocks, whole planes
 * where it can, and rows of one where a share begins or ends within it. */
#include "kernels/matmul/matmul.h"
#include "peers/peers.h"

#include <libxsmm.h>
#include <stdio.h>
#include <stdlib.h>

/* LIBXSMM is for products whose operands lie in near caches: its code does not cut larger ones. */
enum { MOST_COLS = 128 };

struct peer_state {
    libxsmm_smmfunction whole; /* all rows of a plane */
    int64_t rows;
    char name[64]; /* "LIBXSMM 1.17 cpx": the target of its code */
};

static const char *refuses(const struct operation *op)
{
    return op->image.cols > MOST_COLS || op->image.rows > INT_MAX
               ? "LIBXSMM's code is for small matrices, here of up to 128 columns"
               : NULL;
}

static libxsmm_smmfunction generate(int64_t rows, int64_t cols)
{
    const libxsmm_blasint m = (libxsmm_blasint)cols, n = (libxsmm_blasint)rows;
    const float alpha = 1.0f, beta = 0.0f;
    const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    return libxsmm_smmdispatch(m, n, m, &m, &m, &m, &alpha, &beta, NULL, &prefetch);
}

static enum status prepare(const struct peer_job *job, struct peer_state **out, const char **isa,
                           struct failure *f)
{
    const struct image_shape image = job->operation->image;
    struct peer_state *s = malloc(sizeof *s);
    *out = NULL;
    if (!s)
        return fail(f, STATUS_RESOURCE, "no memory for LIBXSMM");
    *s = (struct peer_state){.whole = generate(image.rows, image.cols), .rows = image.rows};
    if (!s->whole) {
        free(s);
        return fail(f, STATUS_UNAVAILABLE,
                    "LIBXSMM generates no code for %lld x %lld by %lld x %lld here",
                    (long long)image.rows, (long long)image.cols, (long long)image.cols,
                    (long long)image.cols);
    }
    snprintf(s->name, sizeof s->name, "LIBXSMM %s %s", LIBXSMM_VERSION, libxsmm_get_target_arch());
    *isa = s->name;
    *out = s;
    return STATUS_OK;
}

static void block(const struct peer_state *s, const struct operation *op,
                  const struct portion *portion)
{
    const struct matmul_call call = matmul_call_of(op, portion);
    const struct block *o = &call.block;
    const libxsmm_smmfunction multiply =
        o->rows == s->rows ? s->whole : generate(o->rows, op->image.cols);
    for (int64_t plane = 0; plane < o->planes; plane++)
        multiply(call.b.data + plane * call.b.plane_stride,
                 view_row(&call.a, o->row) + plane * call.a.plane_stride,
                 map_row(&call.c, o->row) + plane * call.c.plane_stride);
}

static void release(struct peer_state *s)
{
    free(s);
}

const struct peer peer_libxsmm_matmul = {
    .refuses = refuses, .prepare = prepare, .block = block, .release = release};
