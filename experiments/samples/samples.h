/* The samples of one experiment, grouped: points hold launches, launches hold samples. Read in one
 * pass; a million rows need some hundred megabytes. */
#ifndef MAXPOOL_SAMPLES_H
#define MAXPOOL_SAMPLES_H

#include "experiments/common/text/numbering.h"
#include "harness/records/record.h"

enum phase {
#define PHASE(constant, ...)        PHASE_##constant,
#define LAUNCH_PHASE(constant, ...) PHASE_##constant,
#include "harness/records/columns.inc"
    PHASES
};

/* One timed execution; seconds, NaN where a phase does not apply. */
struct sample {
    size_t launch;
    double seconds[PHASES];
    double switches; /* involuntary ones, of all executions that it is the mean of; NaN: not
                        recorded */
    double cpu_mhz;  /* NaN: not recorded */
};

/* What all samples of one point in one run of a program share. Texts belong to the set, and equal
 * ones are one. */
struct launch {
    size_t point;
    int64_t round; /* RECORD_NO_INT: not recorded */
    bool finished; /* it went to its end; one that was interrupted has no say in any statistic */
    size_t first, count; /* in samples.samples; warm-ups are not among them */
    const char *run_id, *stop_reason, *host, *commit, *binding, *pages, *isa, *device;
    const char *verified; /* of the first sample that has a verdict, or "wrong" where any was: of a
                             training the first and the last step are looked at */
    char first_utc[32], last_utc[32];
    int64_t repeats;     /* fewest executions that the seconds of a sample are the mean of */
    double error_ulps;   /* largest root mean square error of its results; NaN: not recorded */
    size_t throttled;    /* samples after which something had throttled the GPU's clock ... */
    size_t at_power_cap; /* ... and of these, the GPU's power limit and nothing else */
};

struct point_samples {
    struct record identity; /* of its first row: the point and resource columns */
    char *key;
    size_t first, count; /* in samples.launches */
};

struct samples {
    struct point_samples *points;
    size_t point_count;
    struct launch *launches; /* grouped by point, in the order of the file */
    size_t launch_count;
    struct sample *samples; /* grouped by launch, in the order of the file */
    size_t sample_count;
    size_t unfinished; /* launches that were interrupted; their samples stay in the set */
    int64_t warmups;
    struct record_report report; /* rows left out, and where */
    struct numbering texts;
};

/* Reads path. Status 2 where it is no file of samples, 4 where memory lacks. */
enum status samples_read(struct samples *out, const char *path, struct failure *f);
void samples_release(struct samples *s);

/* What was read as `own`, from path, and of the sets `others` the launches of those points that it
 * lacks, behind its own, where they are of the computer and the commit of its own: one run of a
 * program is one launch, in however many files it stands. `own` may be one of the others. Status 4
 * where memory lacks. */
enum status samples_join(struct samples *out, const struct samples *own, const char *path,
                         const struct samples *others, size_t count, struct failure *f);

/* Root mean square error of a row's result in ulps: of a network's outputs against double precision
 * throughout, of an operator's against its oracle. NaN: not recorded, as in old files. */
double record_error_ulps(const struct record *r);

/* False for "none" and for nothing recorded: a result that nobody looked at. */
bool has_verdict(const char *verified);

/* Copies the seconds of one phase of one finished launch into `values`, leaving out what is not
 * available. Returns how many: none of a launch that was interrupted. */
size_t samples_phase(const struct samples *s, const struct launch *launch, enum phase phase,
                     double *values);

#endif
