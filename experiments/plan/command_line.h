/* The command that measures a point: the launcher, the program and its options. */
#ifndef MAXPOOL_COMMAND_LINE_H
#define MAXPOOL_COMMAND_LINE_H

#include "experiments/definition/definition.h"
#include "experiments/plan/simulated.h"
#include "harness/records/record.h"

/* Arguments for execvp: `count` words, then NULL. Owned. */
struct command_line {
    char **words;
    size_t count;
};

struct command_request {
    const struct record *point; /* its experiment, round and point columns */
    const char *methods;        /* several methods, "fused,direct"; NULL: that of the point */
    const struct sampling *sampling;
    const char *bin;                   /* folder of the programs; "": they are found in PATH */
    const char *simulated_bin;         /* folder of the programs for simulated clusters; NULL:
                                        * simgrid in bin */
    const char *launcher;              /* plain, mpirun, srun or simgrid */
    int64_t cores;                     /* workers that can run at once, according to the plan */
    int64_t here;                      /* the same for this computer; 0: as many as `cores` */
    const char *record;                /* file for the samples */
    const char *training;              /* file for the training record; NULL: none */
    const char *layers;                /* file for the seconds of a network's layers; NULL: none */
    const char *timeline;              /* file for the use of processors and memory over time; NULL:
                                        * none */
    const struct simulated *simulated; /* for the launcher simgrid */
    const char *hosts;                 /* file that lists its hosts, one line per rank */
};

/* Returns the launcher for a point: simgrid if the point has a platform; otherwise the requested
 * one, or else mpirun for MPI programs and plain for others. */
const char *command_launcher(const char *asked, const struct record *point);

/* Returns the program that a launcher needs; NULL for plain. */
const char *command_launcher_program(const char *launcher);

enum status command_line_make(struct command_line *out, const struct command_request *request,
                              struct failure *f);
void command_line_release(struct command_line *line);

/* Returns the command as one line for a POSIX shell; the caller frees it. NULL if memory is
 * lacking. */
char *command_line_text(const struct command_line *line);

#endif
