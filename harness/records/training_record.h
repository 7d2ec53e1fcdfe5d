/* The course of a training: one CSV row per epoch, per element of the confusion matrix, per
 * learning rate that was tried, per day of the test part, and per moment of a series that was
 * forecast (--record-training). The columns are declared once, in training_record.c, for the writer
 * and for readers; columns that do not apply to a row's `what` are empty. */
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
    /* epoch; rows of the confusion matrix have the last trained epoch too */
    int64_t epoch, step;   /* from 1; steps done by its end */
    double seconds;        /* of all its steps */
    double loss, accuracy; /* means over its images, each before the update of its step */
    double test_accuracy, test_error;  /* on samples that were not used for training, at its end */
    double persistence;                /* error of predicting no change, on the same samples */
    char parameters_hash[RECORD_TEXT]; /* at its end */
    /* confusion: number of test samples; day: `count` samples, with their errors in the fields
     * above */
    int64_t right, said, count;
    /* rate: a step with that learning rate, and its loss, raw and as a moving average */
    double rate, smoothed_loss;
    int64_t suggested; /* 1: the suggested learning rate */
    /* epoch: mean loss on the test part; loss and accuracy on the validation part, which choices
     * use */
    double test_loss, validation_loss, validation_accuracy;
    char augment[RECORD_TEXT]; /* of the launch, as in --augment; empty: none */
    /* epoch: its wall-clock seconds, including the time between steps, without verification and
     * evaluation; its steps with a whole batch; and the seconds of the step with a smaller one */
    double wall_seconds;
    int64_t whole_steps;
    double rest_seconds;
    /* epoch: the mean absolute error on the test part, and the mean of its true values */
    double test_absolute_error, test_mean;
    /* forecast: moment `step` of a series, its second of the day, the true and the predicted
     * value */
    double day_seconds, true_value, predicted_value;
    /* of the launch, as the samples have them; the seed makes the parameters, the order of the
     * samples and the split: trainings of one seed have the same bits */
    char normalize[RECORD_TEXT], split[RECORD_TEXT], select[RECORD_TEXT];
    int64_t seed;
    char init[RECORD_TEXT]; /* as in --init; empty: he-uniform, or from a file */
};

extern const struct schema training_record_schema;

#endif
