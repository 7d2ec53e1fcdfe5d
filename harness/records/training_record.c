#include "harness/records/training_record.h"

#define TEXT(field, meaning) TABLE_COLUMN(struct training_record, field, COLUMN_TEXT, meaning)
#define INT(field, meaning)  TABLE_COLUMN(struct training_record, field, COLUMN_INT, meaning)
#define REAL(field, meaning) TABLE_COLUMN(struct training_record, field, COLUMN_REAL, meaning)

static const struct column columns[] = {
    TEXT(experiment, "name given to the samples"),
    TEXT(program, "program that trained"),
    TEXT(space, "who computed: serial, omp, mpi"),
    TEXT(method, "how convolutions were asked to be computed"),
    TEXT(network, "name of the network"),
    TEXT(data, "what it was trained with"),
    TEXT(optimizer, "adam or sgd"),
    TEXT(strategy, "how ranks share the parameters: mirrored or central"),
    INT(images, "images of a batch, in all processes"),
    INT(shards, "parts of a batch that have gradients of their own"),
    INT(ranks, "MPI processes"),
    INT(threads, "threads, under MPI of each rank"),
    REAL(learning_rate, "learning rate"),
    TEXT(run_id, "the launch, as in the samples"),
    INT(round, "number given to the launch"),
    TEXT(host, "computer"),
    TEXT(commit, "of the sources"),
    TEXT(what, "kind of the row: epoch, confusion, rate, day or forecast"),
    INT(epoch, "epoch, from 1; the last in rows of the confusion matrix"),
    INT(step, "steps done by its end; of a rate, a day or a forecast its number, from 1"),
    REAL(seconds, "seconds of the epoch's steps"),
    REAL(loss, "mean over the epoch's images before each update; of a rate the step's"),
    REAL(accuracy, "share of the epoch's images whose class was right before each update"),
    REAL(test_accuracy, "share of samples that were not trained with, at the epoch's end"),
    REAL(test_error, "root of the mean squared error on them"),
    REAL(persistence, "the same of who expects no change"),
    TEXT(parameters_hash, "hash of the parameters at the epoch's end"),
    INT(right, "true class"),
    INT(said, "predicted class"),
    INT(count, "how often, on samples that were not trained with; of a day its samples"),
    REAL(rate, "learning rate that was tried"),
    REAL(smoothed_loss, "moving average of the losses up to it"),
    INT(suggested, "1 on the rate that is suggested"),
    REAL(test_loss, "mean loss of samples that were not trained with, at the epoch's end"),
    REAL(validation_loss, "mean loss on the validation part, which choices use"),
    REAL(validation_accuracy, "accuracy on the validation part"),
    TEXT(augment, "how training images were changed at random; empty: not at all"),
    REAL(wall_seconds,
         "seconds from the epoch's begin to its end, verification and evaluation not counted"),
    INT(whole_steps, "steps of the epoch with a whole batch"),
    REAL(rest_seconds, "seconds of its step with fewer images; 0: there is none"),
    REAL(test_absolute_error, "mean absolute error on samples that were not trained with"),
    REAL(test_mean, "mean of their true values"),
    REAL(day_seconds, "seconds of the day at a forecast"),
    REAL(true_value, "what came 10 s later"),
    REAL(predicted_value, "what was predicted of it"),
    TEXT(normalize, "how the values of images were normalized; empty: not at all"),
    TEXT(split, "images for training, validation and test; empty: all of the data set"),
    TEXT(select, "the epoch that is tested; empty: the last one"),
    INT(seed, "seed of the parameters, the order of the samples and the split"),
    TEXT(init, "how the parameters began; empty: he-uniform, or from a file"),
};

_Static_assert(TABLE_LINE_FITS(struct training_record, columns), "a row must fit a line");

const struct schema training_record_schema = {columns, sizeof columns / sizeof columns[0],
                                              sizeof(struct training_record)};
