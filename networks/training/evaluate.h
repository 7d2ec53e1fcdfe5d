/* The quality of trained parameters on samples that they were not trained with, without dropout. */
#ifndef MAXPOOL_EVALUATE_H
#define MAXPOOL_EVALUATE_H

#include "networks/data/data.h"
#include "networks/training/trainer.h"

enum { CONFUSED_MOST = 16 }; /* most classes for which there is a matrix */

struct score {
    int64_t count;
    double loss;                                  /* mean of all samples */
    double accuracy;                              /* NaN if targets are values */
    int64_t matrix[CONFUSED_MOST][CONFUSED_MOST]; /* [true class][predicted class] */
    double error;          /* root of the mean squared error; NaN if targets are classes */
    double persistence;    /* the same for the forecast of no change; NaN if there is none */
    double absolute_error; /* mean; NaN if targets are classes */
    double mean;           /* of the true values; NaN if targets are classes */
};

/* Computes the score of one part of the data. Status 4 if memory does not suffice. */
enum status evaluate(struct trainer *t, const struct data *d, enum data_parts part,
                     struct score *out, struct failure *f);

#endif
