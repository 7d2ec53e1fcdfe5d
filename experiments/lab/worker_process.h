/* A worker as its parent sees it: it is started under limits, receives orders under a time limit,
 * is stopped while its result is read, and is ended together with all processes that it left. */
#ifndef MAXPOOL_LAB_WORKER_PROCESS_H
#define MAXPOOL_LAB_WORKER_PROCESS_H

#include "experiments/lab/arrays.h"

#include <stdbool.h>
#include <sys/types.h>

enum { LAB_OUTPUT = 16384 };

struct lab_limits {
    double seconds;      /* of one call */
    int64_t memory;      /* bytes of address space beside the arrays; 0: no limit */
    int64_t most_output; /* bytes printed */
};

/* How to start one. */
struct lab_start {
    const char *program; /* path of the worker program */
    const char *script;  /* that it runs, its first argument; NULL: none */
    const char *sandbox; /* the library of the sandbox, for scripts */
    const char *what, *operator_name;
    int64_t threads;
    bool device;         /* its kernel is of a GPU */
    int counts;          /* descriptor of memory for counts of blocks; 0: none */
    const char *preload; /* a library that the sanitizer needs loaded first; NULL: none */
    struct lab_limits limits;
};

/* Why an order was not carried out. */
enum lab_end {
    LAB_RUNNING,  /* it was */
    LAB_EXITED,   /* with `code` */
    LAB_SIGNAL,   /* of number `code` */
    LAB_TIME_OUT, /* no answer within the limit */
    LAB_FLOOD     /* printed too much */
};

struct lab_worker {
    pid_t pid; /* 0: none */
    int orders, notes, output;
    struct lab_limits limits;
    enum lab_end end;
    int code;
    int64_t printed;
    char text[LAB_OUTPUT]; /* the first that it printed */
    struct lab_note note;  /* the last that it sent as an answer */
    uint64_t crashed_at;   /* LAB_SIGNAL: the place in the kernel's library; 0: not known */
    size_t bytes[LAB_ARRAYS];
    struct lab_order last; /* call */
};

/* Starts it and waits until it is ready or has ended. Status 4 where no process can be had. */
enum status lab_worker_start(struct lab_worker *w, const struct lab_start *how,
                             const struct lab_arrays *arrays, struct failure *f);

/* One order; *seconds from giving it to the answer, by this process's clock. False where w->end
 * says why there is no answer: the worker is then gone. */
bool lab_worker_order(struct lab_worker *w, const struct lab_order *order, double *seconds);

/* Every thread of it stands still from here on, until it goes on. */
void lab_worker_halt(struct lab_worker *w);
void lab_worker_resume(struct lab_worker *w);

/* CPU seconds that all its threads have used, and how many threads there are; -1: not known. */
double lab_worker_cpu(const struct lab_worker *w);
int64_t lab_worker_threads(const struct lab_worker *w);

void lab_worker_end(struct lab_worker *w);

#endif
