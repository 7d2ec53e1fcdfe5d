/* The CPU mask of an executable at its start, before any library was initialised. */
#ifndef MAXPOOL_AT_START_H
#define MAXPOOL_AT_START_H

#include "harness/machine/machine.h"

struct at_start {
    struct core_set mask;
    long bytes; /* of the mask that the system has; at most 0: it was not read */
};

/* Only executables have it: a shared library may not run anything that early. */
extern struct at_start at_start __attribute__((weak));

#endif
