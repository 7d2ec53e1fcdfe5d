#include "peers/im2col.h"

#include "harness/machine/memory.h"
#include "kernels/interleave.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static size_t window_floats(const struct operation *op)
{
    return memory_multiply(
        (size_t)operation_terms(op),
        memory_multiply((size_t)op->geometry.out_rows, (size_t)op->geometry.out_cols));
}

bool im2col_fits(const struct operation *op)
{
    return window_floats(op) <= INT_MAX;
}

/* ---- one group of one image -------------------------------------------------------------------
 */

/* Stores one term of all windows: their element (i, j) in a plane, or 0 outside the image. */
static void store_term(const struct geometry *g, const float *plane, int64_t i, int64_t j,
                       float *to)
{
    for (int64_t y = 0; y < g->out_rows; y++)
        for (int64_t x = 0; x < g->out_cols; x++) {
            const int64_t row = y * g->stride + i - g->padding;
            const int64_t col = x * g->stride + j - g->padding;
            const bool inside = row >= 0 && row < g->rows && col >= 0 && col < g->cols;
            *to++ = inside ? plane[row * g->cols + col] : 0.0f;
        }
}

static void store_windows(const struct operation *op, const float *planes, float *to)
{
    const struct geometry *g = &op->geometry;
    const int64_t k = g->kernel, pixels = g->out_rows * g->out_cols;
    const int64_t terms = operation_terms(op);
#pragma omp parallel for
    for (int64_t term = 0; term < terms; term++)
        store_term(g, planes + term / (k * k) * g->rows * g->cols, term / k % k, term % k,
                   to + term * pixels);
}

static void start_with_bias(const struct operation *op, int64_t first, int64_t filters,
                            int64_t pixels, float *map)
{
    for (int64_t f = 0; f < filters; f++)
        for (int64_t q = 0; q < pixels; q++)
            map[f * pixels + q] = op->operands[OPERAND_BIAS].values[first + f];
}

static void multiply_group(const struct peer_state *s, int64_t image, int64_t group)
{
    const struct operation *op = s->operation;
    const struct parameters *p = &op->parameters;
    const int64_t depth = p->channels / p->groups, filters = p->filters / p->groups;
    const int64_t pixels = op->geometry.out_rows * op->geometry.out_cols;
    const int64_t elements = op->geometry.rows * op->geometry.cols, terms = operation_terms(op);
    float *map = s->map + (image * p->filters + group * filters) * pixels;
    store_windows(op, s->image + (image * p->channels + group * depth) * elements, s->windows);
    if (op->operands[OPERAND_BIAS].values)
        start_with_bias(op, group * filters, filters, pixels, map);
    s->library->multiply(op->operands[OPERAND_WEIGHTS].values + group * filters * terms, s->windows,
                         map, (int)filters, (int)pixels, (int)terms,
                         op->operands[OPERAND_BIAS].values != NULL);
}

enum status im2col_execute(struct peer_state *s, struct failure *f)
{
    const struct parameters *p = &s->operation->parameters;
    (void)f;
    for (int64_t n = 0; n < p->batch; n++)
        for (int64_t g = 0; g < p->groups; g++)
            multiply_group(s, n, g);
    return STATUS_OK;
}

/* ---- before and after -------------------------------------------------------------------------
 */

static size_t bytes_of(struct image_shape s)
{
    return (size_t)shape_elements(s) * sizeof(float);
}

enum status im2col_deliver(struct peer_state *s, struct failure *f)
{
    const struct operation *op = s->operation;
    (void)f;
    interleave(s->map, map_planes(op), op->parameters.filters, s->to);
    memset(s->map, 0xff, bytes_of(op->map));
    return STATUS_OK;
}

void im2col_release(struct peer_state *s)
{
    free(s->image);
    free(s->windows);
    free(s->map);
}

static enum status allocate(struct peer_state *s, struct failure *f)
{
    const struct operation *op = s->operation;
    enum status status =
        memory_allocate((void **)&s->image, bytes_of(op->image), "the image plane by plane", f);
    if (status == STATUS_OK)
        status =
            memory_allocate((void **)&s->windows, memory_multiply(window_floats(op), sizeof(float)),
                            "the windows", f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&s->map, bytes_of(op->map), "the map plane by plane", f);
    return status;
}

enum status im2col_prepare(const struct peer_job *job, struct peer_state *s, const char **isa,
                           struct failure *f)
{
    const struct operation *op = job->operation;
    s->operation = op;
    s->library = job->way;
    s->to = job->map;
    enum status status = s->library->open(job->threads, s->name, sizeof s->name, f);
    if (status == STATUS_OK)
        status = allocate(s, f);
    if (status != STATUS_OK)
        return status;
    deinterleave(job->image, image_planes(op), op->parameters.channels, s->image);
    memset(s->map, 0xff, bytes_of(op->map));
    *isa = s->name;
    return STATUS_OK;
}
