/* F(2 x 2, 3 x 3): four outputs of a 3 x 3 window from 16 products a channel instead of 36.
 *
 *        1  0 -1  0        1   0   0         1  1  1  0
 *   B' = 0  1  1  0    G = .5  .5  .5   A' = 0  1 -1 -1
 *        0 -1  1  0        .5 -.5  .5
 *        0  1  0 -1        0   0   1
 *
 * Multiples of 1/4 stay exact, and so does the result on small integers. Source: Lavin & Gray
 * (2016), "Fast Algorithms for Convolutional Neural Networks", arXiv:1509.09308, section 4.1.
 */
#include "kernels/conv/winograd/winograd_chunks.h"
#include "kernels/conv/winograd/winograd_elements.h"

/* Computes G times three vectors `step` apart. */
WINDOWS_INLINE void evaluate(const vec *g, int64_t step, vec out[4])
{
    const vec half = vec_all(0.5f), g1 = g[step], g2 = g[2 * step];
    out[0] = g[0];
    out[1] = vec_multiply(half, vec_add(vec_add(g[0], g1), g2));
    out[2] = vec_multiply(half, vec_add(vec_subtract(g[0], g1), g2));
    out[3] = g2;
}

static void transform_filters(const float g[WINDOW][LANES], float *u, int64_t place)
{
    vec weights[WINDOW], t[3][4], row[4];
    for (int i = 0; i < WINDOW; i++)
        weights[i] = vec_load(g[i]);
    for (int64_t j = 0; j < 3; j++)
        evaluate(weights + j, 3, t[j]);
    for (int64_t i = 0; i < 4; i++) {
        evaluate(&t[0][i], 4, row);
        for (int64_t j = 0; j < 4; j++)
            vec_store(u + (i * 4 + j) * place, row[j]);
    }
}

WINDOWS_INLINE void transform_lanes(const struct tile_lanes *tiles, enum lanes_are are, float *to,
                                    int64_t place)
{
    vec d[4][4], elements[TILE_ELEMENTS];
    for (int i = 0; i < 4; i++)
        load_four(tiles, are, i, d[i]);
    transform_elements((const vec(*)[4])d, elements);
    for (int64_t i = 0; i < TILE_ELEMENTS; i++)
        store_place(tiles, are, to + i * place, elements[i]);
}

TRANSFORM_ELEMENTS(transform_tiles, transform_lanes)

static void transform_products(const float *from, int64_t place, vec bias, float *to)
{
    vec s[2][4];
    for (int64_t j = 0; j < 4; j++) {
        vec m[4];
        for (int64_t r = 0; r < 4; r++)
            m[r] = vec_load(from + (r * 4 + j) * place);
        s[0][j] = vec_add(vec_add(m[0], m[1]), m[2]);
        s[1][j] = vec_subtract(vec_subtract(m[1], m[2]), m[3]);
    }
    for (int r = 0; r < 2; r++, to += RUN_PIXELS * RUN_COLS) {
        const vec left = vec_add(vec_add(s[r][0], s[r][1]), s[r][2]);
        const vec right = vec_subtract(vec_subtract(s[r][1], s[r][2]), s[r][3]);
        vec_store(to, vec_add(left, bias));
        vec_store(to + RUN_COLS, vec_add(right, bias));
    }
}

static const struct transforms by_tiles_of_two = {.form = &winograd_form,
                                                  .filters = transform_filters,
                                                  .elements = transform_tiles,
                                                  .products = transform_products};

/* ---- stride 2 -------------------------------------------------------------------------------
 *
 * Two adjacent outputs of three weights g at stride 2 use the elements d0 .. d4. Five products in
 * three sums compute them, instead of six:
 *
 *   s0 = (d0 - d2) g0 + d1 g1    s1 = d2 (g0 + g2)    s2 = (d4 - d2) g2 + d3 g1
 *
 * The outputs are s0 + s1 and s1 + s2: even elements are F(2, 2), odd ones a product each. In both
 * directions that is 25 products per channel instead of 36, in 9 sums of 4, 2 or 1 of them, and
 * integers stay integers. */

enum { AXIS_TERMS = 5, AXIS_SUMS = 3 };
static const int64_t first_term[AXIS_SUMS + 1] = {0, 2, 3, 5}; /* of each sum along an axis */

/* The factors of the elements along an axis, from three weights `step` apart. */
WINDOWS_INLINE void axis_weights(const vec *g, int64_t step, vec out[AXIS_TERMS])
{
    out[0] = g[0];
    out[1] = out[4] = g[step];
    out[2] = vec_add(g[0], g[2 * step]);
    out[3] = g[2 * step];
}

static void transform_strided_filters(const float g[WINDOW][LANES], float *u, int64_t place)
{
    vec weights[WINDOW], t[3][AXIS_TERMS], both[AXIS_TERMS][AXIS_TERMS];
    for (int i = 0; i < WINDOW; i++)
        weights[i] = vec_load(g[i]);
    for (int64_t j = 0; j < 3; j++)
        axis_weights(weights + j, 3, t[j]);
    for (int64_t i = 0; i < AXIS_TERMS; i++)
        axis_weights(&t[0][i], AXIS_TERMS, both[i]);
    for (int sum = 0; sum < AXIS_SUMS * AXIS_SUMS; sum++)
        for (int64_t i = first_term[sum / 3]; i < first_term[sum / 3 + 1]; i++)
            for (int64_t j = first_term[sum % 3]; j < first_term[sum % 3 + 1]; j++, u += place)
                vec_store(u, both[i][j]);
}

/* What these factors multiply, from five elements along an axis. */
WINDOWS_INLINE void axis_terms(const vec d[AXIS_TERMS], vec out[AXIS_TERMS])
{
    out[0] = vec_subtract(d[0], d[2]);
    out[1] = d[1];
    out[2] = d[2];
    out[3] = vec_subtract(d[4], d[2]);
    out[4] = d[3];
}

WINDOWS_INLINE void transform_strided_lanes(const struct tile_lanes *tiles, enum lanes_are are,
                                            float *to, int64_t place)
{
    vec across[AXIS_TERMS][AXIS_TERMS], both[AXIS_TERMS][AXIS_TERMS];
    for (int i = 0; i < AXIS_TERMS; i++) {
        vec d[6];
        load_six(tiles, are, i, d);
        axis_terms(d, across[i]);
    }
    for (int j = 0; j < AXIS_TERMS; j++) {
        vec d[AXIS_TERMS], out[AXIS_TERMS];
        for (int i = 0; i < AXIS_TERMS; i++)
            d[i] = across[i][j];
        axis_terms(d, out);
        for (int i = 0; i < AXIS_TERMS; i++)
            both[i][j] = out[i];
    }
    for (int sum = 0; sum < AXIS_SUMS * AXIS_SUMS; sum++)
        for (int64_t i = first_term[sum / 3]; i < first_term[sum / 3 + 1]; i++)
            for (int64_t j = first_term[sum % 3]; j < first_term[sum % 3 + 1]; j++) {
                store_place(tiles, are, to, both[i][j]);
                to += place;
            }
}

TRANSFORM_ELEMENTS(transform_strided_tiles, transform_strided_lanes)

static void transform_strided_products(const float *from, int64_t place, vec bias, float *to)
{
    vec down[2][AXIS_SUMS];
    for (int64_t j = 0; j < AXIS_SUMS; j++) {
        const vec middle = vec_load(from + (AXIS_SUMS + j) * place);
        down[0][j] = vec_add(vec_load(from + j * place), middle);
        down[1][j] = vec_add(middle, vec_load(from + (2 * AXIS_SUMS + j) * place));
    }
    for (int r = 0; r < 2; r++, to += RUN_PIXELS * RUN_COLS) {
        vec_store(to, vec_add(vec_add(down[r][0], down[r][1]), bias));
        vec_store(to + RUN_COLS, vec_add(vec_add(down[r][1], down[r][2]), bias));
    }
}

static const struct transforms by_strided_tiles = {.form = &winograd_strided_form,
                                                   .places = {4, 2, 4, 2, 1, 2, 4, 2, 4},
                                                   .filters = transform_strided_filters,
                                                   .elements = transform_strided_tiles,
                                                   .products = transform_strided_products};

/* ---- either --------------------------------------------------------------------------------- */

static const struct transforms *transforms_for(const struct conv_shape *s)
{
    return s->stride == 2 ? &by_strided_tiles : &by_tiles_of_two;
}

void ISA_FUNCTION(conv_winograd_pack)(const struct conv_shape *s, const float *weights,
                                      float *packed)
{
    pack_filters(transforms_for(s), s, weights, packed);
}

void ISA_FUNCTION(conv_winograd)(const struct conv_call *call, void *scratch)
{
    compute_tiles(transforms_for(call->shape), call, scratch);
}
