#include "tests/support/right_map.h"

#include "kernels/oracle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The previous call. */
static struct {
    struct geometry g;
    bool any_filter;
    float *image, *filter;
    double *map;
} kept;

static bool same_geometry(const struct geometry *a, const struct geometry *b)
{
    return a->planes == b->planes && a->rows == b->rows && a->cols == b->cols &&
           a->kernel == b->kernel && a->stride == b->stride && a->padding == b->padding &&
           a->pad_mode == b->pad_mode && a->out_rows == b->out_rows && a->out_cols == b->out_cols;
}

static size_t image_bytes(const struct geometry *g)
{
    return (size_t)(g->planes * g->rows * g->cols) * sizeof *kept.image;
}

static size_t filter_bytes(const struct geometry *g)
{
    return (size_t)(g->kernel * g->kernel) * sizeof *kept.filter;
}

/* Bit for bit, so that -0 is not 0. */
static bool is_kept(const struct geometry *g, const float *image, const float *filter)
{
    return kept.map && same_geometry(&kept.g, g) && kept.any_filter == (filter != NULL) &&
           memcmp(kept.image, image, image_bytes(g)) == 0 &&
           (!filter || memcmp(kept.filter, filter, filter_bytes(g)) == 0);
}

static void *copy_of(void *room, const void *values, size_t bytes)
{
    void *copy = realloc(room, bytes);
    if (!copy)
        abort();
    return memcpy(copy, values, bytes);
}

static void keep(const struct geometry *g, const float *image, const float *filter)
{
    const size_t outputs = (size_t)(g->planes * g->out_rows * g->out_cols);
    kept.g = *g;
    kept.any_filter = filter != NULL;
    kept.image = copy_of(kept.image, image, image_bytes(g));
    if (filter)
        kept.filter = copy_of(kept.filter, filter, filter_bytes(g));
    kept.map = realloc(kept.map, outputs * sizeof *kept.map);
    if (!kept.map)
        abort();
}

static double right_output(int64_t plane, int64_t row, int64_t col)
{
    const struct geometry *g = &kept.g;
    const struct oracle_window w = {.geometry = g,
                                    .image = {.data = kept.image + plane * g->rows * g->cols,
                                              .row_stride = g->cols,
                                              .rows = g->rows},
                                    .row = row,
                                    .col = col};
    return kept.any_filter ? oracle_product(&w, kept.filter).value : oracle_maximum(&w).value;
}

const double *right_map(const struct geometry *g, const float *image, const float *filter)
{
    if (is_kept(g, image, filter))
        return kept.map;
    keep(g, image, filter);
    for (int64_t plane = 0, i = 0; plane < g->planes; plane++)
        for (int64_t r = 0; r < g->out_rows; r++)
            for (int64_t c = 0; c < g->out_cols; c++)
                kept.map[i++] = right_output(plane, r, c);
    return kept.map;
}
