/* Facts about the spaces that are available without their code: one row each. The spaces themselves
 * are vtables in their own folders (harness/space/space.h); code that only reads their samples, as
 * the study does, uses these rows. */
#ifndef MAXPOOL_SPACES_H
#define MAXPOOL_SPACES_H

#include "kernels/methods.h"

struct space_facts {
    const char *name;     /* as in programs and records */
    enum space_kind kind; /* of the methods that it runs */
    bool alone;           /* one worker computes everything: the baseline of speedups */
    bool threads;         /* takes --threads; default without ranks: all cores */
    const char *launcher; /* starts several processes; NULL: there is one */
};

extern const struct space_facts spaces[];
extern const size_t space_count;

/* The row of a name, or NULL. */
const struct space_facts *space_find(const char *name);

#endif
