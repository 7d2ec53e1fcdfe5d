/* The product of a few windows with the filter, whose columns fill the lanes, for one vector width.
 *
 * Included once per width, with COLUMN_VECTOR defined as the type's name (vec, vec8) and
 * COLUMN_LANES as its number of lanes; every name defined here ends in the type's name. A template,
 * because both widths are needed: with 16 lanes alone, windows of 7 and 8 pixels (s = k) took 11
 * and 35 % longer with AVX-512 (n = 512, an EPYC 9004). */
#define COLUMN_PASTE(a, b)          a##_##b
#define COLUMN_PASTE_EXPANDED(a, b) COLUMN_PASTE(a, b)
#define COLUMN(name)                COLUMN_PASTE_EXPANDED(name, COLUMN_VECTOR)
#define COLUMN_OF(operation)        COLUMN_PASTE_EXPANDED(COLUMN_VECTOR, operation)

/* Multiplies one row of each window by `groups` groups of filter columns, from group `group` on,
 * and folds the sums into best, one vector per window. The row of window w begins at x + w *
 * stride. */
VECTOR_TEMPLATE void COLUMN(fold)(COLUMN_VECTOR *best, const float *x, int64_t stride,
                                  const struct columns *c, int64_t k, int64_t group, int groups)
{
    COLUMN_VECTOR sum[COLUMN_WINDOWS][2];
    VECTOR_UNROLLED
    for (int w = 0; w < COLUMN_WINDOWS; w++)
        VECTOR_UNROLLED
    for (int g = 0; g < groups; g++)
        sum[w][g] = COLUMN_OF(zero)();
    const float *b = c->filter + group * COLUMN_LANES, *window[COLUMN_WINDOWS];
    VECTOR_UNROLLED
    for (int w = 0; w < COLUMN_WINDOWS; w++)
        window[w] = stride == k ? x + w * stride : vec_hide_pointer(x + w * stride);
    COLUMN_UNROLLED
    for (int64_t q = 0; q < k; q++, b += c->pitch) {
        COLUMN_VECTOR element[2];
        VECTOR_UNROLLED
        for (int g = 0; g < groups; g++)
            element[g] = COLUMN_OF(load)(b + g * COLUMN_LANES);
        VECTOR_UNROLLED
        for (int w = 0; w < COLUMN_WINDOWS; w++) {
            const COLUMN_VECTOR pixel = COLUMN_OF(all)(window[w][q]);
            VECTOR_UNROLLED
            for (int g = 0; g < groups; g++)
                sum[w][g] = COLUMN_OF(multiply_add)(pixel, element[g], sum[w][g]);
        }
    }
    VECTOR_UNROLLED
    for (int w = 0; w < COLUMN_WINDOWS; w++)
        VECTOR_UNROLLED
    for (int g = 0; g < groups; g++)
        best[w] = COLUMN_OF(max)(best[w], sum[w][g]);
}

/* Computes the maxima of COLUMN_WINDOWS windows over `rows` of their rows, COLUMN_LANES values per
 * window. They start from `least` if `fresh`, otherwise from the values in `best`. */
VECTOR_TEMPLATE void COLUMN(tile)(float *best, const float *x, int64_t row_stride, int64_t rows,
                                  int64_t stride, const struct columns *c, int64_t k, float least,
                                  bool fresh)
{
    COLUMN_VECTOR maxima[COLUMN_WINDOWS];
    VECTOR_UNROLLED
    for (int w = 0; w < COLUMN_WINDOWS; w++)
        maxima[w] = fresh ? COLUMN_OF(all)(least) : COLUMN_OF(load)(best + w * COLUMN_LANES);
    for (int64_t r = 0; r < rows; r++, x += row_stride) {
        int64_t g = 0;
        if (r >= c->prefetch_from_row)
            row_product_prefetch(x + c->ahead, COLUMN_WINDOWS * stride);
        if (k > COLUMN_LANES)
            for (; g + 2 <= c->groups; g += 2)
                COLUMN(fold)(maxima, x, stride, c, k, g, 2);
        if (k <= COLUMN_LANES || g < c->groups)
            COLUMN(fold)(maxima, x, stride, c, k, g, 1);
    }
    VECTOR_UNROLLED
    for (int w = 0; w < COLUMN_WINDOWS; w++)
        COLUMN_OF(store)(best + w * COLUMN_LANES, maxima[w]);
}

/* The first function computes LANES windows in tiles. The second returns in lane w the maximum over
 * the lanes of window w. */
VECTOR_TEMPLATE void COLUMN(windows)(float *best, const float *x, int64_t row_stride, int64_t rows,
                                     int64_t stride, const struct columns *c, int64_t k,
                                     float least, bool fresh)
{
    for (int64_t w = 0; w < LANES; w += COLUMN_WINDOWS)
        COLUMN(tile)
    (best + w * COLUMN_LANES, x + w * stride, row_stride, rows, stride, c, k, least, fresh);
}

VECTOR_TEMPLATE vec COLUMN(reduce)(const float *best)
{
    vec column[4], most = vec_load(best);
    for (int64_t j = 0; j < COLUMN_LANES; j += 4) {
        vec_columns4(best + j, COLUMN_LANES, column);
        const vec pairs = vec_max(vec_max(column[0], column[1]), vec_max(column[2], column[3]));
        most = j == 0 ? pairs : vec_max(most, pairs);
    }
    return most;
}

#undef COLUMN_PASTE
#undef COLUMN_PASTE_EXPANDED
#undef COLUMN
#undef COLUMN_OF
#undef COLUMN_VECTOR
#undef COLUMN_LANES
