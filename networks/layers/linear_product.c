#include "networks/layers/linear_product.h"

#include "kernels/matmul/matmul.h"
#include "kernels/matmul/tile.h"

_Static_assert((int)LINEAR_MICRO_PANEL % TILE_ROWS == 0 && (int)LINEAR_IMAGES % TILE_COLS == 0 &&
                   (int)LINEAR_IMAGES_STEP % TILE_COLS == 0,
               "panels hold whole micro-panels");

/* ---- dot products -----------------------------------------------------------------------------
 */

/* Rows that are read together. A long row in a cache is read fastest alone, as a single stream;
 * from memory several streams are faster, because prefetchers run only a limited distance ahead on
 * each. With short rows, four at a time hide the latency of adding up each row's lanes. Measured:
 * docs/networks.md. */
enum { DOT_VECTORS = 2, SHORT_ROWS = 4, FAR_ROWS = LANES >= 16 ? 8 : 4, LONG_ROW = 512 };

static float sum_of(vec v)
{
    float lanes[LANES], sum = 0.0f;
    vec_store(lanes, v);
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}

/* Multiplies `rows` rows of W by one image: each row has DOT_VECTORS vectors of sums. */
TILE_INLINE void dot_rows(const struct linear_call *call, int64_t row, int rows, const float *x,
                          float *y)
{
    const float *w = call->weights + row * call->inputs;
    const int64_t step = DOT_VECTORS * LANES, whole = call->inputs / step * step;
    vec sums[FAR_ROWS][DOT_VECTORS];
    VECTOR_UNROLLED
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < DOT_VECTORS; v++)
            sums[r][v] = vec_zero();
    for (int64_t i = 0; i < whole; i += step)
        for (int v = 0; v < DOT_VECTORS; v++) {
            const vec elements = vec_load(x + i + v * LANES);
            VECTOR_UNROLLED
            for (int r = 0; r < rows; r++)
                sums[r][v] = vec_multiply_add(vec_load(w + r * call->inputs + i + v * LANES),
                                              elements, sums[r][v]);
        }
    for (int64_t i = whole; i < call->inputs; i += LANES) {
        const int64_t n = smaller(LANES, call->inputs - i);
        const vec elements = vec_load_part(x + i, n, vec_zero());
        for (int r = 0; r < rows; r++)
            sums[r][0] = vec_multiply_add(vec_load_part(w + r * call->inputs + i, n, vec_zero()),
                                          elements, sums[r][0]);
    }
    for (int r = 0; r < rows; r++)
        y[row + r] = call->bias[row + r] + sum_of(vec_add(sums[r][0], sums[r][1]));
}

/* Multiplies some rows by all images, so that each row is read from memory once. */
TILE_INLINE void dots_of_rows(const struct linear_call *call, int together)
{
    const int64_t whole = call->outputs / together * together;
    for (int64_t row = 0; row < whole; row += together)
        for (int64_t n = 0; n < call->images; n++)
            dot_rows(call, row, together, call->x + n * call->inputs, call->y + n * call->y_step);
    for (int64_t row = whole; row < call->outputs; row++)
        for (int64_t n = 0; n < call->images; n++)
            dot_rows(call, row, 1, call->x + n * call->inputs, call->y + n * call->y_step);
}

/* The terms of a row are summed in one order, however many rows are read together. */
void ISA_FUNCTION(linear_dots)(const struct linear_call *call, void *scratch)
{
    const int64_t near_floats = INT64_C(1) << 22;
    (void)scratch;
    if (call->inputs < LONG_ROW)
        dots_of_rows(call, SHORT_ROWS);
    else if (call->inputs * call->outputs <= near_floats)
        dots_of_rows(call, 1);
    else
        dots_of_rows(call, FAR_ROWS);
}

/* ---- tiles ------------------------------------------------------------------------------------
 */

/* Outputs rounded up to whole micro-panels, as linear_packed() counts them. */
static int64_t padded(int64_t outputs)
{
    return (outputs + LINEAR_MICRO_PANEL - 1) / LINEAR_MICRO_PANEL * LINEAR_MICRO_PANEL;
}

/* Packs panel of terms after panel, and within each its micro-panels. */
void ISA_FUNCTION(linear_pack)(int64_t inputs, int64_t outputs, const float *weights, float *packed)
{
    const struct view all = {weights, inputs, 0, outputs, 0};
    for (int64_t term = 0; term < inputs; term += LINEAR_TERMS) {
        const int64_t terms = smaller(LINEAR_TERMS, inputs - term);
        float *to = packed + term * padded(outputs);
        for (int64_t f = 0; f < outputs; f += TILE_ROWS, to += terms * TILE_ROWS) {
            const int64_t rows = smaller(TILE_ROWS, outputs - f);
            pack_micro_panel_of_a(&all, f, rows, micro_panel_height(rows), term, terms, to);
        }
    }
}

/* Packs terms [term, term + terms) of the images [image, image + images): each micro-panel of
 * TILE_COLS images holds its terms one after the other; lanes beyond the last image are 0. */
static void pack_images(const struct linear_call *call, int64_t term, int64_t terms, int64_t image,
                        int64_t images, float *to)
{
    for (int64_t n = 0; n < images; n += TILE_COLS, to += terms * TILE_COLS)
        for (int64_t lane = 0; lane < TILE_COLS; lane++) {
            const float *from =
                n + lane < images ? call->x + (image + n + lane) * call->inputs + term : NULL;
            for (int64_t k = 0; k < terms; k++)
                to[k * TILE_COLS + lane] = from ? from[k] : 0.0f;
        }
}

/* Multiplies one panel: the first panel of terms sets the sums, later ones add to them. */
static void multiply_panel(const struct linear_call *call, int64_t term, int64_t terms,
                           int64_t images, const float *elements, float *sums)
{
    const float *a = call->weights + term * padded(call->outputs);
    struct corner to = {.stride = LINEAR_IMAGES, .cols = TILE_COLS, .add = term > 0};
    for (int64_t f = 0; f < call->outputs; f += TILE_ROWS, a += terms * TILE_ROWS) {
        to.rows = smaller(TILE_ROWS, call->outputs - f);
        to.start = term == 0 ? call->bias + f : NULL;
        for (int64_t n = 0; n < images; n += TILE_COLS) {
            to.c = sums + f * LINEAR_IMAGES + n;
            tile_of_height(a, elements + n * terms, TILE_COLS, terms, &to,
                           micro_panel_height(to.rows));
        }
    }
}

/* Transposes the sums, one row per output, into outputs, one row per image. */
static void store_images(const struct linear_call *call, int64_t image, int64_t images,
                         const float *sums)
{
    for (int64_t n = 0; n < images; n++) {
        float *y = call->y + (image + n) * call->y_step;
        for (int64_t f = 0; f < call->outputs; f++)
            y[f] = sums[f * LINEAR_IMAGES + n];
    }
}

void ISA_FUNCTION(linear_tiles)(const struct linear_call *call, void *scratch)
{
    float *elements = scratch, *sums = elements + LINEAR_TERMS * LINEAR_IMAGES;
    for (int64_t image = 0; image < call->images; image += LINEAR_IMAGES) {
        const int64_t images = smaller(LINEAR_IMAGES, call->images - image);
        for (int64_t term = 0; term < call->inputs; term += LINEAR_TERMS) {
            const int64_t terms = smaller(LINEAR_TERMS, call->inputs - term);
            pack_images(call, term, terms, image, images, elements);
            multiply_panel(call, term, terms, images, elements, sums);
        }
        store_images(call, image, images, sums);
    }
}

/* ---- rows of W --------------------------------------------------------------------------------
 */

void ISA_FUNCTION(linear_rows)(const struct linear_call *call, void *scratch)
{
    const struct matmul_call product = {.inner = call->inputs,
                                        .a = {call->x, call->inputs, 0, call->images, 0},
                                        .b = {call->weights, call->inputs, 0, call->outputs, 0},
                                        .c = {call->y, call->y_step, 0, 0},
                                        .block = {0, 0, call->images, 0, call->outputs, 1},
                                        .terms = call->inputs,
                                        .b_transposed = true,
                                        .start = call->bias};
    ISA_FUNCTION(matmul_packed)(&product, scratch);
}
