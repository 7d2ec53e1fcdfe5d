#include "kernels/conv/gradients/gradient_phases.h"

#include "kernels/geometry.h"
#include "kernels/min_max.h"

#include <string.h>

enum { LINE = 16, BAND_FLOATS = 65536 }; /* a cache line; sums of a band, 256 KiB if 2 rows fit */

static int64_t lines_of(int64_t floats)
{
    return (floats + LINE - 1) / LINE * LINE;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The output gradients have zeros on all sides, so that row 0 of the map is Y = 0. */
static struct conv_shape phase_shape(const struct conv_shape *s, int64_t together)
{
    const int64_t kernel = (s->kernel + s->stride - 1) / s->stride;
    struct conv_shape phase = {.batch = s->batch,
                               .channels = s->filters,
                               .rows = s->out_rows,
                               .cols = s->out_cols,
                               .filters = s->channels * together,
                               .groups = s->groups,
                               .kernel = kernel,
                               .stride = 1,
                               .padding = kernel - 1};
    conv_complete(&phase);
    return phase;
}

/* Whether the method computes each phase with only its own places. */
static bool prefers_strided(const struct conv_data_gradient_method *m, const struct conv_shape *s)
{
    return m->strided[ISA_BASELINE] && conv_data_gradient_prefers_strided(s);
}

struct conv_phases conv_phases_of(const struct conv_data_gradient_method *m,
                                  const struct conv_shape *s)
{
    const int64_t side = smaller(s->stride, s->kernel);
    struct conv_phases p = {
        .direct = conv_data_gradient_is_convolution(s), .side = side, .together = side * side};
    p.shape = p.direct ? conv_rotated_shape(s) : phase_shape(s, p.together);
    if (!conv_method_can(m->forward, &p.shape)) {
        p.together = 1;
        p.shape = p.direct ? p.shape : phase_shape(s, 1);
    }
    p.parts = side * side / p.together;
    return p;
}

const char *conv_data_gradient_refuses(const struct conv_data_gradient_method *m,
                                       const struct conv_shape *s)
{
    if (m->direct)
        return NULL;
    const struct conv_phases p = conv_phases_of(m, s);
    if (p.shape.out_rows == 0)
        return "cannot count the phases of the output gradient in bytes";
    return m->forward->refuses ? m->forward->refuses(&p.shape) : NULL;
}

/* ---- the weights, once ----------------------------------------------------------------------- */

/* Copies the weights of phase (a, b) from a filter's window, rotated. */
static void rotate_window(const struct conv_shape *s, int64_t kernel, const float *window,
                          int64_t a, int64_t b, float *to)
{
    for (int64_t t = kernel - 1; t >= 0; t--)
        for (int64_t u = kernel - 1; u >= 0; u--) {
            const int64_t i = a + s->stride * t, j = b + s->stride * u;
            *to++ = i < s->kernel && j < s->kernel ? window[i * s->kernel + j] : 0.0f;
        }
}

/* Writes the filters of a part's convolution. */
static void rotate_part(const struct conv_shape *s, const struct conv_phases *p, int64_t part,
                        const float *weights, float *to)
{
    const int64_t depth = s->channels / s->groups, filters = s->filters / s->groups;
    const int64_t window = s->kernel * s->kernel, elements = p->shape.kernel * p->shape.kernel;
    for (int64_t at = 0; at < p->shape.filters; at++) {
        const int64_t group = at / (p->together * depth), channel = at % depth;
        const int64_t phase = part * p->together + at / depth % p->together;
        for (int64_t f = group * filters; f < (group + 1) * filters; f++, to += elements)
            rotate_window(s, p->shape.kernel, weights + (f * depth + channel) * window,
                          phase / p->side, phase % p->side, to);
    }
}

/* Floats of a part's rotated filters, and of what the method packs of them. */
struct packed_sizes {
    int64_t rotated, packed;
};

static struct packed_sizes packed_sizes_of(const struct conv_data_gradient_method *m,
                                           const struct conv_phases *p)
{
    const size_t packed = m->forward->packed ? m->forward->packed(&p->shape) : 0;
    const int64_t rotated = geometry_elements(p->shape.filters, conv_terms(&p->shape), 1);
    if (rotated < 0 || packed > INT64_MAX / 4)
        return (struct packed_sizes){-1, -1};
    return (struct packed_sizes){lines_of(rotated), lines_of((int64_t)packed)};
}

size_t conv_data_gradient_packed(const struct conv_data_gradient_method *m,
                                 const struct conv_shape *s)
{
    if (m->direct)
        return 0;
    if (prefers_strided(m, s))
        return conv_data_gradient_strided_packed(s);
    const struct conv_phases p = conv_phases_of(m, s);
    const struct packed_sizes sizes = packed_sizes_of(m, &p);
    const int64_t all =
        sizes.rotated < 0 ? -1 : geometry_elements(p.parts, sizes.rotated + sizes.packed, 1);
    return all < 0 ? SIZE_MAX : (size_t)all;
}

void conv_data_gradient_pack(const struct conv_data_gradient_method *m, enum isa isa,
                             const struct conv_shape *s, const float *weights, float *packed)
{
    if (m->direct)
        return;
    if (prefers_strided(m, s)) {
        m->pack_strided[isa](s, weights, packed);
        return;
    }
    const struct conv_phases p = conv_phases_of(m, s);
    const struct packed_sizes sizes = packed_sizes_of(m, &p);
    for (int64_t part = 0; part < p.parts; part++, packed += sizes.rotated + sizes.packed) {
        rotate_part(s, &p, part, weights, packed);
        if (m->forward->packed)
            m->forward->pack[isa](&p.shape, packed, packed + sizes.rotated);
    }
}

/* ---- the bands ------------------------------------------------------------------------------- */

/* Rows of a part's map that are computed at a time; 0: its map is the gradient. Even, unless it is
 * all rows: that is best for methods that compute two rows at once. */
static int64_t band_rows(const struct conv_phases *p)
{
    const int64_t row = p->shape.filters * p->shape.out_cols;
    const int64_t fitting = larger(2, BAND_FLOATS / larger(1, row) / 2 * 2);
    return p->direct ? 0 : smaller(p->shape.out_rows, fitting);
}

size_t conv_data_gradient_scratch(const struct conv_data_gradient_method *m,
                                  const struct conv_shape *s)
{
    if (m->direct)
        return 0;
    if (prefers_strided(m, s))
        return conv_data_gradient_strided_scratch(s);
    const struct conv_phases p = conv_phases_of(m, s);
    const int64_t sums = geometry_elements(p.shape.filters, p.shape.out_cols, band_rows(&p));
    const int64_t rows = p.direct ? p.shape.out_rows : band_rows(&p);
    const size_t of_method = m->forward->scratch ? m->forward->scratch(&p.shape, rows) : 0;
    size_t bytes;
    if (sums < 0 || of_method == SIZE_MAX ||
        __builtin_add_overflow((size_t)lines_of(sums) * sizeof(float), of_method, &bytes))
        return SIZE_MAX;
    return bytes;
}

/* Some rows of one part's map. */
struct phase_band {
    const struct conv_data_gradient *call;
    const struct conv_phases *phases;
    int64_t part;
    int64_t row, rows;
    float *sums; /* filters x rows x out_cols */
};

/* Copies one row of a phase to the elements of the gradient that belong to the phase. */
static void spread_row(const struct conv_shape *s, const float *from, int64_t outputs, int64_t b,
                       float *to)
{
    const int64_t first = s->padding > b ? (s->padding - b + s->stride - 1) / s->stride : 0;
    int64_t x = b + first * s->stride - s->padding;
    for (int64_t at = first; at < outputs && x < s->cols; at++, x += s->stride)
        to[x] = from[at];
}

/* Copies all channels of one phase, in the rows of the call. */
static void spread_phase(const struct phase_band *band, int64_t phase, const float *sums)
{
    const struct conv_data_gradient *call = band->call;
    const struct conv_shape *s = call->shape;
    const int64_t depth = s->channels / s->groups, cols = band->phases->shape.out_cols;
    const int64_t a = phase / band->phases->side, b = phase % band->phases->side;
    for (int64_t c = 0; c < s->channels; c++) {
        const int64_t filter = c / depth * depth * band->phases->together + c % depth;
        for (int64_t r = 0; r < band->rows; r++) {
            const int64_t y = a + (band->row + r) * s->stride - s->padding;
            if (y >= call->row && y < call->row + call->rows)
                spread_row(s, sums + (filter * band->rows + r) * cols, cols, b,
                           map_row(&call->image, y) + c * call->image.plane_stride);
        }
    }
}

static void spread_band(const struct phase_band *band)
{
    const struct conv_phases *p = band->phases;
    const int64_t depth = band->call->shape->channels / band->call->shape->groups;
    for (int64_t q = 0; q < p->together; q++)
        spread_phase(band, band->part * p->together + q,
                     band->sums + q * depth * band->rows * p->shape.out_cols);
}

/* Whether some elements are in no window that has an output: no phase computes them. */
static bool leaves_elements(const struct conv_shape *s, const struct conv_phases *p)
{
    return p->side < s->stride || (s->rows - 1 + s->padding) / s->stride >= p->shape.out_rows ||
           (s->cols - 1 + s->padding) / s->stride >= p->shape.out_cols;
}

static void clear(const struct conv_data_gradient *call)
{
    for (int64_t c = 0; c < call->shape->channels; c++)
        for (int64_t y = call->row; y < call->row + call->rows; y++)
            memset(map_row(&call->image, y) + c * call->image.plane_stride, 0,
                   (size_t)call->shape->cols * sizeof(float));
}

/* ---- all of it ------------------------------------------------------------------------------- */

static struct conv_call call_of(const struct conv_data_gradient *call, const struct conv_phases *p,
                                const struct packed_sizes *sizes, const float *packed)
{
    return (struct conv_call){.shape = &p->shape,
                              .weights = packed,
                              .packed = sizes->packed > 0 ? packed + sizes->rotated : NULL,
                              .image = {.data = call->d_output,
                                        .row_stride = p->shape.cols,
                                        .rows = p->shape.rows,
                                        .plane_stride = p->shape.rows * p->shape.cols},
                              .map = call->image,
                              .row = call->row,
                              .rows = call->rows};
}

/* Computes the rows of a part's map that the call's rows need, band by band. */
static void run_part(const struct conv_data_gradient_method *m, enum isa isa, struct conv_call call,
                     struct phase_band band, void *scratch)
{
    const struct conv_shape *s = band.call->shape, *phase = &band.phases->shape;
    const int64_t high = band_rows(band.phases);
    const int64_t last = (band.call->row + band.call->rows - 1 + s->padding) / s->stride;
    const int64_t end = smaller(last + 1, phase->out_rows);
    for (band.row = (band.call->row + s->padding) / s->stride; band.row < end; band.row += high) {
        band.rows = smaller(high, end - band.row);
        call.row = band.row;
        call.rows = band.rows;
        call.map = (struct map_view){.data = band.sums,
                                     .row_stride = phase->out_cols,
                                     .first_row = band.row,
                                     .plane_stride = band.rows * phase->out_cols};
        m->forward->run[isa](&call, scratch);
        spread_band(&band);
    }
}

void conv_data_gradient_by(const struct conv_data_gradient_method *m, enum isa isa,
                           const struct conv_data_gradient *call, const float *packed,
                           void *scratch)
{
    if (m->direct) {
        m->direct(call);
        return;
    }
    if (prefers_strided(m, call->shape)) {
        m->strided[isa](call, packed, scratch);
        return;
    }
    const struct conv_phases p = conv_phases_of(m, call->shape);
    const struct packed_sizes sizes = packed_sizes_of(m, &p);
    struct phase_band band = {.call = call, .phases = &p, .sums = scratch};
    float *rest = band.sums + lines_of(p.shape.filters * p.shape.out_cols * band_rows(&p));
    if (p.direct) {
        const struct conv_call forward = call_of(call, &p, &sizes, packed);
        m->forward->run[isa](&forward, scratch);
        return;
    }
    if (leaves_elements(call->shape, &p))
        clear(call);
    for (; band.part < p.parts; band.part++, packed += sizes.rotated + sizes.packed)
        run_part(m, isa, call_of(call, &p, &sizes, packed), band, rest);
}
