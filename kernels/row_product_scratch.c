#include "kernels/maxpool.h"
#include "kernels/row_product.h"

/* Maps above this many bytes are stored past the caches; no cache that one core fills is larger. */
static const int64_t streamed_map_bytes = INT64_C(16) << 20;

size_t row_product_scratch(const struct geometry *g)
{
    const size_t panel = ROW_MOST_VECTORS * ROW_WIDEST_LANES, line = ROW_WIDEST_LANES;
    const size_t per_cell = panel + line + 1; /* k panel columns, windows at most k apart */
    size_t floats;
    if (__builtin_mul_overflow((size_t)g->kernel + 4, per_cell, &floats) || floats > SIZE_MAX / 16)
        return SIZE_MAX / 16;
    return floats;
}

bool row_product_streams(const struct geometry *g)
{
    const int64_t outputs = geometry_cells(g->planes, g->out_rows, g->out_cols);
    return outputs > streamed_map_bytes / (int64_t)sizeof(float);
}

size_t maxpool_simd_scratch(const struct geometry *g, int64_t cols)
{
    (void)cols;
    return row_product_scratch(g) * sizeof(float);
}

/* A ring of k rows of a strip stays in the second-level cache for every common k. */
enum { STRIP_COLS = 1024 };

int64_t shared_rows_width(int64_t cols)
{
    const int64_t whole = (cols + ROW_WIDEST_LANES - 1) / ROW_WIDEST_LANES * ROW_WIDEST_LANES;
    return whole < STRIP_COLS ? whole : STRIP_COLS;
}

/* The ring has k rows and the running maximum is one more. */
size_t maxpool_shared_rows_scratch(const struct geometry *g, int64_t cols)
{
    size_t floats;
    if (__builtin_mul_overflow((size_t)g->kernel + 1, (size_t)shared_rows_width(cols), &floats) ||
        __builtin_add_overflow(floats, row_product_scratch(g), &floats) ||
        floats > SIZE_MAX / sizeof(float))
        return SIZE_MAX;
    return floats * sizeof(float);
}
