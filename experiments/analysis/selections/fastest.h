/* The fastest of several points, and two ways of doing the same. Each names the roles of a chart of
 * select_columns.
 *
 * All of the fastest name `fastest`, with its total time; `base`, its baseline with its time, and
 * `gain`, the time of `base` over that of `fastest`; `tie`, from which no difference is seen, and
 * `tie_times`, or `sole`, if it differs from all, or `only`, if there are no others; `left_out`, in
 * words; `minute`; `least`, if `sole` without `base` and `left_out`. Findings: `gain`, or `even` if
 * it is not seen to differ from the baseline; without a baseline `left_out`, `doubted`, `tied`,
 * `alone` or `only`. */
#ifndef MAXPOOL_SELECTION_FASTEST_H
#define MAXPOOL_SELECTION_FASTEST_H

#include "experiments/analysis/selections/selection.h"

role_function fastest_name_serial, /* `many`, with several workers; `maximum`, of the maximum */
    fastest_name_serial_in_caches, /* the same; `vertical`, lines at n of an image that fills a
                                      cache */
    fastest_name_window,           /* of kernels that get one window at a time */
    fastest_name_lean,             /* the same with arrays kept */
    fastest_name_image,            /* of kernels that get the whole image */
    fastest_name_space;            /* `methods`, all their names; `each`, the gain by worker */

/* `slow` and `fast`, two ways in words, at the largest problem that both solved: `times`, total
 * time over total time, `time`, that of the fast way, and `minute`. Findings: `differs`, `same`. */
role_function versus_name_offload, versus_name_pinned, versus_name_filter_window,
    versus_name_filter_image;

/* `stored`, the compute time of a method that applies its epilogue as outputs are stored, over that
 * of a separate pass; `time`, its point. */
role_function epilogue_name_share;

/* `nearest`, the drawn point of one worker nearest to this machine's limit, and each `next`, of
 * another operator or kind of work, with their shares of it; `times`, the time of `nearest` over
 * its limit. */
role_function limits_name_roof;

/* The same. Labels of marks name the fastest of each panel; each `diagonal` is a bandwidth of one
 * worker, 1e9 bytes per second, with its level, and `level` its peak, 1e9 operations per second. */
role_function limits_draw_ceilings;

/* `least` and `most`, points on a GPU with their share of time that moves data; `minute`, the
 * seconds of one that `most` moves data. */
role_function gpu_name_transfers;

#endif
