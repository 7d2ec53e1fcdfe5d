/* The progress of an experiment's trainings, from R/NAME.training.csv. Only the first network,
 * data, protocol and program of the file are read. Launches with the same seed have the same bits
 * and are one training; trainings with other seeds have parameters, orders and splits of their own.
 */
#ifndef MAXPOOL_TRAINING_CURVE_H
#define MAXPOOL_TRAINING_CURVE_H

#include "experiments/analysis/inventory.h"
#include "harness/records/record.h"

enum { CURVE_EPOCHS = 512, CURVE_LAUNCHES = 16, CURVE_CLASSES = 16, CURVE_RATES = 512 };

struct training_curve {
    char network[RECORD_TEXT], data[RECORD_TEXT], program[RECORD_TEXT];
    double learning_rate;
    size_t epochs, launches; /* recorded ones */
    char run_id[CURVE_LAUNCHES][RECORD_TEXT];
    double seconds[CURVE_EPOCHS][CURVE_LAUNCHES]; /* of each epoch; 0: not recorded */
    char split[RECORD_TEXT], normalize[RECORD_TEXT], select[RECORD_TEXT], /* the protocol */
        init[RECORD_TEXT];
    int64_t seed[CURVE_LAUNCHES]; /* RECORD_NO_INT in files of earlier versions */
    double loss[CURVE_EPOCHS], accuracy[CURVE_EPOCHS]; /* of the first seed; NaN: not recorded */
    /* On unseen images, of each epoch and launch; where the epoch of least validation loss is
     * selected, of the one selected by then. NaN: not recorded */
    double test_accuracy[CURVE_EPOCHS][CURVE_LAUNCHES];
    double validation_loss[CURVE_EPOCHS][CURVE_LAUNCHES]; /* NaN: not recorded */
    /* [right][predicted], of the longest launch with the first seed */
    int64_t matrix[CURVE_CLASSES][CURVE_CLASSES];
    size_t classes;
    int64_t matrix_epoch; /* its last epoch */
    double suggested;     /* learning rate; 0: none suggested */
    size_t rates;         /* learning rates tried, over all launches with the first seed */
    size_t tried;         /* of the first launch that tried some, with their losses: */
    double rate[CURVE_RATES], rate_loss[CURVE_RATES], smoothed_loss[CURVE_RATES];
    size_t rates_launch;
};

/* Reads it. False if the file is missing or empty. */
bool training_curve_read(struct training_curve *c, const struct experiment *e);

/* Images of the matrix, and the correctly classified ones. */
int64_t training_curve_tested(const struct training_curve *c);
int64_t training_curve_hits(const struct training_curve *c);

/* Number of trainings: of different seeds. */
size_t training_curve_trainings(const struct training_curve *c);

/* Accuracy on unseen images after epoch `epoch`, counted from 1: of one training with the interval
 * of a share of its tested images; of several the median, with its interval over trainings if there
 * are enough. `launches` is the number of trainings, 0 if none has recorded it. */
struct estimate training_curve_accuracy(const struct training_curve *c, size_t epoch);

/* Seconds from the beginning to the end of epoch `epoch`, counted from 1: the median over launches,
 * with an interval if there are enough. */
struct estimate training_curve_seconds(const struct training_curve *c, size_t epoch);

/* The 95 % interval of the share hits / count. Source: Wilson (1927), Journal of the American
 * Statistical Association 22, 209-212. */
struct interval share_interval(double hits, double count);

#endif
