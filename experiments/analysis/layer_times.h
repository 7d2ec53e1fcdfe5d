/* Where the time of a network goes: the time of each step, from the launches in the file of its
 * layers, and its share of the machine's limit. */
#ifndef MAXPOOL_LAYER_TIMES_H
#define MAXPOOL_LAYER_TIMES_H

#include "harness/base/statistics.h"
#include "harness/ceilings/ceilings.h"
#include "harness/records/layer_record.h"

enum { LAYER_STEPS = 200, LAYER_LAUNCHES = 64 };

/* A step over the launches. Of a training forward and backward, or the update. */
struct layer_time {
    char layer[RECORD_TEXT];
    char method[RECORD_TEXT];          /* ""; none was chosen */
    double roof_lower_s, roof_upper_s; /* 95 % interval of the roof's seconds; NaN: none */
    struct summary seconds;
    struct summary share; /* in the seconds of all steps of the launch */
    struct summary roof;  /* its roof's seconds over its own (harness/ceilings/roof.h); its interval
                             has the ceilings' error; NaN where no ceilings were measured, of a
                             training, and above 1 beyond the interval */
};

struct layer_times {
    char network[RECORD_TEXT];
    size_t launches, count;
    struct layer_time steps[LAYER_STEPS];
    struct layer_time all; /* seconds and roof of all steps together */
};

/* What the file says of the network that its first row is of, under the ceilings of the rows' own
 * hosts (NULL: none were measured): *out, released by free(); NULL where no step was clocked, or no
 * such file is there. Status 4. */
enum status layer_times_make(struct layer_times **out, const char *path, const struct ceilings *all,
                             struct failure *f);

/* Writes them as R/analysis/NAME.layers.csv, a row a step. Status 5. */
enum status layer_times_write(const struct layer_times *t, const char *path, struct failure *f);

#endif
