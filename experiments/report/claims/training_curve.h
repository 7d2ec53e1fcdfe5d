/* How the trainings of an experiment went, from R/NAME.training.csv. Only those of the first
 * network, data and program of the file are looked at: of one program all launches are alike. */
#ifndef MAXPOOL_CLAIMS_TRAINING_CURVE_H
#define MAXPOOL_CLAIMS_TRAINING_CURVE_H

#include "experiments/analysis/inventory.h"
#include "harness/records/record.h"

enum { COURSE_EPOCHS = 512, COURSE_LAUNCHES = 16, COURSE_CLASSES = 16 };

struct course {
    char network[RECORD_TEXT], data[RECORD_TEXT], program[RECORD_TEXT];
    double learning_rate;
    size_t epochs, launches; /* those told */
    char run_id[COURSE_LAUNCHES][RECORD_TEXT];
    double seconds[COURSE_EPOCHS][COURSE_LAUNCHES]; /* of each epoch; 0: not told */
    double test_accuracy[COURSE_EPOCHS];            /* equal in all launches; NaN: not told */
    int64_t matrix[COURSE_CLASSES][COURSE_CLASSES]; /* [right][said], of the longest training */
    size_t classes;
    int64_t matrix_epoch; /* its last */
    double suggested;     /* learning rate; 0: none was */
    size_t rates;         /* that were tried, by the launches together */
};

/* Reads it. False where there is no such file, or nothing in it. */
bool course_read(struct course *c, const struct experiment *e);

/* Images of the matrix, and those whose class was right. */
int64_t course_tested(const struct course *c);
int64_t course_hits(const struct course *c);

/* Seconds from the beginning to the end of epoch `epoch`, counted from 1: the median over launches,
 * and its interval where there are enough. */
struct estimate course_seconds(const struct course *c, size_t epoch);

/* The 95 % interval of a share that `hits` of `count` are. Source: Wilson (1927), Journal of the
 * American Statistical Association 22, 209-212. */
struct interval course_share_interval(double hits, double count);

#endif
