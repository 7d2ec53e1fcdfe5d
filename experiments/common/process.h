/* Running one command under a time limit, in a process group of its own that ends with it. */
#ifndef MAXPOOL_PROCESS_H
#define MAXPOOL_PROCESS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum process_end {
    PROCESS_EXITED,     /* by itself, with exit_status */
    PROCESS_KILLED,     /* by signal */
    PROCESS_TIMED_OUT,  /* by us, at the time limit */
    PROCESS_STOPPED,    /* by us, because we are asked to stop */
    PROCESS_NOT_STARTED /* no such program; `output` says why */
};

enum { PROCESS_OUTPUT = 8192 };

struct process_result {
    enum process_end end;
    int exit_status; /* -1 where it did not exit */
    int signal;      /* 0 where none ended it */
    double seconds;
    char output[PROCESS_OUTPUT]; /* the tail of stdout and stderr together */
};

struct process_limits {
    double seconds;       /* then SIGTERM to the group; 0: no limit */
    double grace_seconds; /* from SIGTERM to SIGKILL */
    int death_signal;     /* what the kernel sends it should we die; 0: nothing */
};

/* Runs argv[0] (found in PATH where it has no '/'), stdin empty. Whatever is left of its group is
 * killed when it ends. Status 4 where no process or pipe can be had; all else is in *result. */
enum status process_run(char *const argv[], const struct process_limits *limits,
                        struct process_result *result, struct failure *f);

/* The same of several commands side by side, at most PROCESSES_AT_ONCE; *limits is of each. Where
 * one of them cannot be had, none goes on. */
enum { PROCESSES_AT_ONCE = 4 };
enum status process_run_all(char *const *const commands[], size_t count,
                            const struct process_limits *limits, struct process_result *results,
                            struct failure *f);

/* True where PATH has an executable of that name. */
bool process_in_path(const char *program);

/* From here on SIGINT, SIGTERM and SIGHUP no longer kill this process: they end a process_run()
 * with PROCESS_STOPPED, and process_stop_signal() says which came (0: none). A second one kills
 * the command without grace. */
void process_catch_stop_signals(void);
int process_stop_signal(void);

/* Dies of the signal that asked to stop, where one did. */
void process_die_of_stop_signal(void);

#endif
