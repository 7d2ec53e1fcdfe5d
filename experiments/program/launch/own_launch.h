/* One launch of a program of another, and whether it counts. */
#ifndef MAXPOOL_OWN_LAUNCH_H
#define MAXPOOL_OWN_LAUNCH_H

#include "experiments/common/process.h"
#include "experiments/program/launch/own_command.h"
#include "experiments/samples/journal.h"
#include "harness/machine/counters/counters.h"
#include "harness/machine/other_load.h"

enum own_end {
    OWN_DONE,        /* it counts */
    OWN_WRONG,       /* it ended with status 0, and its output is wrong */
    OWN_FAILED,      /* it has no time */
    OWN_TIMED_OUT,   /* likewise */
    OWN_STOPPED,     /* a signal asked us to stop */
    OWN_NOT_STARTED, /* no launch can be: there is no such program, or --prepare fails */
    OWN_ENDS
};
extern const char *const own_end_words[OWN_ENDS]; /* status words of the journal */

struct own_launch {
    enum own_end end;
    bool started;                  /* the program was, however it ended: --cleanup is to run */
    double seconds;                /* by the clock, or from the output; NaN: none */
    double phases[OWN_PHASES];     /* of --seconds, the first too */
    double wall_s, cpu_s;          /* of the process, and of it with its children */
    double instructions, cycles;   /* likewise, in user mode; NaN: not counted */
    enum counters_state counters;  /* why not */
    struct other_load load;        /* of other programs meanwhile */
    char reason[JOURNAL_TEXT];     /* one sentence; of a launch that is done what own_hash_read
                                    * reads, if its output is compared, else "" */
    char hash[SHA256_HEX];         /* of what --same-output compares; "": not wanted */
    char *command;                 /* as for a shell; owned */
    struct process_result process; /* its output: of stdout and stderr, the last bytes */
};

/* Launches the command, of which own_command_check found nothing wrong, once. `first_hash`: of the
 * first launch that counted, "": none yet. Status 4 if no process can be made, or memory is
 * lacking. The caller releases it in every case. */
enum status own_launch_run(struct own_launch *out, const struct own_command *c,
                           const struct own_workers *w, double timeout_s, const char *first_hash,
                           struct failure *f);
void own_launch_release(struct own_launch *launch);

/* Reads the hash of the output from the journal's row of a launch; false if it has none. */
bool own_hash_read(const struct journal_row *row, char hash[SHA256_HEX]);

/* Shows a launch that does not count on stderr: its command, why, and its output. */
void own_launch_show(const struct own_launch *launch);

/* What some launches used. */
struct own_use {
    size_t launches;
    double wall_s, cpu_s; /* of these, in all */
    double least_s;       /* least time; 0: none */
};

/* Of the launches of some workers that counted, in one run: those beside which others left no
 * core idle, and the rest. */
struct own_tally {
    struct own_use quiet, disturbed;
};
void own_tally_add(struct own_tally *t, const struct own_launch *l);
size_t own_tally_launches(const struct own_tally *t);

/* Says on stderr that a program seems to ignore its number of threads: no more than one processor
 * was busy, and the time did not fall from that of one worker. Only launches that others left alone
 * can show that; if there are none, it says that others took the cores. Returns whether it says
 * anything. */
bool own_tally_warn(const char *title, int64_t threads, const struct own_tally *one,
                    const struct own_tally *several);

/* Runs --cleanup, also after a signal asked us to stop; status 4, with a sentence, if it fails. */
enum status own_cleanup_run(const struct own_command *c, const struct own_workers *w,
                            struct failure *f);

#endif
