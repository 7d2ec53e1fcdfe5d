#include "kernels/maxpool/maxpool.h"
#include "kernels/maxpool/row_product.h"

/* Maps above this many bytes are stored past the caches: no cache that one core can fill is
 * larger. */
static const int64_t streamed_map_bytes = INT64_C(16) << 20;

/* In the line, windows are at most k (or 2) pixels apart, and loads may go up to 4 pixels
 * beyond. */
size_t row_product_line_floats(const struct geometry *g)
{
    size_t floats;
    if (__builtin_mul_overflow((size_t)g->kernel + 4, (size_t)ROW_WIDEST_LANES, &floats) ||
        floats > SIZE_MAX / 16)
        return SIZE_MAX / 16;
    return floats;
}

/* The line, and the filter with its rows in whole vectors; what follows begins on a cache line. */
size_t row_product_scratch(const struct geometry *g)
{
    const size_t line = row_product_line_floats(g), lanes = ROW_WIDEST_LANES;
    const size_t k = (size_t)g->kernel;
    size_t filter;
    if (__builtin_mul_overflow(k, (k / lanes + 1) * lanes, &filter) ||
        filter > SIZE_MAX / 16 - line)
        return SIZE_MAX / 16;
    return line + filter;
}

bool row_product_streams(const struct geometry *g)
{
    const int64_t outputs = geometry_elements(g->planes, g->out_rows, g->out_cols);
    return outputs > streamed_map_bytes / (int64_t)sizeof(float);
}

size_t maxpool_simd_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    (void)cols;
    return row_product_scratch(g) * sizeof(float);
}

/* Floats of a ring: a part of the second-level cache. Strips are as wide as that allows, because
 * the hardware prefetcher loses track at each jump from the end of a strip's row to the next
 * row. */
enum { RING_FLOATS = 65536, NARROWEST_STRIP = 1024 };

int64_t shared_rows_strip(const struct geometry *g, int64_t cols)
{
    const int64_t most =
        g->kernel < RING_FLOATS / NARROWEST_STRIP ? RING_FLOATS / g->kernel : NARROWEST_STRIP;
    const int64_t strips = (cols + most - 1) / most;
    return (cols + strips - 1) / strips;
}

/* An odd number of cache lines, so that the rows of a column do not map to the same cache set. */
int64_t shared_rows_slot(int64_t strip)
{
    const int64_t line = ROW_WIDEST_LANES;
    return ((strip + line - 1) / line | 1) * line;
}

/* The ring has k rows and the running maximum is one more. */
size_t maxpool_shared_rows_scratch(const struct operation *op, int64_t cols)
{
    const struct geometry *g = &op->geometry;
    const int64_t slot = shared_rows_slot(shared_rows_strip(g, cols));
    size_t floats;
    if (__builtin_mul_overflow((size_t)g->kernel + 1, (size_t)slot, &floats) ||
        __builtin_add_overflow(floats, row_product_scratch(g), &floats) ||
        floats > SIZE_MAX / sizeof(float))
        return SIZE_MAX;
    return floats * sizeof(float);
}
