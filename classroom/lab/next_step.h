/* What the ladder still has for a kernel: the slowest method that is faster and whose idea the
 * kernel does not follow already. What a kernel follows is found by what was measured and by what
 * the compiler did, never by its name. */
#ifndef MAXPOOL_LAB_NEXT_STEP_H
#define MAXPOOL_LAB_NEXT_STEP_H

#include "classroom/lab/compiled/loops.h"
#include "classroom/lab/hand_over.h"
#include "harness/limits/roof.h"

/* What is known of the kernel. */
struct lab_habits {
    bool vectors; /* the compiler used vectors in one of its loops */
    bool shares;  /* by its times, overlapping windows share work */
};

/* A method of the ladder, in its order. */
struct lab_rung {
    bool vectors; /* as in struct method */
    bool staged;  /* it is there to clock the product: no advice */
    double seconds;
};

/* Whether a kernel of `seconds` follows the idea of rungs[i] already. The first rung is where
 * everybody begins. The first one in vectors is followed by a kernel in vectors; any other by a
 * kernel whose time is nearer, in factors, to its time than to that of the rung before it. A kernel
 * in vectors whose windows share work follows them all. */
bool lab_rung_is_followed(const struct lab_rung *rungs, size_t i, const struct lab_habits *habits,
                          double seconds);

/* Whether the times at strides 2 and 4 show shared work. The work of separate windows grows as 1 /
 * stride squared: 4 times; that of a row's windows that share it as 1 / stride at most: 2 times.
 * The limit is halfway in factors, 2.83. False for NaN. */
bool lab_strides_show_sharing(double seconds_2, double seconds_4);

/* Measures that, with windows of 8 x 8 on an image of at most 256 rows: some 16 million
 * multiplications a call. False for a kernel that failed, and for one whose operation has no
 * windows or has several filters. The status reports only failures of the suite. */
enum status lab_habits_find(struct lab_habits *out, const struct lab_loops *loops,
                            const struct foreign_sizes *size, const struct operator_row *kind,
                            const struct lab_start *how, uint64_t seed, struct failure *f);

/* Whether a kernel that reaches `share` of this machine's limit can hardly become faster by fewer
 * operations: its memory traffic sets the limit, and a quarter of the speed at most is missing (a
 * share of 0.8). */
bool lab_is_at_memory_limit(const struct roof *roof, double share);

#endif
