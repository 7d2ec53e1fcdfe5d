/* The quality of trained parameters on samples that they were not trained with, without dropout. */
#ifndef MAXPOOL_EVALUATE_H
#define MAXPOOL_EVALUATE_H

#include "networks/data/data.h"
#include "networks/training/trainer.h"

enum { CONFUSED_MOST = 16 }; /* classes that a matrix is made for */

struct score {
    int64_t count;
    double loss;                                  /* mean of all samples */
    double accuracy;                              /* NaN where targets are values */
    int64_t matrix[CONFUSED_MOST][CONFUSED_MOST]; /* [true class][predicted class] */
    double error;          /* root of the mean squared error; NaN where targets are classes */
    double persistence;    /* the same of who expects no change; NaN where there is no such thing */
    double absolute_error; /* mean; NaN where targets are classes */
    double mean;           /* of the true values, likewise */
};

/* Status 4 where memory does not suffice. */
enum status evaluate(struct trainer *t, const struct data *d, enum data_parts part,
                     struct score *out, struct failure *f);

#endif
