/* Runs one command under a time limit, in its own process group, which ends with the command. */
#ifndef MAXPOOL_PROCESS_H
#define MAXPOOL_PROCESS_H

#include "harness/base/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum process_end {
    PROCESS_EXITED,      /* by itself, with exit_status */
    PROCESS_KILLED,      /* by signal */
    PROCESS_TIMED_OUT,   /* by us, when the time limit was reached */
    PROCESS_STOPPED,     /* by us, because a signal asked us to stop */
    PROCESS_NOT_STARTED, /* there is no such program; `output` says why */
    PROCESS_TERMINAL     /* by us, because it stopped to wait for the terminal */
};

enum { PROCESS_OUTPUT = 8192 };

struct process_result {
    enum process_end end;
    int exit_status; /* -1 if it did not exit */
    int signal;      /* 0 if no signal ended it */
    double seconds;
    double user_s, system_s;     /* processor time of it and of children that it waited for */
    long voluntary, involuntary; /* context switches of these */
    double peak_bytes;           /* most resident memory of the largest of these */
    bool left_children;          /* processes of its group were alive after it ended by itself */
    char output[PROCESS_OUTPUT]; /* the last bytes of stdout and stderr together */
};

struct process_limits {
    double seconds;       /* the group then receives SIGTERM; 0: no limit */
    double grace_seconds; /* from SIGTERM to SIGKILL */
    int death_signal;     /* signal that the system sends to the command if this process dies; 0:
                           * none */
    int stdout_file;      /* descriptor that stdout goes to instead of `output`; 0: none */
    bool keep_cores;      /* it runs on the cores of the calling thread now, not on those that this
                           * process was given when it began */
    bool even_stopped;    /* also runs after a signal asked us to stop; the next one ends it */
    /* Called in the child before the command; only what is safe between fork and exec. NULL: none.
     * The child is then in a namespace of processes of its own, if the system gives one: all that
     * it started ends with it. Otherwise a death_signal ends its whole group. */
    void (*enter)(const void *context);
    const void *context;
};

/* Runs argv[0] (searched in PATH if it contains no '/') with empty stdin. When it ends, the rest of
 * its process group is killed. Status 4 if no process or pipe can be created; everything else is in
 * *result. */
enum status process_run(char *const argv[], const struct process_limits *limits,
                        struct process_result *result, struct failure *f);

/* Whether the command ended by itself, with exit status 0. */
bool process_succeeded(const struct process_result *result);

/* Runs a command that must succeed. Status 3 if it is not installed, 4 if a signal asked us to
 * stop; otherwise 2 with the message `what`, and the command's output on standard error. */
enum status process_run_well(char *const argv[], const struct process_limits *limits,
                             const char *what, struct failure *f);

/* Runs `count` commands at the same time, at most PROCESSES_AT_ONCE; *limits applies to each. If
 * one of them cannot be started for lack of resources, the others are killed. */
enum { PROCESSES_AT_ONCE = 4 };
enum status process_run_all(char *const *const commands[], size_t count,
                            const struct process_limits *limits, struct process_result *results,
                            struct failure *f);

/* Commands that run one after another, PROCESSES_AT_ONCE at the same time. */
struct process_queue {
    size_t count;
    /* The words of command i, which starts at once and is the next one; NULL: it is left out. */
    char *const *(*begin)(void *context, size_t i);
    /* How it ended, at once; result NULL: it could not be started, for lack of resources. */
    void (*end)(void *context, size_t i, const struct process_result *result,
                const struct failure *why);
    void *context;
};

/* Runs a queue; *limits applies to each command. Status 4 if none was started. */
enum status process_run_queue(const struct process_queue *queue,
                              const struct process_limits *limits, struct failure *f);

/* True if PATH has an executable of that name. */
bool process_in_path(const char *program);

/* After this call SIGINT, SIGTERM and SIGHUP no longer kill this process: they end a process_run()
 * with PROCESS_STOPPED, and process_stop_signal() returns the first one (0: none). A second signal
 * kills the command without grace. */
void process_catch_stop_signals(void);
int process_stop_signal(void);

/* Ends this process by the signal that asked it to stop, if there was one. */
void process_die_of_stop_signal(void);

#endif
