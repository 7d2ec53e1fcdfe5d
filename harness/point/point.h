/* Measuring one point from its command line to its exit status: what every point program's main
 * calls. One method is measured, or several interleaved sample by sample, on one image. */
#ifndef MAXPOOL_POINT_H
#define MAXPOOL_POINT_H

#include "harness/base/statistics.h"
#include "harness/machine/machine.h"
#include "harness/point/options/options.h"
#include "harness/records/record.h"
#include "harness/space/simulated.h"

/* The samples of one method, and what became of it. */
struct measurement {
    struct record row;    /* the point's columns, then the last sample's */
    struct phases *timed; /* the timed samples, in order: sample i was taken in turn i */
    double *sorting;      /* room for as many numbers, so that a summary needs no memory */
    size_t count, capacity;
    int64_t repeats;         /* executions that a timed sample is the mean of */
    double spent_s;          /* on timed samples, all that belongs to them included */
    double frequency_at;     /* clock at the last reading of the CPUs' frequency */
    const char *stop_reason; /* as the record has it; NULL: it still takes part */
    struct failure verdict;  /* where a result was wrong, */
    bool outside;            /* and whether because an execution wrote outside its blocks */
};

/* One method that takes part: the point's operation by this method, and its own instance, which
 * shares image and map with that of the first. */
struct contender {
    struct operation operation;
    const struct peer *peer;   /* the library that computes; NULL: the method does */
    bool named;                /* on the command line, not by "all" */
    bool primed;               /* an untimed execution goes before each timed one */
    float *packed;             /* the right operand as the method packed it; NULL: it has none */
    double pack_s;             /* seconds that took: part of the setup */
    int64_t again;             /* of the last execution, in this process: operation.again */
    struct verifier *verifier; /* of a method that rounds more than others; NULL: the point's */
    struct instance *instance;
    struct resources resources;
    struct measurement measurement;
};

/* The point: options and what was made of them. */
struct point {
    const struct program *program;
    struct options options;
    struct source *source;
    struct operation operation; /* no method's: those of the contenders are copies with one */
    struct simulated simulated; /* of a simulated launch, */
    struct dry_run dry_run;     /* and the same of a training */
    void *subject;              /* what program->subject measures; NULL: the operation */
    struct machine machine;
    struct contender *contenders; /* as --method names them, the first the one to compare with */
    size_t contender_count;
    struct verifier *verifier;
    struct record_writer *writer;
    double clock_step_s;              /* the clock's resolution */
    const struct contender *computed; /* whose map is in memory */
    int64_t switches; /* involuntary ones of this process: so far, then during the executions */
    bool written;     /* the map, as --output asks */
    char output_note[256];
};

/* The simulated time that the point's methods take; NULL: they compute, and are clocked. */
const struct simulated *point_simulated(const struct point *p);

/* Of a training of which nothing is computed; NULL: it is. */
const struct dry_run *point_dry_run(const struct point *p);

/* Parses, measures, verifies, records, reports. Returns the exit status. */
int point_main(const struct program *program, int argc, char **argv);

/* Who verifies the results of a contender. */
struct verifier *point_verifier(const struct point *p, const struct contender *c);

/* Of several processes: the one that reads files, decides, prints, records and writes; and one
 * status out of all of theirs (harness/machine/processes.h). A process alone is the
 * root, and its own status is the common one. */
bool point_is_root(const struct point *p);
enum status point_common_status(const struct point *p, enum status status, struct failure *f);

/* A signal that one of the processes caught is for all of them. */
void point_join_signals(const struct point *p);

/* The parts, each STATUS_OK or a failure, the same in every process. */
enum status point_prepare(struct point *p, struct failure *f); /* image, filter, methods, outputs */
enum status point_open(struct point *p, struct failure *f);    /* instances of all methods */
enum status point_sample(struct point *p, struct failure *f);  /* the turns */
void point_release(struct point *p);

/* The phases that samples have, in the order of harness/records/columns.inc. */
enum sample_phase {
#define PHASE(constant, ...) SAMPLE_##constant,
#include "harness/records/columns.inc"
    SAMPLE_PHASES
};

/* Name of the record's column, word for a reader, and where struct phases holds the seconds. */
struct phase_row {
    const char *column, *word;
    size_t offset;
};
extern const struct phase_row phase_rows[SAMPLE_PHASES];

double phase_seconds(const struct phases *phases, enum sample_phase phase);

/* One phase of the timed samples, summarised; n counts the samples that have it. */
struct summary measurement_phase(const struct measurement *m, enum sample_phase phase);

#endif
