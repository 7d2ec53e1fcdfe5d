/* Facts about the spaces that need no space to run: one row each. The spaces themselves are vtables
 * in folders of their own (harness/space/space.h); code that only reads their samples, as the study
 * does, uses these rows. */
#ifndef MAXPOOL_SPACES_H
#define MAXPOOL_SPACES_H

#include "kernels/methods.h"

struct space_facts {
    const char *name;     /* as programs and records have it */
    enum space_kind kind; /* of the methods it runs */
    bool alone;           /* one worker computes everything: what speedups are compared with */
    bool threads; /* takes --threads; all cores where it is not given and there are no ranks */
    const char *launcher; /* of several processes; NULL: there is one */
};

extern const struct space_facts spaces[];
extern const size_t space_count;

/* The row of a name, or NULL. */
const struct space_facts *space_find(const char *name);

#endif
