/* The timing: the kernel and methods of ours are interleaved. Every round takes one sample of each,
 * in a new random order; each sample has a new image. */
#ifndef MAXPOOL_LAB_TIMING_H
#define MAXPOOL_LAB_TIMING_H

#include "classroom/lab/next_step.h"
#include "classroom/lab/trial.h"
#include "harness/base/statistics.h"
#include "harness/machine/other_load.h"

enum { LAB_CANDIDATES = 12, LAB_NAME = 64 };

/* One participant. The first is the kernel from outside; so are the next ones if it runs with
 * several numbers of threads. */
struct lab_candidate {
    char name[LAB_NAME];
    const char *idea;     /* the idea of a method of ours; NULL: none */
    struct lab_rung rung; /* of a method of ours, with the shortest seconds before the rounds */
    bool followed;        /* the kernel does already what this method's idea says */
    struct lab_runner runner;
    struct lab_trial last;
    double *began;     /* clock_now() at the beginning, per round */
    double *seconds;   /* per round */
    double *product_s; /* per round, if the method times its product; otherwise 0 */
    struct summary time;
    struct summary ratio; /* its seconds / the kernel's seconds, per round */
};

struct lab_timing {
    struct lab_input input;
    struct lab_arrays arrays;
    struct lab_candidate candidates[LAB_CANDIDATES];
    size_t count, rounds;
    size_t kernels;             /* candidates [0, kernels) are the kernel */
    size_t literal, next, best; /* indices of candidates; 0: none. next: the slowest faster one that
                                 * the kernel does not follow already */
    struct summary best_time,
        best_ratio;          /* of the best, from rounds other than those that selected it */
    double echo_s;           /* median seconds of handing over (an empty order) */
    double *echoes;          /* seconds of each round's empty order to the kernel's worker */
    double *own_echoes;      /* of the longest one to a worker of ours; 0: there is none */
    struct other_load load;  /* from the first look at the methods to the last round */
    const char *stop_reason; /* relative_ci, samples, seconds or wrong, as in records */
    uint64_t seed;
};

struct lab_timing_plan {
    const struct operator_row *kind;
    struct foreign_sizes size;
    struct lab_start kernel; /* how to start workers of the kernel */
    const char *name;        /* of the kernel, as in records */
    const char *source;      /* the kernel's file */
    const char *program;     /* the worker program for our methods */
    /* Numbers of threads for the kernel, one candidate each; thread_count 0: that of `kernel`. */
    const int64_t *threads;
    size_t thread_count;
    const char *against; /* methods separated by commas; NULL: literal, the next step, the best */
    /* An earlier timing had these methods at this size, and verified a result of each completely:
     * one probe each is enough, and those of the methods are verified in part. */
    bool repeated;
    struct lab_habits habits; /* of the kernel */
    double relative_ci, seconds;
    /* Whether the rounds so far are enough, instead of the criterion of the intervals' widths;
     * NULL: that criterion. */
    bool (*enough)(const struct lab_timing *timing, const void *context);
    const void *context;
    int64_t rounds; /* the most rounds */
    uint64_t seed;
};

/* Runs the timing. If a trial of the kernel was not correct, lab_timing_kernel() has it in `last`;
 * a wrong method of ours is a failure of status 1. Status 2 for an unknown method, 3 for one that
 * cannot compute this operation here. */
enum status lab_timing_run(struct lab_timing *timing, const struct lab_timing_plan *plan,
                           struct failure *f);
/* Returns the candidate whose verdict is the kernel's: one that failed, or else the first. */
const struct lab_candidate *lab_timing_kernel(const struct lab_timing *timing);

/* Ends the processes and frees the arrays; the samples and the input remain. */
void lab_timing_close(struct lab_timing *timing);
void lab_timing_release(struct lab_timing *timing);

#endif
