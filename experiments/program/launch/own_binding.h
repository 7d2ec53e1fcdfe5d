/* The cores of a launch of a program of another: those of its workers alone. */
#ifndef MAXPOOL_OWN_BINDING_H
#define MAXPOOL_OWN_BINDING_H

#include "experiments/program/launch/own_command.h"

#include <sched.h>

/* What a launch changed of this process, which the command inherits. */
struct own_binding {
    bool bound;
    cpu_set_t before;
};

/* Restricts this process, and so the command, to the cores of its workers. Threads of OpenMP get
 * one core each, in the order of the workers, by OMP_PLACES and OMP_PROC_BIND; ranks get one each
 * by the settings of Open MPI (4 and 5), unless there are more ranks than cores. Other programs
 * choose among these cores. Status 3 without hwloc, 4 if the system refuses. */
enum status own_binding_begin(struct own_binding *b, enum binding binding,
                              const struct own_workers *w, struct failure *f);

/* Gives this process its cores and environment back. */
void own_binding_end(struct own_binding *b);

#endif
