/* One call of a kernel on a new input, and its verdict. */
#ifndef MAXPOOL_LAB_TRIAL_H
#define MAXPOOL_LAB_TRIAL_H

#include "experiments/lab/input.h"
#include "experiments/lab/worker_process.h"

/* The verdicts, worst last. Only LAB_CORRECT is worth a time. */
enum lab_verdict {
    LAB_CORRECT,
    LAB_WRONG,    /* an output is wrong, or was never written */
    LAB_LATE,     /* ... and work went on after the function returned */
    LAB_OUTSIDE,  /* it wrote beside the map */
    LAB_INPUT,    /* it wrote into its input */
    LAB_MEMORY,   /* a sanitizer stopped it */
    LAB_CRASHED,  /* a signal ended it */
    LAB_LEFT,     /* it ended the process */
    LAB_ENDLESS,  /* it did not return within the limit */
    LAB_PRINTED,  /* it printed more than the limit */
    LAB_PROCESS,  /* it started a process or a program */
    LAB_THREADS,  /* it used more threads than allowed */
    LAB_TOO_FAST, /* faster than this machine can be */
    LAB_VERDICTS
};

/* The word of a verdict: "correct", "wrong", "late", ... */
const char *lab_verdict_word(enum lab_verdict verdict);

/* Who computes: a worker, and how it likes its images. */
struct lab_party {
    struct lab_worker worker;
    int64_t threads;
    bool planar;         /* images of several channels plane by plane */
    bool trusted;        /* a method of ours */
    bool checked;        /* built with sanitizers */
    bool device;         /* of a GPU: arrays are copied there and back outside the timed region */
    const char *source;  /* the kernel's file, as compilers name it; NULL: none */
    const char *library; /* the kernel's, which knows its source lines; NULL: none */
};

struct lab_trial {
    enum lab_verdict verdict;
    double began;      /* by clock_now(), when the order was given */
    double seconds;    /* from the order to the answer */
    double product_s;  /* of it in products, of a method of ours that clocks them; 0: not clocked */
    double echo_s;     /* from an order to do nothing to its answer */
    char cause[400];   /* a sentence without a full stop; "" where correct */
    char place[256];   /* FILE:LINE where known */
    int64_t output;    /* the wrong output in linear order; -1: none */
    bool all_verified; /* every output was compared, not only a sample */
};

/* How to look at the result. */
struct lab_look {
    uint64_t seed;     /* of the image, and of the outputs that are drawn */
    int64_t max_value; /* the image has integers 0 .. max_value */
    bool every_output;
    bool at_end; /* operands end where unreadable memory begins */
};

/* Fills the arrays, calls, and verifies. The worker stands still from its answer on, until it is
 * tried again. Status of what failed on our side only. */
enum status lab_try(struct lab_party *party, struct lab_input *in, const struct lab_arrays *arrays,
                    const struct lab_look *look, struct lab_trial *out, struct failure *f);

/* What became of a worker that is gone, as a verdict. */
void lab_classify_end(const struct lab_party *party, struct lab_trial *out);

#endif
