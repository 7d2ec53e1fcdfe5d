/* Resizing by bilinear interpolation with antialiasing: each output is the weighted mean of the
 * input elements under a triangle around its position. The triangle widens with the shrink factor,
 * and is never narrower than two elements. Along an axis of `in` elements that become `out`, with
 * scale = in / out and reach = max(scale, 1), output i has its centre at (i + 0.5) scale. It uses
 * the elements j inside of the image from floor(centre - reach + 0.5) up to, not including,
 * floor(centre + reach + 0.5), with weights max(0, 1 - |j - centre + 0.5| / reach), divided by
 * their sum.
 *
 * Source: Pillow, src/libImaging/Resample.c (precompute_coeffs and the 32-bit passes), which
 * torchvision's resize(antialias=True) computes too. Each row is resized horizontally first; then
 * the rows are combined vertically. Sums are in double precision, and values between the passes in
 * float32. Input rows come one after another, so that only one of them is held. */
#ifndef MAXPOOL_RESIZE_H
#define MAXPOOL_RESIZE_H

#include "harness/base/failure.h"

#include <stdint.h>

/* Elements [first, first + count) of the input and their weights, for one output. */
struct resize_taps {
    int64_t first, count;
    const double *weights;
};

/* The weights of all outputs along one axis. */
struct resize_axis {
    int64_t in, out;
    struct resize_taps *taps; /* one per output */
    double *weights;          /* of all outputs */
};

/* Status 4 if memory is short. Release in any case. */
enum status resize_axis_make(struct resize_axis *a, int64_t in, int64_t out, struct failure *f);
void resize_axis_release(struct resize_axis *a);

/* Resizes a row of cols->in floats to cols->out floats. */
void resize_row(const struct resize_axis *cols, const float *from, float *to);

/* Adds the contribution of input row `row`, already resized to `cols` floats, to every output row:
 * `sums` holds rows->out x cols, zeroed at the beginning. After the last row the sums are the
 * outputs. */
void resize_add_row(const struct resize_axis *rows, int64_t row, const float *resized, int64_t cols,
                    double *sums);

#endif
