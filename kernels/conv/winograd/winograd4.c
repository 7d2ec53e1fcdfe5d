/* F(4 x 4, 3 x 3): 16 outputs of a 3 x 3 window from 36 products a channel instead of 144. Filters
 * and elements are polynomials of two variables, multiplied at the points 0, +-a, +-b and infinity
 * of either one; with a = 11/16, b = 3/2, v = a^2, w = b^2:
 *
 *        vw   0  -v-w   0   1   0          1   1   1   1   1   0
 *         0 -aw    -w   a   1   0          0   a  -a   b  -b   0
 *   B' =  0  aw    -w  -a   1   0    A' =  0   v   v   w   w   0
 *         0 -bv    -v   b   1   0          0  av -av  bw -bw   1
 *         0  bv    -v  -b   1   0
 *         0  vw     0 -v-w  0   1    row of G for 0: 1/(vw), 0, 0; for infinity: 0, 0, 1;
 *                                    for +-a: (1, +-a, v) / (2v (v-w)), for +-b likewise
 *
 * Every number of B and A is exact in float32: only the arithmetic rounds. Filters are transformed
 * in double precision and rounded once. Among multiples of 1/16, these points have the smallest
 * error. The relative root mean square error for 64 channels, normal weights, and normal elements /
 * the same without the negative ones, is 4.9e-7 / 4.2e-7 if products are summed 16 at a time. With
 * the roots of 1/2 and 2 as points it is 5.1e-7 / 4.5e-7, with 1 and 2 11e-7 / 8.7e-7. F(2 x 2, 3 x
 * 3) has 2.6e-7 / 2.3e-7, a sum one by one 4.2e-7 / 3.0e-7. If all products are summed together,
 * they alone round as much as everything else: 7.0e-7 / 6.0e-7. With 256 channels, this method has
 * 5.9e-7 / 4.0e-7, a sum one by one 8.8e-7 / 6.2e-7.
 * Sources: Lavin & Gray (2016), arXiv:1509.09308; on points, Barabasz, Anderson, Soodhalter & Gregg
 * (2020), "Error analysis and improving the accuracy of Winograd convolution for deep neural
 * networks", ACM TOMS 46(4).
 */
#include "kernels/conv/winograd/winograd_chunks.h"

enum { SIDE = 6 };

#define A  0.6875
#define B  1.5
#define A2 (A * A)
#define B2 (B * B)

/* A number of each of LANES filters. */
struct wide {
    double of[LANES];
};

/* Computes G times three numbers `step` apart. */
static void evaluate(const struct wide *g, int64_t step, struct wide u[SIDE])
{
    const double at_a = 1.0 / (2.0 * A2 * (A2 - B2)), at_b = 1.0 / (2.0 * B2 * (B2 - A2));
    for (int f = 0; f < LANES; f++) {
        const double g0 = g[0].of[f], g1 = g[step].of[f], g2 = g[2 * step].of[f];
        u[0].of[f] = g0 / (A2 * B2);
        u[1].of[f] = at_a * (g0 + A2 * g2 + A * g1);
        u[2].of[f] = at_a * (g0 + A2 * g2 - A * g1);
        u[3].of[f] = at_b * (g0 + B2 * g2 + B * g1);
        u[4].of[f] = at_b * (g0 + B2 * g2 - B * g1);
        u[5].of[f] = g2;
    }
}

static void transform_filters(const float g[WINDOW][LANES], float *u, int64_t place)
{
    struct wide weights[WINDOW], t[3][SIDE], row[SIDE];
    for (int i = 0; i < WINDOW; i++)
        for (int f = 0; f < LANES; f++)
            weights[i].of[f] = (double)g[i][f];
    for (int64_t j = 0; j < 3; j++)
        evaluate(weights + j, 3, t[j]);
    for (int64_t i = 0; i < SIDE; i++) {
        evaluate(&t[0][i], SIDE, row);
        for (int64_t j = 0; j < SIDE; j++)
            for (int f = 0; f < LANES; f++)
                u[(i * SIDE + j) * place + f] = (float)row[j].of[f];
    }
}

/* Computes B' times six vectors. */
WINDOWS_INLINE void interpolate(const vec d[SIDE], vec out[SIDE])
{
    const vec a = vec_all((float)A), less_a = vec_all((float)-A);
    const vec b = vec_all((float)B), less_b = vec_all((float)-B);
    const vec less_a2 = vec_all((float)-A2), less_b2 = vec_all((float)-B2);
    const vec both = vec_all((float)(A2 * B2)), less_sum = vec_all((float)-(A2 + B2));
    const vec even_a = vec_multiply_add(less_b2, d[2], d[4]);
    const vec odd_a = vec_multiply_add(less_b2, d[1], d[3]);
    const vec even_b = vec_multiply_add(less_a2, d[2], d[4]);
    const vec odd_b = vec_multiply_add(less_a2, d[1], d[3]);
    out[0] = vec_multiply_add(both, d[0], vec_multiply_add(less_sum, d[2], d[4]));
    out[1] = vec_multiply_add(a, odd_a, even_a);
    out[2] = vec_multiply_add(less_a, odd_a, even_a);
    out[3] = vec_multiply_add(b, odd_b, even_b);
    out[4] = vec_multiply_add(less_b, odd_b, even_b);
    out[5] = vec_multiply_add(both, d[1], vec_multiply_add(less_sum, d[3], d[5]));
}

WINDOWS_INLINE void transform_lanes(const struct tile_lanes *tiles, enum lanes_are are, float *to,
                                    int64_t place)
{
    vec across[SIDE][SIDE];
    for (int i = 0; i < SIDE; i++) {
        vec d[SIDE];
        load_six(tiles, are, i, d);
        interpolate(d, across[i]);
    }
    for (int64_t j = 0; j < SIDE; j++) {
        vec d[SIDE], down[SIDE];
        for (int i = 0; i < SIDE; i++)
            d[i] = across[i][j];
        interpolate(d, down);
        for (int64_t i = 0; i < SIDE; i++)
            store_place(tiles, are, to + (i * SIDE + j) * place, down[i]);
    }
}

TRANSFORM_ELEMENTS(transform_tiles, transform_lanes)

/* Computes A' times six vectors. */
WINDOWS_INLINE void combine(const vec m[SIDE], vec out[4])
{
    const vec both_a = vec_add(m[1], m[2]), apart_a = vec_subtract(m[1], m[2]);
    const vec both_b = vec_add(m[3], m[4]), apart_b = vec_subtract(m[3], m[4]);
    out[0] = vec_add(m[0], vec_add(both_a, both_b));
    out[1] = vec_multiply_add(vec_all((float)B), apart_b, vec_multiply(vec_all((float)A), apart_a));
    out[2] = vec_multiply_add(vec_all((float)B2), both_b, vec_multiply(vec_all((float)A2), both_a));
    out[3] = vec_multiply_add(vec_all((float)(A * A2)), apart_a,
                              vec_multiply_add(vec_all((float)(B * B2)), apart_b, m[5]));
}

static void transform_products(const float *from, int64_t place, vec bias, float *to)
{
    vec down[4][SIDE];
    for (int64_t j = 0; j < SIDE; j++) {
        vec m[SIDE], out[4];
        for (int64_t i = 0; i < SIDE; i++)
            m[i] = vec_load(from + (i * SIDE + j) * place);
        combine(m, out);
        for (int i = 0; i < 4; i++)
            down[i][j] = out[i];
    }
    for (int i = 0; i < 4; i++, to += RUN_PIXELS * RUN_COLS) {
        vec out[4];
        combine(down[i], out);
        for (int64_t j = 0; j < 4; j++)
            vec_store(to + j * RUN_COLS, vec_add(out[j], bias));
    }
}

static const struct transforms by_tiles_of_four = {.form = &winograd4_form,
                                                   .in_parts = true,
                                                   .filters = transform_filters,
                                                   .elements = transform_tiles,
                                                   .products = transform_products};

void ISA_FUNCTION(conv_winograd4_pack)(const struct conv_shape *s, const float *weights,
                                       float *packed)
{
    pack_filters(&by_tiles_of_four, s, weights, packed);
}

void ISA_FUNCTION(conv_winograd4)(const struct conv_call *call, void *scratch)
{
    compute_tiles(&by_tiles_of_four, call, scratch);
}
