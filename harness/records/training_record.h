/* How a training went: one CSV row per epoch, per element of the confusion matrix, per learning
 * rate that was tried, per day of the test part, and per moment of a series that was forecast
 * (--record-training). The columns are declared once, in training_record.c, for the writer and for
 * readers; those that a row's `what` has no use for are empty. */
#ifndef MAXPOOL_TRAINING_RECORD_H
#define MAXPOOL_TRAINING_RECORD_H

#include "harness/records/record.h"

struct training_record {
    /* the launch, as the samples of the same run_id have it */
    char experiment[RECORD_TEXT];
    char program[RECORD_TEXT];
    char space[RECORD_TEXT];
    char method[RECORD_TEXT];
    char network[RECORD_TEXT], data[RECORD_TEXT], optimizer[RECORD_TEXT], strategy[RECORD_TEXT];
    int64_t images, shards, ranks, threads;
    double learning_rate;
    char run_id[RECORD_TEXT];
    int64_t round;
    char host[RECORD_TEXT];
    char commit[RECORD_TEXT];
    char what[RECORD_TEXT]; /* epoch, confusion, rate, day, forecast */
    /* epoch; the last that was trained stands in rows of the confusion matrix too */
    int64_t epoch, step;               /* from 1; steps done by its end */
    double seconds;                    /* of all its steps */
    double loss, accuracy;             /* means over its images, each before its step's update */
    double test_accuracy, test_error;  /* on samples that were not trained with, at its end */
    double persistence;                /* error of who expects no change, on the same samples */
    char parameters_hash[RECORD_TEXT]; /* at its end */
    /* confusion: how often, on the test part; day: `count` samples, and their errors above */
    int64_t right, said, count;
    /* rate: a step with that learning rate, and its loss, also as a moving average */
    double rate, smoothed_loss;
    int64_t suggested; /* 1: the one that is suggested */
    /* epoch: the mean loss of the test part; of the validation part, which choices are made by */
    double test_loss, validation_loss, validation_accuracy;
    char augment[RECORD_TEXT]; /* of the launch, as --augment has it; empty: none */
    /* epoch: its seconds by the clock, what lies between its steps counted, verification and
     * evaluation not; its steps with a whole batch, and the seconds of the one without */
    double wall_seconds;
    int64_t whole_steps;
    double rest_seconds;
    /* epoch: the mean amount of the test part's errors, and the mean of its true values */
    double test_absolute_error, test_mean;
    /* forecast: moment `step` of a series, the seconds of its day, what was true and predicted */
    double day_seconds, true_value, predicted_value;
};

extern const struct schema training_record_schema;

#endif
