/* The samples of one experiment, grouped: points contain launches, launches contain samples. They
 * are read in one pass; a million rows need some hundred megabytes. */
#ifndef MAXPOOL_SAMPLES_H
#define MAXPOOL_SAMPLES_H

#include "experiments/common/text/numbering.h"
#include "harness/records/record.h"

/* Bytes of the texts of samples_group, samples_launch_name and samples_row_name, for every key. */
enum {
    SAMPLES_GROUP = 1024 + RECORD_TEXT,
    SAMPLES_LAUNCH = SAMPLES_GROUP + RECORD_TEXT,
    SAMPLES_ROW = SAMPLES_LAUNCH + 64
};

enum phase {
#define PHASE(constant, ...)        PHASE_##constant,
#define LAUNCH_PHASE(constant, ...) PHASE_##constant,
#include "harness/records/columns.inc"
    PHASES
};

/* The place of a row in the record: the order in which rows were measured, whatever the order of
 * the file. What is not recorded is less than everything else. */
struct place {
    int64_t round;
    uint64_t began; /* of the launch, in ns since 1970, from its run_id; 0: its run_id has none */
    int64_t number; /* of the sample; warm-ups are negative */
    int64_t turn;
};

/* One timed execution; seconds are NaN for a phase that does not apply. */
struct sample {
    size_t launch;
    int64_t number; /* counts from 0 within its launch */
    double seconds[PHASES];
    double switches; /* involuntary context switches, of all its executions; NaN: unknown */
    double cpu_mhz;  /* NaN: not recorded */
    double instructions, cycles; /* of an execution, in user mode; NaN: not counted */
};

/* The data common to all samples of one point in one run of a program. The set owns the texts, and
 * stores equal ones once. */
struct launch {
    size_t point;
    struct place place;   /* of its first row */
    int64_t round;        /* RECORD_NO_INT: not recorded */
    int64_t set;          /* set of launches that it belongs to, from 1 */
    int64_t set_launches; /* launches that make its set whole; RECORD_NO_INT: not recorded */
    bool finished;        /* ran to its end; an interrupted launch enters no statistic */
    bool left_out;        /* nor does one that other programs disturbed, if enough others remain:
                             set by the analysis */
    size_t first, count;  /* in samples.samples, without warm-ups */
    int64_t warmups;
    const char *experiment; /* for which it was measured; "": not recorded */
    const char *run_id, *stop_reason, *host, *commit, *binding, *pages, *isa, *device;
    const char *counters;   /* whether the processor's counters were read; "": not recorded */
    const char *verified;   /* of the first sample with a verdict, or "wrong" if any was: a
                               training is verified at its first and last step */
    int64_t verdict_number; /* of that sample, as in `place` */
    char first_utc[32], last_utc[32];
    int64_t repeats;         /* fewest executions that the seconds of a sample average */
    double error_ulps;       /* largest root mean square error of its results; NaN: not recorded */
    double others_cores;     /* that other programs kept busy meanwhile, mean; NaN: unknown */
    double hardware_threads; /* on which they were counted; NaN: not recorded */
    double stolen_share;     /* of the busy time, given by a hypervisor to others; NaN: unknown */
    /* Of a program of another, by usage.h; NaN: not recorded. */
    double wall_s, user_s, system_s, instructions, cycles, moved_bytes;
    double voluntary, involuntary; /* context switches */
    double peak_memory_bytes;
    size_t throttled;     /* samples after which the GPU's clock had been throttled ... */
    size_t at_power_cap;  /* ... and of these, the ones throttled by the GPU's power limit only */
    double throttle_rank; /* first rank whose GPU was, in any of them; NaN: none, or no ranks */
    size_t stopped;       /* samples during which a signal stopped one of its processes */
};

struct point_samples {
    struct record identity; /* of its first row: the point and resource columns */
    struct place place;     /* of that row */
    char *key;
    int64_t set;         /* that counts: the newest that is whole, else the oldest */
    size_t first, count; /* in samples.launches, of that set */
    size_t others;       /* launches of other sets, which follow them and enter no statistic */
};

struct samples {
    struct point_samples *points; /* in the order of the record */
    size_t point_count;
    struct launch *launches; /* grouped by point, in the order of the record */
    size_t launch_count;
    struct sample *samples; /* grouped by launch, in the order of the record */
    size_t sample_count;
    size_t unfinished; /* interrupted launches of the sets that count; their samples stay */
    int64_t warmups;
    struct record_report report; /* rows left out, and where */
    struct numbering texts;
};

/* Reads path. The order of its rows does not matter (struct place); rows with the same place keep
 * that of the file. Status 2 if it is not a file of samples, 4 if memory runs out. */
enum status samples_read(struct samples *out, const char *path, struct failure *f);
void samples_release(struct samples *s);

/* Makes a set of `own`, read from path, and the launches of its points that it lacks from the sets
 * `others`, after its own and only from the computer and commit of its own: one run of a program is
 * one launch, even if several files contain it. `own` may be one of the others. Status 4 if memory
 * runs out. */
enum status samples_join(struct samples *out, const struct samples *own, const char *path,
                         const struct samples *others, size_t count, struct failure *f);

/* Writes what is equal for samples of one point, and for no others: the point's key, and for a
 * program of another the experiment. Of two with one title nobody knows whether they are the same.
 */
void samples_group(const struct record *identity, const char *key, char group[SAMPLES_GROUP]);

/* Writes what identifies a row, whatever experiment it was measured for: run, point, and number of
 * the sample or warm-up. `launch`: that of its launch alone, which is the beginning. */
void samples_launch_name(const struct record *row, char launch[SAMPLES_LAUNCH]);
void samples_row_name(const struct record *row, char name[SAMPLES_ROW]);

/* Some points of a set. */
struct samples_part {
    const struct samples *from;
    const bool *wanted; /* by point */
    bool own;           /* all launches; otherwise those of a point that no part before has, and of
                         * others only the comparable ones, as samples_join */
};

/* Makes a set of the parts' points, in the order of the record. Status 4 if memory runs out. */
enum status samples_unite(struct samples *out, const char *path, const struct samples_part *parts,
                          size_t count, struct failure *f);

/* False for "none" and for nothing recorded: the result was not verified. */
bool has_verdict(const char *verified);

/* Number of launches of the sets that count. */
size_t samples_counting(const struct samples *s);

/* Whether newer launches replaced that run of a program in every point that it measured. False for
 * a run of which there are no samples. */
bool samples_replaced(const struct samples *s, const char *run_id);

/* The set that a row names; 1 for none, as in old files. */
int64_t record_set(const struct record *r);

/* Whether a launch enters statistics. */
bool launch_counts(const struct launch *l);

/* Copies the seconds of one phase of a launch that counts into `values`, without unavailable ones.
 * Returns their number: 0 for any other launch. */
size_t samples_phase(const struct samples *s, const struct launch *launch, enum phase phase,
                     double *values);

#endif
