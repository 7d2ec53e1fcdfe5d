/* What operators with windows share: the options of a window, the shapes that follow from them, and
 * which elements a window reads. */
#ifndef MAXPOOL_WINDOWS_H
#define MAXPOOL_WINDOWS_H

#include "kernels/operators.h"

extern const struct parameter windows_kernel, windows_stride, windows_padding, windows_pad_mode;

/* Sets geometry and map from image and parameters, or returns why that is impossible. The map has
 * as many planes as the image. */
struct refusal windows_shape(struct operation *op);

/* The refusal for a status; REFUSAL_NONE for GEOMETRY_OK. */
struct refusal windows_refuse(enum geometry_status status, const struct geometry *g);

/* For operator rows: rows_needed, begin, region_needed. */
void windows_rows_needed(const struct operation *op, int64_t row, int64_t rows, int64_t *first,
                         int64_t *count);
struct region windows_begin(const struct operation *op, int64_t plane, int64_t row, int64_t col);
struct region windows_region(const struct operation *op, int64_t plane, int64_t row, int64_t col,
                             int64_t cols, bool narrow);

/* The number of outputs of a row whose windows span at most `most` elements; at least 1. */
int64_t windows_strip(const struct operation *op, int64_t most);

/* Both count along one axis of n elements. windows_elements_touched: a lower bound on the elements
 * that windows touch: those of the windows, less the padding before the first element and after the
 * last. windows_apart: windows that are inside the image and share no elements: every
 * ceil(k / s)-th one, from the first that begins inside. */
double windows_elements_touched(const struct geometry *g, int64_t n);
double windows_apart(const struct geometry *g, int64_t n);

#endif
