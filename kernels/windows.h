/* What operators with windows share: the options of a window, the shapes that follow from them, and
 * which elements a window reads. */
#ifndef MAXPOOL_WINDOWS_H
#define MAXPOOL_WINDOWS_H

#include "kernels/operators.h"

extern const struct parameter windows_kernel, windows_stride, windows_padding, windows_pad_mode;

/* Completes the geometry of image and parameters; or why it cannot be. The map has as many planes
 * as the image. */
struct refusal windows_shape(struct operation *op);

/* Why a geometry of that status is none. */
struct refusal windows_refuse(enum geometry_status status, const struct geometry *g);

/* For the row: operator_row.rows_needed, begin, region_needed. */
void windows_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                         int64_t *count);
struct region windows_begin(const struct operation *op, int64_t plane, int64_t row, int64_t col);
struct region windows_region(const struct operation *op, int64_t plane, int64_t row, int64_t col,
                             int64_t cols, bool narrow);

/* Outputs of a row whose windows span at most that many elements; at least 1. */
int64_t windows_strip(const struct operation *op, int64_t most);

/* Of one axis of n elements. Elements that the windows touch, at the least: those of the windows,
 * less what lies in the padding before the first element and behind the last; and windows that lie
 * inside the image and share no elements: every ceil(k / s)-th one, from the first that begins
 * inside. */
double windows_elements_touched(const struct geometry *g, int64_t n);
double windows_apart(const struct geometry *g, int64_t n);

#endif
