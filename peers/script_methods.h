/* The table of peers that are separate programs (scripts/time_peers.py): what a study knows about
 * them. */
#ifndef MAXPOOL_SCRIPT_METHODS_H
#define MAXPOOL_SCRIPT_METHODS_H

#include "kernels/methods.h"

#include <stddef.h>

/* A method of one of them, and what it computes: an operator, or networks. */
struct script_method {
    const char *computes; /* as in the record's column operator */
    struct method method;
    double start_s; /* seconds until its first execution: interpreter, imports, compilation; 0:
                       as for our programs */
};

extern const struct script_method script_methods[];
extern const size_t script_method_count;

/* Returns the row of that name, or NULL. */
const struct script_method *script_method_row(const char *computes, const char *name);

/* Returns the method of that name, or NULL. */
const struct method *script_method_find(const char *computes, const char *name);

#endif
