/* Where the time of a network goes: the time of each step, from the launches in the file of its
 * layers, and its share of the machine's limit. */
#ifndef MAXPOOL_LAYER_TIMES_H
#define MAXPOOL_LAYER_TIMES_H

#include "experiments/samples/samples.h"
#include "harness/base/statistics.h"
#include "harness/limits/ceilings.h"
#include "harness/records/layer_record.h"

enum { LAYER_STEPS = 200, LAYER_LAUNCHES = 64, LAYER_PASSES = 3 };

/* One step over all launches. In a training: its forward and backward pass, or the update. */
struct layer_time {
    char layer[RECORD_TEXT];
    char method[RECORD_TEXT];          /* "": none was chosen */
    double roof_lower_s, roof_upper_s; /* 95 % interval of the roof's seconds; NaN: none */
    struct summary seconds;
    struct summary share;                /* of the seconds of all steps in the launch */
    struct summary passes[LAYER_PASSES]; /* likewise, of each pass of a training: forward, backward,
                                            update */
    struct summary roof; /* its roof's seconds / its own (harness/limits/roof.h); the interval
                            includes the ceilings' error; NaN without ceilings, for a training,
                            and if the whole interval is above 1 */
};

struct layer_times {
    char network[RECORD_TEXT];
    size_t launches, count;
    struct layer_time steps[LAYER_STEPS];
    struct layer_time all; /* seconds and roof of all steps together */
};

/* Reads the file's rows of one network, that of the first row, with the ceilings of each row's own
 * host (`all` is NULL: none were measured). Rows of launches that `samples` counts no longer, since
 * newer ones replaced them, are left out. *out is released with free(); it is NULL if no step was
 * clocked or the file is missing. Status 4. */
enum status layer_times_make(struct layer_times **out, const char *path,
                             const struct samples *samples, const struct ceilings *all,
                             struct failure *f);

/* Writes them as R/analysis/NAME.layers.csv, one row per step. Status 5. */
enum status layer_times_write(const struct layer_times *t, const char *path, struct failure *f);

#endif
