/* Sizes of the scratch and of the packed weights of the methods of convolution, and which shapes
 * they can compute. */
#include "kernels/conv/bands.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/depthwise_rows.h"
#include "kernels/conv/gradients/gradient_strided_cut.h"
#include "kernels/conv/gradients/gradient_winograd_cut.h"
#include "kernels/conv/winograd/winograd_tiles.h"
#include "kernels/geometry.h"
#include "kernels/matmul/matmul.h"

/* Bytes of a x b x c floats plus `more` bytes; SIZE_MAX: uncountable. */
static size_t bytes_of(int64_t a, int64_t b, int64_t c, size_t more)
{
    const int64_t elements = geometry_elements(a, b, c);
    size_t bytes;
    if (elements < 0 || more == SIZE_MAX ||
        __builtin_add_overflow((size_t)elements * sizeof(float), more, &bytes))
        return SIZE_MAX;
    return bytes;
}

size_t conv_im2col_scratch(const struct conv_shape *s, int64_t rows)
{
    const int64_t pixels = geometry_elements(rows, s->out_cols, 1);
    const size_t aligned = 2 * 64; /* windows and product are each rounded up to this */
    if (pixels < 0)
        return SIZE_MAX;
    const size_t product = matmul_packed_bytes(conv_terms(s), pixels);
    const size_t out = bytes_of(s->filters / s->groups, pixels, 1, product);
    return bytes_of(conv_terms(s), pixels, 1, out == SIZE_MAX ? SIZE_MAX : out + aligned);
}

size_t conv_implicit_scratch(const struct conv_shape *s, int64_t rows)
{
    const size_t sums = sizeof(float) * (BAND_PIXELS + WIDEST_VECTOR) * WIDEST_MICRO_PANEL;
    (void)rows;
    return bytes_of(band_elements(s), 1, 1, bytes_of(conv_terms(s), 1, 1, sums));
}

/* Elements and products of a chunk of tiles, of one image or of several, and the offset of each
 * channel's elements. */
static size_t scratch_of_tiles(const struct conv_shape *s, const struct tile_form *f)
{
    const int64_t together = images_together(s, f, s->batch), depth = s->channels / s->groups;
    const int64_t several = together > 1 ? together * tiles_of_image(s, f) : 0;
    const int64_t tiles = larger(most_tiles(s, f), several);
    const int64_t numbers = f->sums < f->elements ? 4 : 1; /* offsets per channel, one per place */
    const int64_t rest = f->sums * tiles * WIDEST_MICRO_PANEL + f->elements * WIDEST_VECTOR;
    return bytes_of(f->elements * tiles + numbers, depth, 1, (size_t)rest * sizeof(float));
}

static const struct tile_form *tiles_of_two(const struct conv_shape *s)
{
    return s->stride == 2 ? &winograd_strided_form : &winograd_form;
}

size_t conv_winograd_scratch(const struct conv_shape *s, int64_t rows)
{
    (void)rows;
    return scratch_of_tiles(s, tiles_of_two(s));
}

size_t conv_winograd4_scratch(const struct conv_shape *s, int64_t rows)
{
    (void)rows;
    return scratch_of_tiles(s, &winograd4_form);
}

size_t conv_depthwise_scratch(const struct conv_shape *s, int64_t rows)
{
    const size_t found = bytes_of(depthwise_most_rows(s), 2, 1, 0);
    (void)rows;
    return depthwise_joins(s)
               ? bytes_of(s->channels, s->cols, 1, bytes_of(depthwise_line(s), 1, 1, found))
               : bytes_of(s->cols, 1, 1, found);
}

size_t conv_data_gradient_strided_scratch(const struct conv_shape *s)
{
    const struct strided_cut c = strided_cut_of(s);
    const int64_t sums = (c.rows * c.cols + WIDEST_VECTOR) * WIDEST_MICRO_PANEL;
    const int64_t filters = s->filters / s->groups;
    const size_t terms = bytes_of(filters, s->kernel, s->kernel, 0);
    return bytes_of(c.copied_rows, c.copied_cols, filters, bytes_of(sums, 1, 1, terms));
}

size_t conv_weight_gradient_scratch(const struct conv_shape *s, int64_t filters)
{
    const struct gradient_cut cut = gradient_cut_of(s);
    const int64_t padded = gradient_round(filters, GRADIENT_FILTERS);
    const size_t d_output = bytes_of(1, gradient_d_output_floats(s, &cut, filters), 1, 0);
    const size_t elements =
        bytes_of(cut.images * cut.packed_rows, cut.packed_cols, cut.width, d_output);
    return bytes_of(cut.places, padded, cut.width, elements);
}

size_t conv_weight_gradient_winograd_scratch(const struct conv_shape *s, int64_t filters)
{
    const struct gradient_tiles t = gradient_tiles_of(s, filters);
    const int64_t packed = 4 * (t.rows + 1) * (t.across + 1);
    const int64_t transformed = TILE_ELEMENTS * t.images * t.rows * t.across;
    return bytes_of(packed + transformed + GRADIENT_LANES, t.channels + t.filters, 1,
                    bytes_of(TILE_ELEMENTS, t.filters, t.channels, 0));
}

/* True if a group has enough channels and filters, and the tiles take at most three quarters of the
 * products, including those of output gradients beyond an odd edge. */
bool conv_weight_gradient_prefers_winograd(const struct conv_shape *s)
{
    const int64_t depth = s->channels / s->groups, filters = s->filters / s->groups;
    const int64_t tiles = (s->out_rows + 1) / 2 * tiles_across(s);
    return s->kernel == 3 && s->stride == 1 && depth >= GRADIENT_LEAST &&
           filters >= GRADIENT_LEAST &&
           4 * TILE_ELEMENTS * tiles <= 3 * 9 * s->out_rows * s->out_cols;
}

static size_t floats_of(int64_t a, int64_t b, int64_t c)
{
    const int64_t elements = geometry_elements(a, b, c);
    return elements < 0 ? SIZE_MAX : (size_t)elements;
}

size_t conv_implicit_packed(const struct conv_shape *s)
{
    return floats_of(s->groups, micro_panel_filters(s), conv_terms(s));
}

size_t conv_winograd_packed(const struct conv_shape *s)
{
    return floats_of(s->groups * tiles_of_two(s)->elements, micro_panel_filters(s),
                     s->channels / s->groups);
}

size_t conv_winograd4_packed(const struct conv_shape *s)
{
    return floats_of(s->groups * winograd4_form.elements, micro_panel_filters(s),
                     s->channels / s->groups);
}

size_t conv_depthwise_packed(const struct conv_shape *s)
{
    return depthwise_joins(s) ? floats_of(s->kernel, s->kernel, depthwise_line(s)) : 0;
}

size_t conv_data_gradient_strided_packed(const struct conv_shape *s)
{
    return floats_of(s->groups * micro_panel_channels(s), s->filters / s->groups,
                     s->kernel * s->kernel);
}

/* True if separate phases do not multiply more: vectors of 16 channels at every place of the
 * window, compared with one filter per phase and channel, each with the places of the largest
 * phase. */
bool conv_data_gradient_prefers_strided(const struct conv_shape *s)
{
    const int64_t depth = s->channels / s->groups, most = phases(s) * phase_places(s, 0);
    const int64_t lanes = (depth + WIDEST_VECTOR - 1) / WIDEST_VECTOR * WIDEST_VECTOR;
    return s->stride > 1 && lanes * s->kernel * s->kernel <= depth * most * most;
}

const char *conv_winograd_refuses(const struct conv_shape *s)
{
    return s->kernel == 3 && s->stride == 1 ? NULL : "takes windows of 3 x 3 at stride 1 alone";
}

bool conv_winograd_is_strided(const struct conv_shape *s)
{
    return s->kernel == 3 && s->stride == 2;
}

const char *conv_winograd_tiles_refuse(const struct conv_shape *s)
{
    return !conv_winograd_refuses(s) || conv_winograd_is_strided(s)
               ? NULL
               : "takes windows of 3 x 3 at stride 1 or 2 alone";
}

const char *conv_depthwise_refuses(const struct conv_shape *s)
{
    return s->groups == s->channels && s->filters == s->channels
               ? NULL
               : "takes one filter a channel alone: as many groups and filters as channels";
}
