/* Max pooling by LIBXSMM (1.17): for each window, a product of two k x k matrices by the code that
 * LIBXSMM generates for just that size, then the maximum over the product. A window inside the
 * image is multiplied in place, with the length of the image's rows as leading dimension; only
 * windows that reach into the padding are copied. The generated code uses one thread; our team
 * distributes the blocks. */
#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/window.h"
#include "peers/libxsmm_code.h"
#include "peers/peers.h"

#include <limits.h>

struct peer_state {
    libxsmm_smmfunction in_place, cut_out; /* for windows in the image; for copied ones */
    char name[64];
};

static const char *refuses(const struct operation *op)
{
    if (op->geometry.cols > INT_MAX || op->geometry.kernel > INT_MAX)
        return "LIBXSMM counts in 32 bits";
    return NULL;
}

/* The code for a window whose rows are `step` floats apart. */
static libxsmm_smmfunction code(const struct geometry *g, int64_t step)
{
    return libxsmm_code(g->kernel, g->kernel, g->kernel, step);
}

static enum status prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    const struct geometry *g = &job->operation->geometry;
    *s = (struct peer_state){.cut_out = code(g, g->kernel)};
    s->in_place = g->cols < g->kernel ? s->cut_out : code(g, g->cols);
    if (!s->in_place || !s->cut_out)
        return fail(f, STATUS_UNAVAILABLE,
                    "LIBXSMM generates no code for %lld x %lld products here", (long long)g->kernel,
                    (long long)g->kernel);
    libxsmm_name(s->name, sizeof s->name);
    *isa = s->name;
    return STATUS_OK;
}

enum { LANES = 16 };

/* Sixteen running maxima, so that the comparisons fill vector registers. */
static float maximum(const float *values, int64_t count)
{
    float best[LANES], result = values[0];
    int64_t i = 0;
    for (int j = 0; j < LANES; j++)
        best[j] = result;
    for (; i + LANES <= count; i += LANES)
        for (int j = 0; j < LANES; j++)
            best[j] = values[i + j] > best[j] ? values[i + j] : best[j];
    for (; i < count; i++)
        result = values[i] > result ? values[i] : result;
    for (int j = 0; count >= LANES && j < LANES; j++)
        result = best[j] > result ? best[j] : result;
    return result;
}

static float pool_one(const struct peer_state *s, const struct maxpool_call *call, int64_t row,
                      int64_t col, float *product, float *window)
{
    const struct geometry *g = call->geometry;
    const int64_t k = g->kernel;
    const int64_t top = row * g->stride - g->padding, left = col * g->stride - g->padding;
    if (top >= 0 && left >= 0 && top + k <= g->rows && left + k <= g->cols) {
        s->in_place(call->filter, view_row(&call->image, top) + left, product);
    } else {
        window_cut(call, row, col, k, window);
        s->cut_out(call->filter, window, product);
    }
    return maximum(product, k * k);
}

static void block(const struct peer_state *s, const struct operation *op,
                  const struct portion *portion)
{
    const struct maxpool_call call = maxpool_call_of(op, portion);
    const struct block *b = &call.block;
    const int64_t elements = op->geometry.kernel * op->geometry.kernel;
    float *product = portion->scratch, *window = product + elements;
    for (int64_t row = b->row; row < b->row + b->rows; row++) {
        float *out = map_row(&call.map, row);
        for (int64_t col = b->col; col < b->col + b->cols; col++)
            out[col] = pool_one(s, &call, row, col, product, window);
    }
}

const struct peer peer_libxsmm = {.refuses = refuses,
                                  .state_bytes = sizeof(struct peer_state),
                                  .prepare = prepare,
                                  .block = block};
