/* The command that measures a point: program, options, and the launcher around it. */
#ifndef MAXPOOL_COMMAND_LINE_H
#define MAXPOOL_COMMAND_LINE_H

#include "experiments/definition/definition.h"
#include "experiments/plan/simulated.h"
#include "harness/records/record.h"

/* Arguments as for execvp: count of them, then NULL. Owned. */
struct command_line {
    char **words;
    size_t count;
};

struct command_request {
    const struct record *point; /* experiment, round and point columns */
    const char *methods;        /* several of them, "fused,direct"; NULL: the point's own */
    const struct sampling *sampling;
    const char *bin;                   /* folder of the programs; "" : found in PATH */
    const char *simulated_bin;         /* of those for simulated clusters; NULL: simgrid in bin */
    const char *launcher;              /* plain, mpirun, srun or simgrid */
    int64_t cores;                     /* workers that can run at once, as planned */
    int64_t here;                      /* ... on this computer; 0: as many as `cores` */
    const char *record;                /* file that the samples go to */
    const char *training;              /* ... and how its trainings went; NULL: none */
    const char *layers;                /* ... and the seconds of a network's layers; NULL: none */
    const char *timeline;              /* ... and what they take over time; NULL: not asked */
    const struct simulated *simulated; /* of the launcher simgrid */
    const char *hosts;                 /* file that lists its hosts, one a line and rank */
};

/* The launcher for a point: simgrid where it has a platform; else what is asked for, else mpirun
 * for MPI programs and plain for others.
 */
const char *command_launcher(const char *asked, const struct record *point);

/* The program that a launcher needs, or NULL for plain. */
const char *command_launcher_program(const char *launcher);

enum status command_line_make(struct command_line *out, const struct command_request *request,
                              struct failure *f);
void command_line_release(struct command_line *line);

/* The command as one line that a POSIX shell takes; the caller frees it. NULL where memory is
 * short. */
char *command_line_text(const struct command_line *line);

#endif
