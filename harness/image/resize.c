#include "harness/image/resize.h"

#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>

static double reach_of(const struct resize_axis *a)
{
    return fmax((double)a->in / (double)a->out, 1.0);
}

static int64_t limit(double element, int64_t least, int64_t most)
{
    const double whole = floor(element);
    return whole < (double)least ? least : whole > (double)most ? most : (int64_t)whole;
}

/* Returns the taps of output i, and writes its weights to `weights`. */
static struct resize_taps make_taps(const struct resize_axis *a, int64_t i, double *weights)
{
    const double reach = reach_of(a);
    const double centre = ((double)i + 0.5) * ((double)a->in / (double)a->out);
    const int64_t first = limit(centre - reach + 0.5, 0, a->in - 1);
    const int64_t end = limit(centre + reach + 0.5, first + 1, a->in);
    double sum = 0.0;
    for (int64_t j = first; j < end; j++) {
        weights[j - first] = fmax(0.0, 1.0 - fabs((double)j - centre + 0.5) * (1.0 / reach));
        sum += weights[j - first];
    }
    for (int64_t j = 0; j < end - first; j++)
        weights[j] /= sum;
    return (struct resize_taps){first, end - first, weights};
}

enum status resize_axis_make(struct resize_axis *a, int64_t in, int64_t out, struct failure *f)
{
    *a = (struct resize_axis){.in = in, .out = out};
    const size_t most = 2 * (size_t)ceil(reach_of(a)) + 1; /* most elements of one output */
    const size_t weights = memory_multiply(memory_multiply(most, (size_t)out), sizeof *a->weights);
    enum status status = memory_allocate((void **)&a->weights, weights, "resizing", f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&a->taps, memory_multiply((size_t)out, sizeof *a->taps),
                                 "resizing", f);
    for (int64_t i = 0; status == STATUS_OK && i < out; i++)
        a->taps[i] = make_taps(a, i, a->weights + (size_t)i * most);
    return status;
}

void resize_axis_release(struct resize_axis *a)
{
    free(a->weights);
    free(a->taps);
    *a = (struct resize_axis){0};
}

void resize_row(const struct resize_axis *cols, const float *from, float *to)
{
    for (int64_t i = 0; i < cols->out; i++) {
        const struct resize_taps *taps = &cols->taps[i];
        double sum = 0.0;
        for (int64_t j = 0; j < taps->count; j++)
            sum += taps->weights[j] * (double)from[taps->first + j];
        to[i] = (float)sum;
    }
}

void resize_add_row(const struct resize_axis *rows, int64_t row, const float *resized, int64_t cols,
                    double *sums)
{
    for (int64_t i = 0; i < rows->out; i++) {
        const struct resize_taps *taps = &rows->taps[i];
        if (row < taps->first || row >= taps->first + taps->count)
            continue;
        for (int64_t c = 0; c < cols; c++)
            sums[i * cols + c] += taps->weights[row - taps->first] * (double)resized[c];
    }
}
