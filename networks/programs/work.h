/* The work of a program, independent of its space. Each program is linked with the file that
 * defines its work, faces.c or network.c, and with that of its space, serial.c or omp.c. */
#ifndef MAXPOOL_NETWORK_PROGRAMS_WORK_H
#define MAXPOOL_NETWORK_PROGRAMS_WORK_H

#include "harness/point/subject.h"
#include "harness/space/host.h"

struct work {
    const char *name; /* before the space's name: "network" of network_omp */
    const struct operator_row *kind;
    const struct subject *subject;
    const struct peers *peers; /* NULL: none */
    /* Opens an instance for the space, which has made the team. */
    enum status (*open)(const struct job *job, struct team team, struct instance **out,
                        struct resources *resources, struct failure *f);
    struct space space; /* the functions for opened instances; work_main() adds the rest */
};

extern const struct work work;

/* Runs the program work.name_NAME, in a space of that name that opens instances by `open`. */
int work_main(const char *name, bool has_threads,
              enum status (*open)(const struct job *job, struct instance **out,
                                  struct resources *resources, struct failure *f),
              int argc, char **argv);

#endif
