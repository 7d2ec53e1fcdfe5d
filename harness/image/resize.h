/* Resizing by bilinear interpolation with antialiasing: an output is the mean of the elements under
 * a triangle around its place, which is as wide as the image shrinks, and never narrower than two
 * elements. Along an axis of `in` elements that become `out`, with scale = in / out and
 * reach = max(scale, 1), output i lies at centre = (i + 0.5) scale and takes the elements j from
 * floor(centre - reach + 0.5) until floor(centre + reach + 0.5), those inside of the image, with
 * weights max(0, 1 - |j - centre + 0.5| / reach), divided by their sum.
 *
 * Source: Pillow, src/libImaging/Resample.c (precompute_coeffs and the 32-bit passes), which
 * torchvision's resize(antialias=True) computes too. Rows first, then columns; sums in double
 * precision, and float32 between the passes. Rows are taken one after another, so that no more than
 * one of them is held. */
#ifndef MAXPOOL_RESIZE_H
#define MAXPOOL_RESIZE_H

#include "harness/base/failure.h"

#include <stdint.h>

/* Elements from..from + count of the input, with their weights, for one output. */
struct resize_taps {
    int64_t first, count;
    const double *weights;
};

/* The weights of all outputs along one axis. */
struct resize_axis {
    int64_t in, out;
    struct resize_taps *taps; /* of each output */
    double *weights;          /* of all of them */
};

/* Status 4 where there is no memory. Release either way. */
enum status resize_axis_make(struct resize_axis *a, int64_t in, int64_t out, struct failure *f);
void resize_axis_release(struct resize_axis *a);

/* A row of cols->in floats into one of cols->out. */
void resize_row(const struct resize_axis *cols, const float *from, float *to);

/* Adds what row `row` of the input, resized to `cols` floats, is to every output row: `sums` holds
 * rows->out x cols, and begins all 0. After the last row the sums are the outputs. */
void resize_add_row(const struct resize_axis *rows, int64_t row, const float *resized, int64_t cols,
                    double *sums);

#endif
