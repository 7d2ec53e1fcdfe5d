/* The matrix product by the code that LIBXSMM (1.17) generates for one size. The code uses one
 * thread; our team distributes the blocks: whole planes where possible, otherwise rows of the plane
 * within which a worker's share begins or ends. */
#include "kernels/matmul/matmul.h"
#include "peers/libxsmm_code.h"
#include "peers/peers.h"

#include <limits.h>

/* LIBXSMM is for products whose operands fit in near caches: its code does not block larger
 * ones. */
enum { MOST_COLS = 128 };

struct peer_state {
    libxsmm_smmfunction whole; /* code for all rows of a plane */
    int64_t rows;
    char name[64];
};

static const char *refuses(const struct operation *op)
{
    return op->image.cols > MOST_COLS || op->map.cols > MOST_COLS || op->image.rows > INT_MAX
               ? "LIBXSMM's code is for small matrices, here of up to 128 columns"
               : NULL;
}

/* The code for `rows` rows of the product of one plane. */
static libxsmm_smmfunction code(const struct operation *op, int64_t rows)
{
    return libxsmm_code(rows, op->image.cols, op->map.cols, op->image.cols);
}

static enum status prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    const struct operation *op = job->operation;
    const struct image_shape image = op->image;
    *s = (struct peer_state){.whole = code(op, image.rows), .rows = image.rows};
    if (!s->whole)
        return fail(f, STATUS_UNAVAILABLE,
                    "LIBXSMM generates no code for %lld x %lld by %lld x %lld here",
                    (long long)image.rows, (long long)image.cols, (long long)image.cols,
                    (long long)op->map.cols);
    libxsmm_name(s->name, sizeof s->name);
    *isa = s->name;
    return STATUS_OK;
}

static void block(const struct peer_state *s, const struct operation *op,
                  const struct portion *portion)
{
    const struct matmul_call call = matmul_call_of(op, portion);
    const struct block *o = &call.block;
    const libxsmm_smmfunction multiply = o->rows == s->rows ? s->whole : code(op, o->rows);
    for (int64_t plane = 0; plane < o->planes; plane++)
        multiply(call.b.data + plane * call.b.plane_stride,
                 view_row(&call.a, o->row) + plane * call.a.plane_stride,
                 map_row(&call.c, o->row) + plane * call.c.plane_stride);
}

const struct peer peer_libxsmm_matmul = {.refuses = refuses,
                                         .state_bytes = sizeof(struct peer_state),
                                         .prepare = prepare,
                                         .block = block};
