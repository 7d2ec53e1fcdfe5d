/* A worker process, seen from its parent: it is started under limits, receives orders under a time
 * limit, is stopped while its result is read, and is ended together with all processes that it
 * started. */
#ifndef MAXPOOL_LAB_WORKER_PROCESS_H
#define MAXPOOL_LAB_WORKER_PROCESS_H

#include "classroom/lab/arrays.h"
#include "classroom/lab/guard/thread_limit.h"

#include <stdbool.h>
#include <sys/types.h>

enum { LAB_OUTPUT = 16384 };

struct lab_limits {
    double seconds;      /* of one call */
    int64_t memory;      /* bytes of address space in addition to the arrays; 0: no limit */
    int64_t most_output; /* bytes printed */
};

/* How to start a worker. */
struct lab_start {
    const char *program; /* path of the worker program */
    const char *script;  /* script that it runs, as its first argument; NULL: none */
    const char *sandbox; /* the sandbox as a library, for scripts */
    const char *what, *operator_name;
    int64_t threads;
    bool foreign;        /* what it calls is not ours: it is kept in a sandbox */
    bool device;         /* the kernel runs on a GPU */
    bool emulated;       /* of an emulated device */
    const char *preload; /* libraries that the sanitizer needs loaded first, joined by colons; NULL:
                          * none */
    struct lab_limits limits;
};

/* Why an order was not executed. */
enum lab_end {
    LAB_RUNNING,  /* it was executed, or the worker still runs */
    LAB_EXITED,   /* with exit status `code` */
    LAB_SIGNAL,   /* by signal number `code` */
    LAB_TIME_OUT, /* no answer within the time limit */
    LAB_FLOOD     /* it printed more than the limit */
};

struct lab_worker {
    pid_t pid; /* 0: there is no process */
    bool stopped;
    int orders, notes, output;
    int listener;    /* asks for new threads; -1: none */
    int64_t threads; /* the most that may run */
    struct thread_grant last_thread;
    bool refused_a_thread; /* it wanted more */
    bool with_device;      /* it uses a GPU, whose driver starts threads */
    int protection;        /* bits of enum lab_protection */
    struct lab_limits limits;
    enum lab_end end;
    int code;
    int64_t printed;
    char text[LAB_OUTPUT]; /* the first bytes that it printed */
    struct lab_note note;  /* its last answer */
    uint64_t crashed_at;   /* LAB_SIGNAL: offset in the kernel's library; 0: not known */
    int crashed_by;        /* the signal that arrived first; 0: not known */
    size_t bytes[LAB_ARRAYS];
    struct lab_order last; /* the last order that calls the kernel */
};

/* Starts a worker and waits until it is ready or has ended. Status 4 if no process is available. */
enum status lab_worker_start(struct lab_worker *w, const struct lab_start *how,
                             const struct lab_arrays *arrays, struct failure *f);

/* Gives one order to a stopped worker and stops it after its answer. *began: clock_now() before it
 * may run; *seconds: from then until every thread of it is stopped again, so that nothing that it
 * does is outside. Returns false if there is no answer; the worker has then ended, and w->end says
 * why. */
bool lab_worker_clock(struct lab_worker *w, const struct lab_order *order, double *began,
                      double *seconds);

/* Stops every thread of the worker, until lab_worker_resume(). On return all are stopped. */
void lab_worker_halt(struct lab_worker *w);
void lab_worker_resume(struct lab_worker *w);

/* CPU seconds of all its threads so far, and their number; -1: not known. */
double lab_worker_cpu(const struct lab_worker *w);
int64_t lab_worker_threads(const struct lab_worker *w);

void lab_worker_end(struct lab_worker *w);

#endif
