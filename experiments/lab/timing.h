/* The timing: the kernel and methods of ours are interleaved, one sample of each in every round, in
 * a new random order, each sample on a new image. */
#ifndef MAXPOOL_LAB_TIMING_H
#define MAXPOOL_LAB_TIMING_H

#include "experiments/lab/trial.h"
#include "harness/base/statistics.h"

enum { LAB_CANDIDATES = 12, LAB_NAME = 64 };

/* One that takes part. The first is the kernel from outside, and so are others where it runs on
 * several numbers of threads. */
struct lab_candidate {
    char name[LAB_NAME];
    const char *idea; /* of a method of ours; NULL: none */
    struct lab_party party;
    struct lab_trial last;
    double *began;     /* by clock_now(), in each round */
    double *seconds;   /* of each round */
    double *product_s; /* of each round, where the method clocks its product; 0: it does not */
    struct summary time;
    struct summary ratio; /* its seconds over the kernel's, round by round */
};

struct lab_timing {
    struct lab_input input;
    struct lab_arrays arrays;
    struct lab_candidate candidates[LAB_CANDIDATES];
    size_t count, rounds;
    size_t kernels;             /* candidates [0, kernels) are the kernel */
    size_t literal, next, best; /* which of them; 0: none */
    struct summary best_time,
        best_ratio;          /* of the best, by other rounds than those that chose it */
    double echo_s;           /* the median of what handing over takes */
    double *echoes;          /* room for as many as rounds */
    const char *stop_reason; /* relative_ci, samples, seconds or wrong, as records have it */
    uint64_t seed;
};

struct lab_timing_plan {
    const struct lab_kind *kind;
    struct lab_size size;
    struct lab_start kernel; /* how workers of the kernel are started */
    const char *name;        /* of the kernel, as records have it */
    const char *source;      /* its file */
    const char *program;     /* the worker program of our methods */
    /* Numbers of threads that the kernel runs on, in turn; 0 of them: on those of `kernel`. */
    const int64_t *threads;
    size_t thread_count;
    const char *against; /* methods separated by commas; NULL: literal, the next step, the best */
    double relative_ci, seconds;
    /* In place of the intervals' widths: whether the rounds so far are enough; NULL: the widths. */
    bool (*enough)(const struct lab_timing *timing, const void *context);
    const void *context;
    int64_t rounds; /* at most */
    uint64_t seed;
};

/* Runs it. The kernel's trial that was not correct, if any, is candidates[0].last; a method of ours
 * that is wrong is a failure of status 1. Status 2 for a method that there is not, 3 for one that
 * cannot do it here. */
enum status lab_timing_run(struct lab_timing *timing, const struct lab_timing_plan *plan,
                           struct failure *f);
/* The kernel, as the candidate whose verdict counts: one that failed, else the first. */
const struct lab_candidate *lab_timing_kernel(const struct lab_timing *timing);

/* Ends the processes and frees the arrays; the samples stay, and what they are of. */
void lab_timing_close(struct lab_timing *timing);
void lab_timing_release(struct lab_timing *timing);

/* The order of `count` candidates in a round, by their places: a pure function of seed and round.
 */
void lab_timing_order(uint64_t seed, size_t round, size_t count, size_t order[LAB_CANDIDATES]);

#endif
