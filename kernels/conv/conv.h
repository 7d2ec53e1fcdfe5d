/* The methods of convolution, one per file. Each computes some output rows of all filters of one
 * image, or whole images of a batch. conv/methods.c has a table row for each. */
#ifndef MAXPOOL_CONV_H
#define MAXPOOL_CONV_H

#include "kernels/conv/shape.h"
#include "kernels/isa.h"
#include "kernels/method_call.h"

#include <stdbool.h>
#include <stddef.h>

/* Floats from one image of a call to the next, in the images, the maps and the residuals. */
struct conv_image_strides {
    int64_t image, map, residual;
};

/* One call: output rows [row, row + rows), all columns, all filters, of one image of the batch; or
 * all rows of several images, for methods that take several planes. */
struct conv_call {
    const struct conv_shape *shape;
    const float *weights; /* K x C/G x k x k */
    const float
        *packed;       /* the same, as the method's pack function wrote them; NULL if it has none */
    const float *bias; /* K, or NULL */
    struct view image; /* channel c is at data + c * plane_stride; holds at least the rows that
                          geometry_rows_needed() names, and all columns */
    struct map_view map; /* filter f is at data + f * plane_stride; rows row_stride apart */
    int64_t row, rows;
    struct conv_finish finish; /* applied by methods as they store; all 0: nothing */
    int64_t images;            /* 0 or 1: the views are of one image; more: of the first of them */
    struct conv_image_strides image_strides;
};

/* The call for image n alone, counted from the call's first image. */
static inline struct conv_call conv_call_image(const struct conv_call *call, int64_t n)
{
    struct conv_call one = *call;
    one.images = 1;
    one.image.data += n * call->image_strides.image;
    one.map.data += n * call->image_strides.map;
    if (one.finish.residual.data)
        one.finish.residual.data += n * call->image_strides.residual;
    return one;
}

typedef void conv_function(const struct conv_call *call, void *scratch);

/* Prepares the weights once for all calls, outside the measured time, as libraries do. */
typedef void conv_pack_function(const struct conv_shape *s, const float *weights, float *packed);

conv_function conv_literal;
ISA_DECLARE(conv_function, conv_im2col);
ISA_DECLARE(conv_function, conv_implicit);
ISA_DECLARE(conv_function, conv_winograd);
ISA_DECLARE(conv_function, conv_winograd4);
ISA_DECLARE(conv_function, conv_depthwise);

/* Applies the call's bias and finish, and a factor for each filter (NULL: 1), to sums that are
 * already stored: the epilogue as a separate pass. */
typedef void conv_pass_function(const struct conv_call *call, const float *scale);
ISA_DECLARE(conv_pass_function, conv_pass);

ISA_DECLARE(conv_pack_function, conv_implicit_pack);
ISA_DECLARE(conv_pack_function, conv_winograd_pack);
ISA_DECLARE(conv_pack_function, conv_winograd4_pack);
ISA_DECLARE(conv_pack_function, conv_depthwise_pack);

/* Floats that the pack function writes; SIZE_MAX: more than can be counted. */
size_t conv_implicit_packed(const struct conv_shape *s);
size_t conv_winograd_packed(const struct conv_shape *s);
size_t conv_winograd4_packed(const struct conv_shape *s);
size_t conv_depthwise_packed(const struct conv_shape *s); /* 0: reads the weights unpacked */

/* Scratch in bytes of one worker for calls of at most `rows` output rows; SIZE_MAX: uncountable. */
size_t conv_im2col_scratch(const struct conv_shape *s, int64_t rows);
size_t conv_implicit_scratch(const struct conv_shape *s, int64_t rows);
size_t conv_winograd_scratch(const struct conv_shape *s, int64_t rows);
size_t conv_winograd4_scratch(const struct conv_shape *s, int64_t rows);
size_t conv_depthwise_scratch(const struct conv_shape *s, int64_t rows);

/* NULL, or why the method cannot compute this shape. The first is for tiles at stride 1 alone, the
 * second for `winograd`, which also takes windows at stride 2. */
const char *conv_winograd_refuses(const struct conv_shape *s);
const char *conv_winograd_tiles_refuse(const struct conv_shape *s);
bool conv_winograd_is_strided(const struct conv_shape *s);
const char *conv_depthwise_refuses(const struct conv_shape *s);

#endif
