/* The table of peers that are programs of their own (scripts/time_peers.py): what a study knows of
 * them. */
#ifndef MAXPOOL_SCRIPT_METHODS_H
#define MAXPOOL_SCRIPT_METHODS_H

#include "kernels/methods.h"

#include <stddef.h>

/* A method of theirs, and what it computes: an operator, or networks. */
struct script_method {
    const char *computes; /* as the record's column operator has it */
    struct method method;
    double start_s; /* until its first execution: the interpreter, imports, compilation; 0: as our
                       programs */
};

extern const struct script_method script_methods[];
extern const size_t script_method_count;

/* The row of that name, or NULL. */
const struct script_method *script_method_row(const char *computes, const char *name);

/* The method of that name, or NULL. */
const struct method *script_method_find(const char *computes, const char *name);

#endif
