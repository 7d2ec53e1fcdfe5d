/* How the time grows: with n, with the windows, with k, s and p. Each names the roles of a chart of
 * select_columns.
 *
 * All but that of the windows name `exponent`, the power of x, `x`, its name, and `what`, in words;
 * `times`, the factor of a doubled x, and `grows` or `divided`, its inverse; `points`; `curve`. The
 * findings are `power` and `bent`, which also names `bent`, `low`, the exponent from `low_from` to
 * `low_to`, `high_from` and `high_to`, between which `exponent` is, and `fixed`, the x below which
 * costs dominate that do not grow. */
#ifndef MAXPOOL_SELECTION_GROWTH_H
#define MAXPOOL_SELECTION_GROWTH_H

#include "experiments/analysis/selections/selection.h"

role_function growth_name_size, /* `size`; `last`, its time at the largest n; `side` or `no_side`;
                                   its basis, `fitted` or `between` (the two largest sizes) */
    growth_name_rate,           /* the same; `best`, the highest rate, and `peak` of one core */
    growth_name_windows,        /* `more` windows `from` one n `to` the next, `times` as long */
    growth_name_kernel,         /* `kernel`; finding `shape`: powers of `windows` and `k`, fitted */
    growth_name_stride,         /* `stride`; `share` of the time `from` the first `to` the last */
    growth_name_filters;        /* finding `filters`; powers of the `strides` and `images` too */

#endif
