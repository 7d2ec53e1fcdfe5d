/* The values of measured points that are compared with a published number: the columns `point` and
 * `measure` of data/published/counterparts.csv. Values and intervals come from the analysis;
 * nothing is estimated here. */
#ifndef MAXPOOL_REPRODUCTION_MEASURES_H
#define MAXPOOL_REPRODUCTION_MEASURES_H

#include "experiments/report/claims/claims.h"
#include "experiments/report/report_data.h"
#include "theses/published/counterparts.h"

enum {
    MEASURE_WORDS = 6,                  /* after the name of a measure */
    TAKEN_FINDING = 48 * MEASURE_WORDS, /* a title, or a value per word */
    MEASURE_POINTS = 2,                 /* separated by " / " */
    MEASURE_CONDITIONS = 12,            /* per point */
};

/* "rows=4": a column of the record, a text or an integer, and its value. */
struct condition {
    const struct record_column *column;
    char value[RECORD_TEXT];
};

struct conditions {
    struct condition all[MEASURE_CONDITIONS];
    size_t count;
};

/* The unit of a measure's values. */
enum measure_unit {
    MEASURE_SECONDS,
    MEASURE_PLAIN, /* a share, a ratio, a count */
    MEASURE_BYTES,
    MEASURE_FINDING /* a sentence instead of a value */
};

/* The result of a measure for an experiment. */
struct taken {
    bool found;
    double value;             /* in the unit of the measure; NaN for a finding */
    struct interval interval; /* 95 %; NaN: none */
    bool trusted;             /* `trust` is set */
    enum trust trust;
    const struct point *point; /* measured one; NULL for findings and for other files */
    const char *device;        /* GPU of a figure, as its driver names it; NULL: none */
    char finding[TAKEN_FINDING], sentence[CLAIM_ANSWER];
    char why[CLAIM_TITLE]; /* why nothing was found, if the reason is known */
};

struct measure_kind;

/* Which table or curve a measure fills (figures.h). */
enum figure_form {
    FORM_NONE,
    FORM_TABLE,         /* of one kernel: n, windows, seconds of the products, seconds in all */
    FORM_CURVE,         /* of one kernel: seconds of the products against n */
    FORM_KERNELS_TABLE, /* seconds in all of the three kernels */
    FORM_KERNELS_CURVE,
    FORM_AGAINST, /* a serial program and a kernel: both times, speedup, efficiency */
};

/* A measure with its points, for one published row. */
struct measure {
    const struct measure_kind *kind;
    struct conditions points[MEASURE_POINTS];
    size_t point_count;
    char text[FILLED_TEXT]; /* storage of the words */
    const char *words[MEASURE_WORDS];
    size_t word_count;
    enum figure_form form;
};

/* Reads texts as in the columns `point` and `measure`. Returns NULL, or the fault; *in_point says
 * which of the two is faulty. */
const char *measure_read_texts(struct measure *out, const char *point, const char *measure,
                               bool *in_point);

/* Reads the point and the measure of a row's counterpart. Returns NULL, or the fault; *column is
 * then the faulty column of the counterpart. */
const char *measure_read(struct measure *out, const struct counterpart *c,
                         const struct published_row *row, enum counterpart_column *column);

enum measure_unit measure_unit_of(const struct measure *m);

/* True if the measure's points are of a GPU. */
bool measure_needs_device(const struct measure *m);

/* Takes the measure for an experiment; `found` is false if the experiment has no such point. */
void measure_take(struct taken *out, const struct measure *m, const struct experiment *e,
                  const struct language *l);

/* Takes a measure from the first of the experiments of the folder, names separated by blanks, that
 * has it, and returns that experiment; NULL if none has it: *out then has the reason, if it is
 * known. */
const struct experiment *measure_take_first(struct taken *out, const struct measure *m,
                                            const char *experiments,
                                            const struct report_data *source,
                                            const struct language *l);

#endif
