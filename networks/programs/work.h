/* The work of a program, independent of its space: each program is linked with the file that
 * defines it, faces.c or network.c, and with that of its space, serial.c or omp.c. */
#ifndef MAXPOOL_NETWORK_PROGRAMS_WORK_H
#define MAXPOOL_NETWORK_PROGRAMS_WORK_H

#include "harness/point/subject.h"
#include "harness/space/host.h"

struct work {
    const char *name; /* before the space's: "network" of network_omp */
    const struct operator_row *kind;
    const struct subject *subject;
    const struct peers *peers; /* NULL: none */
    /* The space's open(), once it has a team. */
    enum status (*open)(const struct job *job, struct team team, struct instance **out,
                        struct resources *resources, struct failure *f);
    struct space space; /* its functions for what was opened; the rest is the program's */
};

extern const struct work work;

/* The program work.name_NAME in a space of that name whose open() is this. */
int work_main(const char *name, bool has_threads,
              enum status (*open)(const struct job *job, struct instance **out,
                                  struct resources *resources, struct failure *f),
              int argc, char **argv);

#endif
