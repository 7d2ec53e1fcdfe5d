/* One call of a kernel on a new input, and its verdict. */
#ifndef MAXPOOL_LAB_TRIAL_H
#define MAXPOOL_LAB_TRIAL_H

#include "classroom/lab/guard/worker_process.h"
#include "classroom/lab/input.h"

/* The verdicts, the worst one last. Only LAB_CORRECT allows a time. */
enum lab_verdict {
    LAB_CORRECT,
    LAB_WRONG,      /* an output is wrong or was never written */
    LAB_LATE,       /* an output is wrong, and the map still changed after the return */
    LAB_OUTSIDE,    /* it wrote into the map's array, outside the map */
    LAB_INPUT,      /* it wrote into its input */
    LAB_MEMORY,     /* a sanitizer stopped it */
    LAB_CRASHED,    /* it was ended by a signal or an exception, or the GPU refused */
    LAB_LEFT,       /* it ended the process itself */
    LAB_ENDLESS,    /* it did not return within the time limit */
    LAB_PRINTED,    /* it printed more than the limit allows */
    LAB_PROCESS,    /* it started a process or a program */
    LAB_THREADS,    /* it used more threads than allowed */
    LAB_TOO_FAST,   /* faster than this machine can be */
    LAB_HAND_OVER,  /* it works while an order is handed over */
    LAB_UNCOMPILED, /* it does not compile, or lacks the function */
    LAB_VERDICTS
};

/* Returns the word for a verdict: "correct", "wrong", "late", ... */
const char *lab_verdict_word(enum lab_verdict verdict);

/* A worker together with the properties of its kernel. */
struct lab_runner {
    struct lab_worker worker;
    int64_t threads;
    bool planar;         /* it takes images of several channels plane by plane */
    bool trusted;        /* a method of ours, or of a library */
    bool prepared;       /* a library's, which prepared the second operand that its calls share */
    bool checked;        /* built with sanitizers */
    bool device;         /* it runs on a GPU; arrays are copied outside the timed region */
    bool emulated;       /* on an emulated one, which checks every access */
    const char *source;  /* the kernel's file, as compilers name it; NULL: none */
    const char *library; /* the kernel's library, whose debug information has lines; NULL: none */
};

struct lab_trial {
    enum lab_verdict verdict;
    double began;     /* clock_now() before the worker might run */
    double seconds;   /* from then until all of it was stopped */
    double product_s; /* seconds in products, of a method of ours that times them; otherwise 0 */
    double echo_s;    /* seconds of an empty order, likewise */
    char cause[640];  /* a sentence without a full stop; "" if correct */
    char source_line[256]; /* FILE:LINE if known */
    int64_t output;        /* index of the wrong output in linear order; -1: none */
    bool all_verified;     /* every output was compared, not only a random sample */
};

/* What to call and verify in a trial. */
struct lab_trial_options {
    uint64_t seed;     /* of the image, and of the random sample of outputs */
    int64_t max_value; /* largest value: the image has integers 0 .. max_value */
    bool every_output;
    bool at_end; /* operands end directly before unreadable memory */
    /* Where there are such values, for a kernel from outside: those whose exact result float holds
     * and narrower formats do not, instead of 0 .. max_value. */
    bool exact;
};

/* Fills the arrays, calls the kernel, and verifies the result. The worker runs only while its call,
 * or an empty order before it, is clocked. Each call gets a second operand of its own, except where
 * a library prepared it; `in` keeps it if the verdict is not LAB_CORRECT. The status reports only
 * failures of the suite. */
enum status lab_try(struct lab_runner *runner, struct lab_input *in,
                    const struct lab_arrays *arrays, const struct lab_trial_options *options,
                    struct lab_trial *out, struct failure *f);

/* Sets the verdict from how the worker ended. */
void lab_classify_end(const struct lab_runner *runner, struct lab_trial *out);

#endif
