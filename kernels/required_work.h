/* The work that an operator must do, whichever method does it; work that only a method chooses to
 * do is not counted. The roof of a point (experiments/limits/roof.h) is the least time that this
 * work takes. */
#ifndef MAXPOOL_KERNELS_REQUIRED_WORK_H
#define MAXPOOL_KERNELS_REQUIRED_WORK_H

/* Work in multiply-adds and in maxima of two values. */
struct arithmetic {
    double multiply_adds, maxima;
};

struct need {
    double bytes_read, bytes_written; /* everything that is touched, counted once */
    struct arithmetic least;          /* what every method must do */
    struct arithmetic per_output;     /* for a method that computes each output by itself */
};

#endif
