/* A set of texts that numbers them from 0 in the order of their coming, and keeps one copy of each.
 * Millions of rows repeat a few texts: each is stored once and compared by number. */
#ifndef MAXPOOL_NAMES_H
#define MAXPOOL_NAMES_H

#include <stddef.h>

struct names {
    char **texts; /* of the numbers; their addresses never change */
    size_t count, room;
    size_t *slots; /* number + 1 by hash; 0 where free */
    size_t slot_count;
};

enum { NAMES_FULL = -1 };

/* The number of `text`, new or old; NAMES_FULL where memory lacks. Start from {0}. */
ptrdiff_t names_put(struct names *n, const char *text);

/* The number of `text`, or -1 where it is not there. */
ptrdiff_t names_find(const struct names *n, const char *text);

void names_release(struct names *n);

#endif
