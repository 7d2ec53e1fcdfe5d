/* Measures one point, from its command line to its exit status: what the main of every point
 * program calls. Measures one method, or several interleaved sample by sample, on one image. */
#ifndef MAXPOOL_POINT_H
#define MAXPOOL_POINT_H

#include "harness/base/statistics.h"
#include "harness/machine/counters/counters.h"
#include "harness/machine/machine.h"
#include "harness/machine/other_load.h"
#include "harness/point/options/options.h"
#include "harness/records/record.h"
#include "harness/space/simulated.h"

/* The samples of one method, and its result. */
struct measurement {
    struct record row;    /* the point's columns, then those of the last sample */
    struct phases *timed; /* the timed samples, in order: sample i belongs to round i */
    double *sorting;      /* space for as many numbers, so that a summary allocates nothing */
    size_t count, capacity;
    int64_t repeats;         /* executions averaged in a timed sample */
    double spent_s;          /* on timed samples, including all their overhead */
    double frequency_at;     /* clock at the last reading of the CPUs' frequency */
    double counted_at;       /* clock before the last sample whose instructions were counted */
    bool uncounted;          /* those of the next sample are not */
    const char *stop_reason; /* as in the record; NULL: not stopped */
    struct failure verdict;  /* set if a result was wrong */
    bool outside; /* whether it was wrong because an execution wrote outside its blocks */
};

/* One method that takes part: the point's operation with this method, and its instance, which
 * shares image and map with the first contender's unless its processes have other parts of them. */
struct contender {
    struct operation operation;
    const struct peer *peer;   /* the library that computes; NULL: the method does */
    bool named;                /* on the command line, not through "all" */
    bool primed;               /* an untimed execution precedes each timed one */
    float *packed;             /* the right operand, packed by the method; NULL: none */
    double pack_s;             /* seconds of packing: part of the setup */
    int64_t again;             /* from the last execution, in this process: operation.recomputed */
    struct verifier *verifier; /* own, if the method rounds more than others; NULL: the point's */
    struct instance *instance;
    struct resources resources;
    struct measurement measurement;
};

/* The point: options and what follows from them. */
struct point {
    const struct program *program;
    struct options options;
    struct source *source;
    struct operation operation; /* without a method: the contenders have copies with one */
    struct simulated simulated; /* of a simulated launch */
    struct dry_run dry_run;     /* the same for a training */
    void *subject;              /* what program->subject measures; NULL: the operation */
    struct machine machine;
    struct contender *contenders; /* in the order of --method; the first is the reference */
    size_t contender_count;
    struct verifier *verifier;
    struct record_writer *writer;
    double clock_step_s;              /* the clock's resolution */
    const struct contender *computed; /* the one whose map is in memory */
    int64_t switches; /* involuntary, of this process: total so far, then of the executions */
    int64_t stops;    /* of this process by signals, likewise */
    struct counters counters;
    enum counters_state counters_state;        /* of all processes */
    struct counter_reading counted[2];         /* before and behind the last executions */
    double counted_at;                         /* clock before them */
    struct load_reading load_began, load_read; /* as the program began, and the last one */
    struct other_load load;                    /* between the two, of the busiest computer */
    bool written;                              /* the map was written (--output) */
    char output_note[256];
};

/* The simulated times of the point's methods; NULL: they compute and are timed. */
const struct simulated *point_simulated(const struct point *p);

/* The dry run of a training that computes nothing; NULL: it computes. */
const struct dry_run *point_dry_run(const struct point *p);

/* Parses, measures, verifies, records, reports. Returns the exit status. */
int point_main(const struct program *program, int argc, char **argv);

/* Returns the verifier of a contender's results. */
struct verifier *point_verifier(const struct point *p, const struct contender *c);

/* With several processes: the root reads files, decides, prints, records and writes; and the
 * statuses of all are combined into one (harness/machine/processes.h). A process alone is the root,
 * and its status is the common one. */
bool point_is_root(const struct point *p);
enum status point_common_status(const struct point *p, enum status status, struct failure *f);

/* Passes a signal that one process caught to all of them. */
void point_join_signals(const struct point *p);

/* The parts of a run. Each returns STATUS_OK or a failure, the same in every process. */
enum status point_prepare(struct point *p, struct failure *f); /* image, filter, methods, outputs */
enum status point_open(struct point *p, struct failure *f);    /* instances of all methods */
enum status point_sample(struct point *p, struct failure *f);  /* the rounds */
/* The shape of what --output writes, without elements; the shapes of the point are known. */
struct sink_map point_sink_map(const struct point *p);

/* The phases of samples, in the order of harness/records/columns.inc. */
enum sample_phase {
#define PHASE(constant, ...) SAMPLE_##constant,
#include "harness/records/columns.inc"
    SAMPLE_PHASES
};

/* Name of the record's column, name for a reader, whether "of it" precedes that name, and offset of
 * the seconds in struct phases. */
struct phase_row {
    const char *column, *word;
    bool is_part;
    size_t offset;
};
extern const struct phase_row phase_rows[SAMPLE_PHASES];

double phase_seconds(const struct phases *phases, enum sample_phase phase);

/* Returns the summary of one phase of the timed samples; n counts the samples that have it. */
struct summary measurement_phase(const struct measurement *m, enum sample_phase phase);

#endif
